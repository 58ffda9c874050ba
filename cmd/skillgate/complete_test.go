package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func TestCompletions(t *testing.T) {
	tests := []struct {
		name  string
		words []string // the last is being typed
		want  string   // among the lines
		not   string
	}{
		{"a command", []string{"que"}, "query\tShow what the hook would decide about a prompt", "stats"},
		{"a flag", []string{"query", "--exp"}, "--explain\tshow which term met which field, and what it scored", "--json"},
		{"a skill", []string{"stats", "tea"}, "tea-brewing", "knots"},
		{"a skill for a filter", []string{"log", "--skill", ""}, "knots", ""},
		{"a rule", []string{"lint", "--rule", "SG10"}, "SG104", "SG203"},
		{"a rule to explain", []string{"lint", "rules", "SG20"}, "SG203", "SG104"},
		{"a setting", []string{"replay", "--set", "rerank.b"}, "rerank.blend=", "rerank.model="},
		{"a set of the bench", []string{"bench", "--set", "top"}, "top_k=", "need_min="},
		{"a verdict", []string{"log", "--verdict", "s"}, "silent", "inject"},
		{"a reason", []string{"log", "--reason", "below_n"}, "below_need_min", "ack"},
		{"a severity", []string{"lint", "--fail-on", ""}, "off", ""},
		{"a host", []string{"install", "--host", "co"}, "codex", "claude"},
		{"a level of the log", []string{"log", "prune", "--prompts", ""}, "hash", "full"},
		{"a skill to describe", []string{"lint", "suggest", "tea"}, "tea-brewing", "knots"},
		{"a folder after the skill", []string{"lint", "suggest", "knots", "k"}, ":0", "knots"},
		{"a skill with a design", []string{"ir", "check", "k"}, "knots", "tea-brewing"},
		{"a folder", []string{"log", "--project", ""}, ":16", ":0"},
		{"a number", []string{"log", "--last", ""}, ":4", ":0"},
		{"no argument", []string{"doctor", ""}, ":4", ":0"},
		{"a prompt", []string{"query", "--", ""}, ":4", ":0"},
		{"a file of prompts", []string{"bench", "--prompts", ""}, ":0", "hash"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := apptest.New(t)
			for _, skill := range []string{"tea-brewing", "knots"} {
				h.Write(t, h.Dir+"/.claude/skills/"+skill+"/SKILL.md", "---\nname: "+skill+"\ndescription: About "+skill+".\n---\n", 0o600)
			}
			h.Args = append([]string{"__complete"}, tt.words...)
			code := h.App.Run(newRoot(h.App))
			lines := strings.Split(h.Out.String(), "\n")
			if code != 0 || !slices.Contains(lines, tt.want) || slices.Contains(lines, tt.not) && tt.not != "" {
				t.Errorf("completing %q = %d, %q; want %q and not %q", tt.words, code, lines, tt.want, tt.not)
			}
		})
	}
}

// Real shells complete what was typed: with its script, each asks the program.
func TestShellsComplete(t *testing.T) {
	h := apptest.New(t)
	for _, skill := range []string{"tea-brewing", "tea-tasting", "knots"} {
		h.Write(t, h.Dir+"/.claude/skills/"+skill+"/SKILL.md", "---\nname: "+skill+"\ndescription: About "+skill+".\n---\n", 0o600)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(self, filepath.Join(folder, "skillgate")); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ typed, want string }{
		{"skillgate stats tea", "tea-brewing tea-tasting"},
		{"skillgate lint suggest k", "knots"},
		{"skillgate lint rules SG10", "SG100 SG101 SG102 SG103 SG104 SG105 SG106 SG107 SG108 SG109"},
		{"skillgate replay --set need", "need_min="},
		{"skillgate expl", ""},
	}
	for shell, script := range map[string]string{
		"bash": `. /usr/share/bash-completion/bash_completion; . <(skillgate completion bash)
COMP_LINE=$1 COMP_POINT=${#1}; read -ra COMP_WORDS <<<"$1"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_TYPE=63
compopt() { :; }; __start_skillgate; echo "${COMPREPLY[@]%% *}"`,
		"fish": `skillgate completion fish | source; complete -C "$argv[1]" | string replace -r "\\t.*" ""; true`,
	} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("no %s here", shell)
			continue
		}
		if _, err := os.Stat("/usr/share/bash-completion/bash_completion"); shell == "bash" && err != nil {
			t.Log("no bash-completion here")
			continue
		}
		for _, tt := range tests {
			args := []string{"-c", script, "complete", tt.typed}
			if shell == "fish" {
				args = []string{"--no-config", "-c", script, tt.typed}
			}
			cmd := exec.Command(shell, args...)
			cmd.Dir, cmd.Env = h.Dir, []string{"HOME=" + h.Dir, "PATH=" + folder + ":/usr/bin:/bin", "LC_ALL=C.UTF-8"}
			out, err := cmd.CombinedOutput()
			got := strings.Fields(string(out))
			slices.Sort(got)
			if strings.Join(got, " ") != tt.want || err != nil {
				t.Errorf("%s completes %q to %q, %v, want %q", shell, tt.typed, out, err, tt.want)
			}
		}
	}
}
