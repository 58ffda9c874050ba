package lint

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/wording"
)

// hostVersion is the Claude Code version whose models, efforts, tools and hook events are listed here.
const hostVersion = "2.1.332"

var sg147 = &Rule{ID: "SG147", Severity: Warning, Check: func(s *Skill, report Report) {
	if s.forCopying() {
		return
	}
	for _, k := range s.Front.Keys {
		if k.Node == nil {
			continue
		}
		v := strings.TrimSpace(k.Node.Value)
		if known, ok := data().Values[k.Name]; ok && v != "" && k.Node.Kind == yaml.ScalarNode &&
			(!known.Agents || s.part == agentPart) && !known.Allow().MatchString(v) && (k.Name != "model" || s.part == "" ||
			strings.Contains(s.Src.Path, ".claude/") || above(s, filepath.Join(".claude-plugin", "plugin.json")) != "") {
			p := Problem{At: s.In(k.Name, v),
				Text: fmt.Sprintf("%s is %q, which Claude Code %s does not know", k.Name, v, hostVersion)}
			if near := wording.Nearest(v, strings.Fields(known.Names)); near != "" {
				p.Hint = "did you mean " + near + "?"
			}
			report(p)
		}
		switch k.Name {
		case "allowed-tools", "disallowed-tools", "tools", "disallowedTools":
			s.checkTools(k, report)
		case "hooks":
			var hooks any
			if k.Node.Decode(&hooks) == nil && hooks != nil {
				checkHooks(hooks, func(severity Severity, at, text string) {
					report(Problem{At: s.In("hooks", at), Severity: severity, Text: text, Hint: "write event: [{matcher: Bash, " +
						"hooks: [{type: command, command: …}]}], as in the example of this rule"})
				})
			}
		}
	}
	s.checkToolsInText(report)
}}

func (s *Skill) checkTools(k Key, report Report) {
	var lists []string
	for _, n := range append([]*yaml.Node{k.Node}, k.Node.Content...) {
		if n.Kind == yaml.ScalarNode {
			lists = append(lists, n.Value)
		}
	}
	if s.part != "" && !slices.ContainsFunc(expr("toolName").FindAllString(strings.Join(lists, " "), -1),
		func(name string) bool { return words("hostTools")[name] }) {
		return // for another host
	}
	for _, list := range lists {
		if open, shut := strings.Count(list, "("), strings.Count(list, ")"); open != shut {
			p := Problem{At: s.In(k.Name, list), Severity: Error,
				Text: fmt.Sprintf("%s has %d opening and %d closing parentheses: %s", k.Name, open, shut, list)}
			p.Hint = "write each rule as Tool(pattern), as in Bash(git log:*)"
			report(p)
			continue
		}
		for _, name := range expr("toolName").FindAllString(expr("inParentheses").ReplaceAllString(list, " "), -1) {
			if words("hostTools")[name] || strings.HasPrefix(name, "mcp__") {
				continue
			}
			if near := wording.Nearest(name, sortedNames(words("hostTools"))); near != "" && !strings.EqualFold(near, name) {
				report(Problem{At: s.In(k.Name, name), Text: fmt.Sprintf("unknown tool %s", name),
					Hint: "did you mean " + near + "?"})
			} else if expr("camel").MatchString(name) || words("otherTools")[name] {
				report.at(s.In(k.Name, name), "Claude Code %s has no tool named %s", hostVersion, name)
			}
		}
	}
}

func (s *Skill) checkToolsInText(report Report) {
	if s.aboutSkills() {
		return
	}
	for l := range s.lines() {
		found := findAll("toolInText", l.Text, -1)
		if l.Code || l.Fence || len(found) == 0 || expr("unsure").MatchString(l.Text) {
			continue
		}
		for _, m := range found {
			name := l.Text[m[2]:m[3]]
			if !words("hostTools")[name] && (expr("toolWord").MatchString(name) || words("otherTools")[name]) {
				if expr("otherHosts").MatchString(s.Src.Text) {
					return
				}
				report.at(s.Src.Span(l.Start+m[2], l.Start+m[3]), "Claude Code %s has no tool named %s", hostVersion, name)
			}
		}
	}
}

// checkHooks reports the faults of a value decoded from JSON or YAML. at is the name next to a fault, such as an event.
func checkHooks(hooks any, say func(severity Severity, at, text string)) {
	events, ok := hooks.(map[string]any)
	if !ok {
		say(Error, "hooks", fmt.Sprintf("hooks is %s instead of a mapping of events to matchers", typeName(hooks)))
		return
	}
	for _, event := range sortedNames(events) {
		problem := func(format string, args ...any) {
			say(Error, event, "hooks."+event+fmt.Sprintf(format, args...))
		}
		matchers, ok := events[event].([]any)
		switch {
		case !words("hostEvents")[event]:
			text := fmt.Sprintf("Claude Code %s has no hook event named %s", hostVersion, event)
			if near := wording.Nearest(event, sortedNames(words("hostEvents"))); near != "" {
				text += "; did you mean " + near + "?"
			}
			say(Off, event, text)
			continue
		case !ok:
			problem(" is %s instead of a list of matchers", typeName(events[event]))
		}
		for _, m := range matchers {
			one, _ := m.(map[string]any)
			hooks, ok := one["hooks"].([]any)
			if !ok {
				problem(": a matcher has no list of hooks")
			}
			if matcher, ok := one["matcher"].(string); !ok && one["matcher"] != nil {
				problem(": the matcher is %s instead of a string", typeName(one["matcher"]))
			} else if words("toolEvents")[event] && expr("deadMatcher").MatchString(matcher) {
				say(Off, event, fmt.Sprintf("hooks.%s: no tool has a name that the matcher %q matches", event, matcher))
			} else if _, err := regexp.Compile(matcher); err != nil &&
				strings.Count(matcher, "(") != strings.Count(matcher, ")") {
				problem(": the matcher %q is not a valid regular expression", matcher)
			}
			for _, h := range hooks {
				checkHook(h, problem)
				if h, _ := h.(map[string]any); h["if"] != nil && !words("toolEvents")[event] {
					say(Off, event, "hooks."+event+": a hook with \"if\" never runs, because the event does not concern a tool")
				}
			}
		}
	}
}

func checkHook(hook any, problem func(format string, args ...any)) {
	h, _ := hook.(map[string]any)
	kind, _ := h["type"].(string)
	needs, known := data().HookNeeds[kind]
	if !known {
		problem(": the type of a hook is %q instead of agent, command, http, mcp_tool or prompt", kind)
		return
	}
	if args := h["args"]; args != nil && kind == "command" && expr("severalWords").MatchString(fmt.Sprint(h["command"])) {
		problem(": with args, the command must be a program without arguments, not %q", h["command"])
	}
	for _, field := range needs {
		if h[field] == nil {
			problem(": a hook of type %s has no %s", kind, field)
		}
	}
	if fault := misfit(h, "hookFields"); fault != "" {
		problem(": %s", fault)
	}
}

func typeName(value any) string {
	switch v := value.(type) {
	case map[string]any, map[any]any:
		return "a mapping"
	case []any:
		return "a list"
	default:
		return fmt.Sprintf("%#v", v)
	}
}
