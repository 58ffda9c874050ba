package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func TestHomeThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for _, used := range []bool{true, false} {
		m := newSandbox(t)
		if used {
			for _, args := range [][]string{{"index"}, {"log"}} {
				r := m.run(args...)
				require.Equal(t, 0, r.code, "%v: status %d, %s", args, r.code, r.stderr)
				m.hook(payload(securityPrompt + " after " + args[0]))
			}
		}
		skill := filepath.Join(m.home, ".claude", "skills", "release-notes", "SKILL.md")
		text, err := os.ReadFile(skill)
		if err == nil {
			err = os.WriteFile(skill, append(text, "Sail boats.\n"...), 0o600)
		}
		require.NoError(t, err)
		run := m.readOnly()
		unchanged := (&apptest.Decoys{TB: t}).Watch(m.home)
		for _, line := range []string{
			"log", "stats", "log export", "report --quick --output OUT/q.html", "report --output OUT/r.html", "advise", "experiment",
			"replay", "replay --set need_min=.6", "query " + securityPrompt, "query --library LIBRARY x", "synonyms explain board",
			"lint LIBRARY", "tax", "doctor --json", "rerank stop", "ir init LIBRARY/release-notes", "enrich --dry-run", "version",
		} {
			r := run("", line)
			if line == "doctor --json" {
				var report struct {
					Findings []struct{ Check, Status string }
				}
				require.NoError(t, json.Unmarshal([]byte(r.stdout), &report))
				for _, f := range report.Findings {
					if (f.Check == "folders" || f.Check == "index" || f.Check == "journal") && f.Status == "ok" {
						t.Errorf("doctor says that %s is ok", f.Check)
					}
				}
				continue
			}
			if none := !used && strings.HasPrefix(line, "replay"); r.code > 1 && !none {
				t.Errorf("%s: status %d, %s", line, r.code, r.stderr)
			}
			switch strings.Fields(line)[0] {
			case "log", "stats", "report", "advise", "experiment", "query":
				assert.Regexp(t, "cannot be written|not writable", r.stderr, line)
			}
		}
		for _, line := range []string{
			"index", "index --full", "log prune --prompts none --yes", "synonyms add 결재판 board", "experiment start", "calibrate --reset",
			"install --yes", "ir init --write LIBRARY/release-notes",
		} {
			if r := run("", line); r.code != 3 || !strings.Contains(r.stderr, "writable") || !strings.Contains(r.stderr, m.home) {
				t.Errorf("%s: status %d, %q, want 3 and the folder that must be writable", line, r.code, r.stderr)
			}
		}
		r := m.checked(run(payload(securityPrompt), "hook"))
		assert.Equal(t, strings.Contains(r.stdout, "pr-security-review"), used, r.stdout)
		unchanged()
	}
}

func (m *sandbox) readOnly() func(stdin, line string) ended {
	t := m.t
	out, program := t.TempDir(), filepath.Join(t.TempDir(), "skillgate")
	const nobody = 65534
	root := os.Geteuid() == 0
	text, err := os.ReadFile("/proc/self/exe")
	if err == nil {
		err = os.WriteFile(program, text, 0o755)
	}
	err = errors.Join(err, os.Chmod(filepath.Dir(m.home), 0o755), os.Chmod(out, 0o777))
	err = errors.Join(err, filepath.WalkDir(m.home, func(path string, d fs.DirEntry, err error) error {
		info, ierr := d.Info()
		if err = errors.Join(err, ierr); err == nil {
			err = os.Chmod(path, info.Mode().Perm()&^0o222)
		}
		if root {
			err = errors.Join(err, os.Chown(path, nobody, nobody))
		}
		if d.IsDir() {
			t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
		}
		return err
	}))
	require.NoError(t, err)
	m.env = append(m.env, "TMPDIR="+out)
	words := strings.NewReplacer("OUT", out, "HOME", m.home, "LIBRARY", filepath.Join(m.home, ".claude", "skills"))
	return func(stdin, line string) ended {
		cmd := m.command(strings.NewReader(stdin), strings.Fields(words.Replace(line))...)
		cmd.Path = program
		if root {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
		return m.finish(cmd)
	}
}
