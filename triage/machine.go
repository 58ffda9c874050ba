package triage

import "strings"

// machine returns the kind of a trimmed prompt that no person typed: notifications of finished work, transcripts of
// commands and shell lines, messages of other agents, scheduled and resumed turns.
func machine(s string) (Kind, bool) {
	if s == "" {
		return Empty, true
	}
	switch s[0] {
	case '<':
		if strings.HasPrefix(s, "<<autonomous-loop") {
			return Machine, true
		}
		return Machine, machineTag(tagName(s))
	case '[':
		return Machine, hasAnyPrefix(s, "[Request interrupted", "[SYSTEM NOTIFICATION", "[SUGGESTION MODE:", "[System:",
			"[Tool use interrupted")
	case '-', '=', '#', '"', '`':
		return "", false
	}
	if i := strings.Index(s[:min(len(s), 80)], " hook"); i >= 0 && hookReport(s, i) {
		return Machine, true
	}
	return Machine, hasAnyPrefix(s, "Caveat: The messages below were generated",
		"Another Claude session sent a message", "The coordinator sent a message",
		"This session is being continued from a previous conversation", "No response requested.",
		"Your task is to create a detailed summary of the conversation", "A scheduled task has fired",
		"Scheduled task fired", "Background task completed", "Background command \"")
}

func machineTag(name string) bool {
	switch name {
	case "task-notification", "task-notifications", "task-status", "background-task", "monitor-event", "command-name",
		"command-message", "command-args", "command-contents", "command-stdout", "local-command-stdout",
		"local-command-stderr", "local-command-caveat", "local-command", "bash-input", "bash-stdout", "bash-stderr",
		"bash-notification", "teammate-message", "agent-message", "peer-message", "cross-session-message",
		"agent-notification", "scheduled-task", "scheduled-tasks", "tick", "autonomous-loop", "user-memory-input",
		"new-diagnostics", "persisted-output", "fork-boilerplate", "remote-review", "environment_context",
		"turn_aborted", "subagent_notification", "user-prompt-submit-hook", "session-start-hook",
		"post-tool-use-hook", "pre-tool-use-hook", "stop-hook", "hook-feedback":
		return true
	}
	return hasAnyPrefix(name, "command-", "local-command-")
}

func tagName(s string) string {
	for i := 1; i < len(s) && i < 40; i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', c == '-', c == '_':
		case c == '>', c == ' ', c == '\n', c == '/':
			return s[1:i]
		default:
			return ""
		}
	}
	return ""
}

func hookReport(s string, i int) bool {
	if !hasAnyPrefix(s[i:], " hook feedback", " hook error", " hook blocking", " hook success", " hook additional context",
		" hook stopped") {
		return false
	}
	switch name, _, _ := strings.Cut(s[:i], ":"); name {
	case "Stop", "SubagentStop", "PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "PreCompact",
		"PostToolBatch", "TeammateIdle", "TaskCompleted", "TaskCreated":
		return true
	}
	return false
}

// dropContext removes the blocks that the host or an editor puts before a typed prompt. It returns "" if s consists
// of such blocks only.
func dropContext(s string) string {
	for strings.HasPrefix(s, "<") {
		name := tagName(s)
		switch name {
		case "system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "session-context":
		default:
			return s
		}
		end := strings.Index(s, "</"+name+">")
		if end < 0 {
			return ""
		}
		s = strings.TrimSpace(s[end+len(name)+3:])
	}
	return s
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
