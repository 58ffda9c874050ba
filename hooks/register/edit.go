package register

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks"
	"github.com/tailscale/hujson"
)

// Action says what an edit did to one handler.
type Action string

const (
	Kept    Action = "kept"
	Added   Action = "added"
	Updated Action = "updated"
	Removed Action = "removed"
)

// Change describes what an edit did to the handler of one event.
type Change struct {
	Action  Action `json:"action"`
	Event   string `json:"event"`
	Matcher string `json:"matcher,omitempty"`
	Command string `json:"command"` // program and arguments
}

func change(h hooks.Handler, a Action) Change {
	return Change{a, h.Event, h.Matcher, line(h)}
}

func line(h hooks.Handler) string {
	words := []string{system.ShellQuote(h.Command)}
	for _, a := range h.Args {
		words = append(words, system.ShellQuote(a))
	}
	if h.Lenient {
		words = append(words, lenient)
	}
	return strings.Join(words, " ")
}

// lenient makes a shell line succeed even if its program fails.
const lenient = "|| true"

// jsonHandler is the JSON form of a handler. Its fields are in the order that the host's documentation uses.
type jsonHandler struct {
	Name    string   `json:"name,omitempty"`
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout,omitempty"`
	Async   bool     `json:"async,omitempty"`
}

type jsonGroup struct {
	Matcher string        `json:"matcher,omitempty"`
	Hooks   []jsonHandler `json:"hooks"`
}

func written(h hooks.Handler) jsonHandler {
	j := jsonHandler{Name: h.Name, Type: "command", Command: h.Command, Args: h.Args, Timeout: h.Timeout, Async: h.Async}
	if h.Shell {
		j.Command, j.Args = line(h), nil
	}
	return j
}

// Find returns skillgate's handlers in the text of a settings file, in file order. Errors begin with file.
func Find(file string, text []byte) ([]Found, error) {
	if isProgram(text) {
		return inProgram(file, text), nil
	}
	d, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	return d.find()
}

const top = "hooks" // the top-level member that holds events

func (d *document) find() ([]Found, error) {
	all, _, ok := member(d.root, top)
	if !ok {
		return nil, nil
	}
	events, ok := all.Value.(*hujson.Object)
	if !ok {
		return nil, d.errorf(all, "hooks must be an object with one key per event")
	}
	var found []Found
	for i, event := range events.Members {
		name, _ := text(event.Name)
		list, ok := event.Value.Value.(*hujson.Array)
		if !ok {
			if lit, _ := event.Value.Value.(hujson.Literal); lit.Kind() == 't' || lit.Kind() == 'f' {
				continue // a boolean option, not an event
			}
			return nil, d.errorf(event.Value, "hooks.%s is not an array", name)
		}
		for j, element := range list.Elements {
			for _, f := range d.inElement(element) {
				f.Event, f.event, f.group = name, i, j
				found = append(found, f)
			}
		}
	}
	return found, nil
}

// inElement returns skillgate's handlers in one element of an event's list, which is a group of handlers or a single
// handler.
func (d *document) inElement(element hujson.Value) []Found {
	list, _, grouped := member(element, "hooks")
	if !grouped {
		f, ok := handler(element)
		if !ok {
			return nil
		}
		f.bare = true
		f.Line, _ = d.position(element.StartOffset)
		return []Found{f}
	}
	handlers, ok := list.Value.(*hujson.Array)
	if !ok {
		return nil
	}
	var found []Found
	for k, h := range handlers.Elements {
		if f, ok := handler(h); ok {
			f.Matcher, f.index = textOf(element, "matcher"), k
			f.Line, _ = d.position(h.StartOffset)
			found = append(found, f)
		}
	}
	return found
}

// plainGroup reports whether a group has only the members that skillgate writes.
func plainGroup(group hujson.Value) bool {
	for _, m := range group.Value.(*hujson.Object).Members {
		if name, _ := text(m.Name); name != "hooks" && name != "matcher" {
			return false
		}
	}
	return true
}

// handler parses v and reports whether it is one of skillgate's handlers.
func handler(v hujson.Value) (f Found, ok bool) {
	f.Element = textOf(v, "command")
	words := []string{f.Element}
	if args, _, exec := member(v, "args"); exec {
		list, _ := args.Value.(*hujson.Array)
		if list == nil {
			return f, false
		}
		for _, a := range list.Elements {
			s, _ := text(a)
			words = append(words, s)
		}
	} else {
		f.Shell = true
		words = shellWords(f.Element)
	}
	if !ours(words) {
		return f, false
	}
	f.Command, f.Args = words[0], words[1:]
	f.Lenient = f.Shell && strings.HasSuffix(strings.TrimSpace(f.Element), lenient)
	timeout, _, _ := member(v, "timeout")
	if lit, _ := timeout.Value.(hujson.Literal); lit.Kind() == '0' {
		f.Timeout = max(1, int(lit.Float()))
	}
	async, _, _ := member(v, "async")
	lit, _ := async.Value.(hujson.Literal)
	f.Async = string(lit) == "true"
	f.If, f.Name = textOf(v, "if"), textOf(v, "name")
	return f, true
}

// Install returns text with want in place of all other handlers of skillgate, and a Change for each handler. It returns
// text unchanged if all handlers are present and up to date.
func Install(file string, text []byte, want []hooks.Handler) ([]byte, []Change, error) {
	if want[0].Kind != hooks.JSON {
		return writeProgram(file, text, want[0])
	}
	d, err := parse(file, text)
	if err != nil {
		return nil, nil, err
	}
	var changes []Change
	for _, w := range want {
		action, err := d.ensure(w)
		if err != nil {
			return nil, nil, err
		}
		changes = append(changes, change(w, action))
	}
	removed, err := d.removeAll(func(f Found) bool {
		return !slices.ContainsFunc(want, func(w hooks.Handler) bool { return w.Event == f.Event && w.Args[0] == f.Args[0] })
	})
	if err != nil {
		return nil, nil, err
	}
	changes = append(changes, removed...)
	if !slices.ContainsFunc(changes, func(c Change) bool { return c.Action != Kept }) {
		return text, changes, nil
	}
	return d.bytes(), changes, nil
}

// ensure makes w the only handler with its event and first argument.
func (d *document) ensure(w hooks.Handler) (Action, error) {
	found, err := d.find()
	if err != nil {
		return "", err
	}
	found = slices.DeleteFunc(found, func(f Found) bool { return f.Event != w.Event || f.Args[0] != w.Args[0] })
	if len(found) == 0 {
		return Added, d.add(w)
	}
	best := 0
	rank := func(f Found) int {
		n := 0
		if f.placed(w) {
			n += 2
		}
		if f.upToDate(w) {
			n++
		}
		return n
	}
	for i, f := range found {
		if rank(f) > rank(found[best]) {
			best = i
		}
	}
	keep := found[best]
	if keep.placed(w) && keep.upToDate(w) && len(found) == 1 {
		return Kept, nil
	}
	w.Name = cmp.Or(keep.Name, w.Name)
	if keep.Timeout > 0 && w.Timeout > 0 {
		w.Timeout = keep.Timeout
	}
	if !keep.placed(w) { // the handler moves to a new group
		if _, err := d.removeAll(func(f Found) bool { return f.Event == w.Event && f.Args[0] == w.Args[0] }); err != nil {
			return "", err
		}
		return Updated, d.add(w)
	}
	if !keep.upToDate(w) {
		list, i := d.list(keep)
		if err := d.replace(contents(list).items[i], written(w)); err != nil {
			return "", err
		}
	}
	_, err = d.removeAll(func(f Found) bool {
		return f.Event == w.Event && f.Args[0] == w.Args[0] &&
			(f.event != keep.event || f.group != keep.group || f.index != keep.index)
	})
	return Updated, err
}

// list returns the array that contains f, and the index of f in it.
func (d *document) list(f Found) (hujson.Value, int) {
	all, _, _ := member(d.root, top)
	groups := all.Value.(*hujson.Object).Members[f.event].Value
	if f.bare {
		return groups, f.group
	}
	list, _, _ := member(groups.Value.(*hujson.Array).Elements[f.group], "hooks")
	return list, f.index
}

// add appends w, and creates the containers that are missing.
func (d *document) add(w hooks.Handler) error {
	group := jsonGroup{Matcher: w.Matcher, Hooks: []jsonHandler{written(w)}}
	all, _, ok := member(d.root, top)
	if !ok {
		return d.insert(d.root, top, map[string][]jsonGroup{w.Event: {group}})
	}
	list, _, ok := member(all, w.Event)
	if !ok {
		return d.insert(all, w.Event, []jsonGroup{group})
	}
	if _, array := list.Value.(*hujson.Array); !array {
		return d.errorf(list, "hooks.%s is not an array", w.Event)
	}
	return d.insert(list, "", group)
}

// removeAll removes skillgate's handlers that match, and the containers that become empty.
// It works backwards, so that the positions of the remaining matches stay valid.
func (d *document) removeAll(match func(Found) bool) ([]Change, error) {
	found, err := d.find()
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, f := range slices.Backward(found) {
		if !match(f) {
			continue
		}
		changes = append(changes, change(f.Handler, Removed))
		if err := d.drop(f); err != nil {
			return nil, err
		}
	}
	slices.Reverse(changes)
	return changes, nil
}

// drop removes f and each container around it that has no other content.
func (d *document) drop(f Found) error {
	all, at, _ := member(d.root, top)
	list, i := d.list(f)
	if !f.bare {
		groups := all.Value.(*hujson.Object).Members[f.event].Value
		group := groups.Value.(*hujson.Array).Elements[f.group]
		if !d.lone(list) || !plainGroup(group) {
			return d.remove(list, i)
		}
		list, i = groups, f.group
	}
	switch {
	case !d.lone(list) || d.keeps(f.Event):
		return d.remove(list, i)
	case !d.lone(all) || d.keeps(""):
		return d.remove(all, f.event)
	default:
		return d.remove(d.root, at)
	}
}

// keeps reports whether the original file had a member "hooks" and, if event is not empty, whether that
// member contained event. Such a container stays even if it becomes empty.
func (d *document) keeps(event string) bool {
	if d.original == nil {
		return false
	}
	v, _, ok := member(d.original.root, top)
	if ok && event != "" {
		_, _, ok = member(v, event)
	}
	return ok
}

// lone reports whether v has exactly one item and no comments.
func (d *document) lone(v hujson.Value) bool {
	c := contents(v)
	if len(c.items) != 1 {
		return false
	}
	around := slices.Concat(d.text[c.start+1:c.items[0].start], d.text[c.items[0].end:c.end-1])
	return len(bytes.Trim(around, ", \t\r\n")) == 0
}

// Uninstall returns text without skillgate's handlers. originals are earlier texts of the file, newest first; those
// that contain skillgate's handlers are ignored, because they were saved during an upgrade. If Install turns an
// original into text, Uninstall returns that original byte for byte. created reports whether Install produces text
// from an empty file. The caller can then remove the file.
func Uninstall(file string, text []byte, originals ...[]byte) (out []byte, changes []Change, created bool, err error) {
	if isProgram(text) {
		for _, f := range inProgram(file, text) {
			return nil, []Change{change(f.Handler, Removed)}, true, nil
		}
		return text, nil, false, nil
	}
	d, err := parse(file, text)
	if err != nil {
		return nil, nil, false, err
	}
	found, err := d.find()
	if err != nil || len(found) == 0 {
		return text, nil, false, err
	}
	var there []hooks.Handler // as registered, perhaps by an earlier version with other handlers
	for _, f := range found {
		there = append(there, f.Handler)
	}
	clean := slices.DeleteFunc(slices.Clone(originals), func(original []byte) bool {
		of, err := Find(file, original)
		return err != nil || len(of) > 0
	})
	for _, original := range clean {
		if after, _, err := Install(file, original, there); err == nil && bytes.Equal(after, text) {
			for _, f := range found {
				changes = append(changes, change(f.Handler, Removed))
			}
			return original, changes, false, nil
		}
	}
	if after, _, err := Install(file, nil, there); err == nil && bytes.Equal(after, text) {
		created = true
	}
	if len(clean) > 0 {
		d.original, _ = parse(file, clean[0]) // Find has parsed it without an error
	}
	changes, err = d.removeAll(func(Found) bool { return true })
	return d.bytes(), changes, created, err
}
