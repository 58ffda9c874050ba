package gate

import (
	"reflect"
	"strings"
)

// Variables returns the names of the environment variables for settings, in the order of the settings:
// SKILLGATE_TOP_K, SKILLGATE_LOG_PROMPTS and so on.
func Variables() []string { return variables(reflect.TypeFor[Settings](), "SKILLGATE_") }

func variables(t reflect.Type, head string) []string {
	var names []string
	for field := range t.Fields() {
		key := field.Tag.Get("yaml")
		name := head + strings.ToUpper(key)
		switch kind := field.Type.Kind(); {
		case key == "-" || key == "":
		case kind == reflect.Struct:
			names = append(names, variables(field.Type, name+"_")...)
		case kind == reflect.Map, kind == reflect.Slice && key != "libraries": // in a file only
		default:
			names = append(names, name)
		}
	}
	return names
}
