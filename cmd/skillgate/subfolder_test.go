package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page of a subfolder's skill that shares its name is its own before the host has told what it
// calls it, and a name with another folder is nobody's.
func TestPageOfASubfoldersSkill(t *testing.T) {
	m := newSandbox(t)
	repo := filepath.Join(m.home, "repo")
	web := filepath.Join(repo, "packages", "web", ".claude", "skills")
	write := func(file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := func(stdin string, args ...string) ended {
		t.Helper()
		cmd := m.command(strings.NewReader(stdin), args...)
		cmd.Dir = repo
		return m.finish(cmd)
	}
	write(filepath.Join(repo, ".git", "HEAD"), "")
	for _, root := range []string{filepath.Join(repo, ".claude", "skills"), web} {
		write(filepath.Join(root, "moor", "SKILL.md"), "---\nname: moor\ndescription: Moors boats at the quay.\n---\nMoor.\n")
	}
	transcript := filepath.Join(m.home, "t.jsonl")
	write(transcript, `{"parentUuid":"u1","attachment":{"type":"dynamic_skill","skillDir":"`+web+
		`","skillNames":["moor"],"displayPath":"packages/web/.claude/skills"},"type":"attachment","uuid":"f1","timestamp":"2026-03-04T15:00:01Z"}`+"\n")
	for _, args := range [][]string{
		{`{"session_id":"s1","prompt_id":"p1","hook_event_name":"Stop","cwd":%q,"transcript_path":%q}`, "observe"},
		{"", "index", "--below", web},
		{`{"session_id":"s1","prompt_id":"p2","hook_event_name":"UserPromptSubmit","cwd":%q,"prompt":"moor the boats"}`, "hook"},
	} {
		if strings.Contains(args[0], "transcript") {
			args[0] = fmt.Sprintf(args[0], repo, transcript)
		} else if args[0] != "" {
			args[0] = fmt.Sprintf(args[0], repo)
		}
		if r := in(args[0], args[1:]...); r.code != 0 {
			t.Fatalf("%s: status %d\n%s", args[1], r.code, r.stderr)
		}
	}
}
