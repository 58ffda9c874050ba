package main

import (
	"context"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/synonyms/lang"
)

type values func() []string

func oneOf(list ...string) values { return func() []string { return list } }

// addCompletions gives every flag and argument of root's commands that takes one of some
// values its completion. Shells complete files where nothing else is known.
func addCompletions(a *app.App, root *cobra.Command) {
	skills := func() []string { return skillNames(a) }
	languages := oneOf(append(lang.Codes(), "mixed", "other")...)
	severities := oneOf("info", "warning", "error", "off")
	flags := map[string]values{ // "flag", or "command flag" where flags of one name differ
		"skill": skills, "rule": ruleIDs, "set": func() []string {
			return settingKeys(reflect.TypeFor[gate.Settings](), "", "=")
		},
		"verdict": oneOf("inject", "force", "silent", "skip", "error"), "followed": oneOf("yes", "no", "unknown"),
		"enrich only": skills,
		"languages":   oneOf(lang.Codes()...),
		"lang":        languages,
		"reason":      oneOf(logged.Reasons...), "fail-on": severities, "show": severities,
		"by":            oneOf("prompt", "session"),
		"provider":      oneOf("claude", "openai"),
		"prune prompts": oneOf("hash", "none"),
		"scope":         oneOf("user", "project", "local"), "host": func() []string {
			var names []string
			for _, h := range hooks.Hosts {
				names = append(names, h.Name)
			}
			return names
		},
	}
	arguments := map[string]values{
		"skillgate stats":   skills,
		"skillgate ir init": skills, "skillgate ir check": skills, "skillgate ir render": skills,
		"skillgate lint rules":   ruleIDs,
		"skillgate lint suggest": skills,
	}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if v, ok := arguments[cmd.CommandPath()]; ok {
			cmd.ValidArgsFunction = completion(v)
			if strings.HasSuffix(cmd.Use, " [PATH...]") {
				cmd.ValidArgsFunction = beforePaths(v)
			}
		} else if takesNoFile(cmd) {
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}

		for key, v := range flags {
			name := key[strings.LastIndex(key, " ")+1:]
			if flag := cmd.Flags().Lookup(name); flag != nil && (name == key || cmd.Name()+" "+name == key) {
				_ = cmd.RegisterFlagCompletionFunc(name, completion(v)) // the flag is there, and is met once
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			value, _ := pflag.UnquoteUsage(f)
			if _, known := cmd.GetFlagCompletionFunc(f.Name); known {
				return
			}
			switch {
			case value == "FOLDER":
				_ = cmd.MarkFlagDirname(f.Name) // the flag is there
			case slices.Contains(noFiles, value):
				_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions) // and has none yet
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// noFiles are what flags take, as help says it, that no file is named like.
var noFiles = []string{"N", "WHEN", "SPAN", "ID", "URL", "TEXT", "MEASURE", "PART", "CODES", "REF", "SEED", "SPELLING",
	"int", "float", "duration", "uint"}

// takesNoFile reports whether cmd has no argument, or takes words of a prompt.
func takesNoFile(cmd *cobra.Command) bool {
	if cmd.HasSubCommands() || cmd.Args == nil {
		return false
	}
	return cmd.Args(cmd, []string{"x"}) != nil && cmd.Args(cmd, []string{"x", "y"}) != nil ||
		strings.Contains(cmd.Use, "PROMPT")
}

func completion(v values) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var fit []cobra.Completion
		directive := cobra.ShellCompDirectiveNoFileComp
		for _, value := range v() {
			if strings.HasPrefix(value, typed) {
				fit = append(fit, value)
			}
			if strings.HasSuffix(value, "=") {
				directive |= cobra.ShellCompDirectiveNoSpace
			}
		}
		return fit, directive
	}
}

// beforePaths completes the first argument, and leaves those behind it to the shell: they are paths.
func beforePaths(v values) cobra.CompletionFunc {
	first := completion(v)
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return first(cmd, args, typed)
	}
}

func ruleIDs() []string {
	var ids []string
	for _, r := range lint.All {
		ids = append(ids, r.ID)
	}
	return ids
}

// skillNames are those of the index; what is wrong with it is not said while somebody types.
func skillNames(a *app.App) []string {
	quiet := *a
	quiet.Stderr = io.Discard
	g, err := quiet.OpenHere(context.Background(), nil)
	if err != nil {
		return nil
	}
	defer g.Close()
	var names []string
	g.Docs(func(d index.Doc) bool {
		names = append(names, app.Visible(d.Name))
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// settingKeys are the keys of a struct of settings as files have them, each with end after it;
// those of a struct within come with its key and a dot in front.
func settingKeys(t reflect.Type, within, end string) []string {
	var keys []string
	for field := range t.Fields() {
		key := within + field.Tag.Get("yaml")
		if field.Type.Kind() == reflect.Struct {
			keys = append(keys, settingKeys(field.Type, key+".", end)...)
			continue
		}
		keys = append(keys, key+end)
	}
	return keys
}
