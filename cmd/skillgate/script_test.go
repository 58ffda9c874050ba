package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/hot"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/golden"
	"github.com/skillgate/skillgate/gate/system"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"skillgate": main, "fatal": fatal})
}

func fatal() {
	hot.NewProcess()
	fmt.Println(len(make([]byte, 1<<47-1)))
}

func TestRuntimeFatalErrorsDoNotEndWithTwo(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe)
	cmd.Args[0] = "fatal"
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !bytes.Contains(out, []byte("fatal error")) {
		t.Fatalf("fatal ends with %v and prints %.200q, want a fatal error of the runtime", err, out)
	}
	assert.NotEqual(t, 2, exit.ExitCode())
}

// Each script runs in its own folder, with a HOME in which a few skills are installed, and with the programs as they
// are installed. Thresholds are 0, so that suggestions do not depend on calibration. Besides the commands of
// testscript there are three:
//
//	answer          stdout of the last command is empty or one answer of a hook
//	past FILE       run hook and observe on each line of FILE, "SESSION | PROMPT" or "SESSION | PROMPT | SKILL":
//	                the model used that skill, and the turn has ended
//	status N CMD…   run CMD, whose exit status must be N
func TestScripts(t *testing.T) {
	prefix := t.TempDir()
	called := filepath.Join(prefix, "bin", "skillgate")
	require.NoError(t, os.Mkdir(filepath.Dir(called), 0o700))
	out, err := exec.Command("go", "run", "-exec", "cp", "../skillgate-hook", called).CombinedOutput()
	require.NoError(t, err, string(out))
	self, err := os.Executable()
	require.NoError(t, err)
	complete := system.CompleteProgram(called)
	require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(complete), 0o700), os.Symlink(self, complete)))
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("..", "..", "testdata", "script"),
		UpdateScripts: *golden.Update,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("SKILLGATE_NEED_MIN", "0")
			e.Setenv("SKILLGATE_SCORE_MIN", "0")
			e.Setenv("SKILLGATE_DEADLINE_MS", "4000")
			if raceDetector {
				e.Setenv("GORACE", raceOptions)
			}
			e.Setenv("PATH", filepath.Dir(called)+string(filepath.ListSeparator)+e.Getenv("PATH"))
			cache := filepath.Join(home, ".cache", "skillgate")
			return errors.Join(disk.Ensure(cache, disk.Cache), os.Mkdir(filepath.Join(cache, "attempt"), 0o700),
				someSkills(filepath.Join(home, ".claude", "skills")))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"answer": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) > 0 {
					ts.Fatalf("usage: answer")
				}
				ts.Check(isAnswer([]byte(ts.ReadFile("stdout"))))
			},
			"past": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: past file")
				}
				begun := map[string]bool{}
				for i, line := range strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n") {
					fields := append(strings.Split(line, " | "), "", "")
					session, prompt, skill, id := fields[0], fields[1], fields[2], fmt.Sprint(args[0], i)
					if !begun[session] {
						begun[session] = true
						ts.Check(event(ts, "observe", "SessionStart", session, id, nil))
					}
					ts.Check(event(ts, "hook", "UserPromptSubmit", session, id, map[string]any{"prompt": prompt}))
					if skill != "" {
						ts.Check(event(ts, "observe", "PostToolUse", session, id, map[string]any{"tool_name": "Skill",
							"tool_input": map[string]string{"skill": skill}, "tool_use_id": id}))
					}
					ts.Check(event(ts, "observe", "Stop", session, id, nil))
				}
			},
			"status": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) < 2 {
					ts.Fatalf("usage: status N command…")
				}
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				err = ts.Exec(args[1], args[2:]...)
				got := 0
				if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
					got = exit.ExitCode()
				} else if err != nil {
					ts.Fatalf("%v", err)
				}
				if got != want {
					ts.Fatalf("exit status %d, want %d", got, want)
				}
			},
		},
	})
}

func event(ts *testscript.TestScript, command, name, session, prompt string, more map[string]any) error {
	in := map[string]any{"hook_event_name": name, "session_id": session, "prompt_id": prompt, "cwd": ts.Getenv("WORK")}
	maps.Copy(in, more)
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	file := ts.MkAbs("event.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	return ts.Exec("sh", "-c", "exec skillgate "+command+" < event.json")
}

func isAnswer(out []byte) error {
	if len(out) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	dec.DisallowUnknownFields()
	var answer struct {
		Message  string `json:"systemMessage"`
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := dec.Decode(&answer); err != nil {
		return err
	}
	if answer.Specific.Context == "" != (answer.Specific.Event == "") || answer.Specific.Context+answer.Message == "" {
		return errors.New("an answer to neither the model nor the person")
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more than one object")
	}
	return nil
}
