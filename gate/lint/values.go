package lint

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/lint/safety"
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
		switch k.Name {
		case "model", "effort", "context", "shell":
			v := strings.TrimSpace(k.Node.Value)
			known := hostValues[k.Name]
			if v == "" || k.Node.Kind != yaml.ScalarNode || known.allowed.get().MatchString(v) {
				continue
			}
			p := Problem{At: s.In(k.Name, v),
				Text: fmt.Sprintf("%s is %q, which Claude Code %s does not know", k.Name, v, hostVersion)}
			if near := nearest(v, known.names); near != "" {
				p.Hint = "did you mean " + near + "?"
			}
			report(p)
		case "allowed-tools", "disallowed-tools":
			s.checkTools(k, report)
		case "hooks":
			s.checkHooks(k.Node, report)
		}
	}
	s.checkToolsInText(report)
}}

// hostValues holds, by frontmatter key, the allowed values and the values to suggest for a misspelled one.
var hostValues = map[string]struct {
	allowed *expression
	names   *wordSet
}{
	"model": {lazy(`(?i)^(?:(?:sonnet|opus|haiku|fable|best|opusplan|default|inherit)(?:\[1m\])?` +
		`|.*(?:claude|anthropic).*|.*[/:${<|].*)$`), set(`sonnet opus haiku fable inherit default`)},
	"effort":  {lazy(`(?i)^(?:low|medium|high|xhigh|max|ultracode|auto|\d+|\$.*)$`), set(`low medium high xhigh max`)},
	"context": {lazy(`^fork$`), set(`fork`)},
	"shell":   {lazy(`^(?:bash|powershell)$`), set(`bash powershell`)},
}

func (s *Skill) checkTools(k Key, report Report) {
	var lists []string
	for _, n := range append([]*yaml.Node{k.Node}, k.Node.Content...) {
		if n.Kind == yaml.ScalarNode {
			lists = append(lists, n.Value)
		}
	}
	for _, list := range lists {
		if open, shut := strings.Count(list, "("), strings.Count(list, ")"); open != shut {
			p := Problem{At: s.In(k.Name, list), Severity: Error,
				Text: fmt.Sprintf("%s has %d opening and %d closing parentheses: %s", k.Name, open, shut, list)}
			p.Hint = "write each rule as Tool(pattern), as in Bash(git log:*)"
			report(p)
			continue
		}
		for _, name := range toolName.get().FindAllString(inParentheses.get().ReplaceAllString(list, " "), -1) {
			if hostTools.has(name) || strings.HasPrefix(name, "mcp__") {
				continue
			}
			if near := nearest(name, hostTools); near != "" && !strings.EqualFold(near, name) {
				report(Problem{At: s.In(k.Name, name), Text: fmt.Sprintf("unknown tool %s", name),
					Hint: "did you mean " + near + "?"})
			} else if camel.get().MatchString(name) || otherTools.has(name) {
				report.at(s.In(k.Name, name), "Claude Code %s has no tool %s", hostVersion, name)
			}
		}
	}
}

func (s *Skill) checkToolsInText(report Report) {
	if s.aboutSkills() || otherHosts.get().MatchString(s.Src.Text) {
		return
	}
	for l := range s.lines() {
		if l.Code || l.Fence || !strings.Contains(l.Text, " tool") || unsure.get().MatchString(l.Text) {
			continue
		}
		for _, m := range toolInText.get().FindAllStringSubmatchIndex(l.Text, -1) {
			name := l.Text[m[2]:m[3]]
			if !hostTools.has(name) && (toolWord.get().MatchString(name) || otherTools.has(name)) {
				report.at(s.Src.Span(l.Start+m[2], l.Start+m[3]), "Claude Code %s has no tool %s", hostVersion, name)
			}
		}
	}
}

var (
	inParentheses = lazy(`\([^()]*(?:\([^()]*\)[^()]*)*\)`)
	toolName      = lazy(`[A-Za-z][\w-]*`)
	camel         = lazy(`^[A-Z][a-z]+(?:[A-Z][a-z]*)*$`)
	toolInText    = lazy("\\b(?i:use|call|invoke|run|via|with|using|through) (?:the )?[`*]*" +
		"([A-Z][a-z]+(?:[A-Z][a-zA-Z]+)+|[a-z]+(?:_[a-z]+)+)[`*]* tool\\b")
	toolWord = lazy(`^(?:Read|Write|Edit|Run|Execute|List|Search|Find|Create|Delete|View|Get|Open)[A-Z]` +
		`|[a-z](?:File|Files|Shell|Command|Terminal|Search|Browser|Editor|Fetch|Directory|Agent)$`)
	otherHosts = lazy(`(?i)\bmcp|cursor|copilot|gemini|codex|windsurf|\bsdk\b`)
	otherTools = set(`apply_patch codebase_search create_file delete_file edit_file execute_command file_search find_files
		grep_search list_dir list_directory list_files read_file read_many_files replace_in_file run_command
		run_in_terminal run_shell_command run_terminal_cmd run_terminal search_files shell_command str_replace_editor
		view_file web_fetch write_file write_to_file`)
	hostTools = set(`Agent AskUserQuestion Bash BashOutput Brief Config CronCreate CronDelete
		CronList Edit EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillBash
		KillShell LS LSP ListMcpResourcesTool ListMcpResources Monitor MultiEdit NotebookEdit
		NotebookRead PowerShell PushNotification Read ReadMcpResourceTool ReadMcpResource
		RemoteTrigger ScheduleWakeup SendMessage SendUserFile Skill SlashCommand StructuredOutput Task
		TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete
		TodoRead TodoWrite ToolSearch WebFetch WebSearch Workflow Write Computer Browser`)
)

func nearest(name string, names *wordSet) string {
	name = strings.ToLower(name)
	for _, n := range sortedNames(names.words()) {
		if low := strings.ToLower(n); len(n) > 3 && low != name && safety.OneLetter(name, low) {
			return n
		}
	}
	return ""
}

func (s *Skill) checkHooks(n *yaml.Node, report Report) {
	problem := func(at *yaml.Node, format string, args ...any) {
		line := s.Src.LineAt(s.Front.Start) + at.Line - 1
		report(Problem{At: s.Src.Line(min(line, s.Src.Lines())), Text: fmt.Sprintf(format, args...), Severity: Error,
			Hint: "write event: [{matcher: Bash, hooks: [{type: command, command: …}]}], as in the example of this rule"})
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		problem(n, "hooks is %s, want events with their matchers", kindName(n))
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		event, matchers := n.Content[i], n.Content[i+1]
		if matchers.Kind == yaml.AliasNode {
			matchers = matchers.Alias
		}
		switch {
		case !hostEvents.has(event.Value):
			text := fmt.Sprintf("Claude Code %s has no hook event %s", hostVersion, event.Value)
			for _, known := range sortedNames(hostEvents.words()) {
				if wording.Distance(strings.ToLower(known), strings.ToLower(event.Value)) <= 2 {
					text += "; did you mean " + known + "?"
					break
				}
			}
			line := s.Src.LineAt(s.Front.Start) + event.Line - 1
			report.at(s.Src.Line(min(line, s.Src.Lines())), "%s", text)
			continue
		case matchers.Kind != yaml.SequenceNode:
			problem(event, "hooks.%s is %s, want a list of matchers", event.Value, kindName(matchers))
			continue
		}
		for _, m := range matchers.Content {
			hooks := valueOf(m, "hooks")
			if hooks == nil || hooks.Kind != yaml.SequenceNode {
				problem(m, "hooks.%s: a matcher has no list of hooks", event.Value)
				continue
			}
			for _, h := range hooks.Content {
				kind := ""
				if t := valueOf(h, "type"); t != nil {
					kind = t.Value
				}
				switch need := hookNeeds[kind]; {
				case need == "":
					problem(h, "hooks.%s: a hook's type is %q, want agent, command, http, mcp_tool or prompt", event.Value, kind)
				case valueOf(h, need) == nil:
					problem(h, "hooks.%s: a hook of type %s has no %s", event.Value, kind, need)
				}
			}
		}
	}
}

var hookNeeds = map[string]string{
	"command": "command", "prompt": "prompt", "agent": "prompt", "http": "url", "mcp_tool": "tool",
}

var hostEvents = set(`PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit
	UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact
	PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted
	Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged
	DirectoryAdded MessageDisplay PreSkillShellCommand`)

func valueOf(n *yaml.Node, key string) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
