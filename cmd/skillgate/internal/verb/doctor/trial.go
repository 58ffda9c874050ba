package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/hooks"
)

// trialCommand is a command as the host would start it.
type trialCommand struct {
	Argv    []string
	Timeout time.Duration
}

type trialRun struct {
	Stdout, Stderr []byte
	Code           int
	Took           time.Duration
	Err            error // it could not be started, or was stopped
}

// trialPrompt is the input of the hook for a prompt of a session in a folder, as host sends it or, where that
// calls members otherwise, as Claude Code would.
func trialPrompt(host *hooks.Host, session, folder, prompt string) string {
	in := map[string]string{
		"session_id": session, "transcript_path": "", "cwd": folder, "prompt_id": session,
		"permission_mode": "default", "hook_event_name": host.PromptEvent, "prompt": prompt,
	}
	if host.Mark != "" {
		in[host.Mark] = session
	}
	text, _ := json.Marshal(in) // strings always encode
	return string(text)
}

// CheckFor says how a run breaks the contract with host: exit status 0, and on standard output nothing
// or the host's answer.
func (r trialRun) CheckFor(host *hooks.Host) error {
	if host == &hooks.Claude {
		return r.Check()
	}
	if err := r.ended(); err != nil || len(r.Stdout) == 0 {
		return err
	}
	want, err := hooks.Answer(hooks.Input{Host: host, Event: host.PromptEvent}, mark)
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(string(want), mark)
	if out := string(r.Stdout); !strings.HasPrefix(out, before) || !strings.HasSuffix(out, after) ||
		len(out) <= len(want)-len(mark) {
		return fmt.Errorf("stdout is not the answer that %s reads: %s", host.Title, firstLine(r.Stdout))
	}
	return nil
}

const mark = "CONTEXT"

func (r trialRun) ended() error {
	switch {
	case r.Err != nil:
		return r.Err
	case r.Code != 0:
		return fmt.Errorf("exit status %d, want 0: %s", r.Code, firstLine(r.Stderr))
	}
	return nil
}

// Check says how a run breaks the contract with Claude Code: exit status 0, and on standard
// output nothing or one object with the nested answer, and maybe a message to the person.
func (r trialRun) Check() error {
	if err := r.ended(); err != nil || len(bytes.TrimSpace(r.Stdout)) == 0 {
		return err
	}
	var out struct {
		Message  string `json:"systemMessage"` // to the person
		Specific *struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	dec := json.NewDecoder(bytes.NewReader(r.Stdout))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		return fmt.Errorf("stdout is not the answer's JSON: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("stdout holds more than one JSON object")
	}
	switch {
	case out.Specific == nil:
		return errors.New("stdout has no hookSpecificOutput")
	case out.Specific.Event != hooks.Claude.PromptEvent:
		return fmt.Errorf("hookEventName is %q, want %s", out.Specific.Event, hooks.Claude.PromptEvent)
	case out.Specific.Context == "":
		return errors.New("additionalContext is empty, want text or no answer at all")
	}
	if n := clip.UTF16(out.Specific.Context); n > maxAnswerChars {
		return fmt.Errorf("additionalContext has %d characters, limit %d", n, maxAnswerChars)
	}
	return nil
}

// maxAnswerChars is the limit of what a prompt may cost, in characters.
const maxAnswerChars = 2000

func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return string(line)
}

// Start runs the command as the host does in a folder, but with a state folder of its own, so
// that neither journal nor session memory learn of it, and without reranking, whose helper
// serves one state folder.
func (c trialCommand) Start(ctx context.Context, folder string, environ []string, stdin string) trialRun {
	state, err := disk.NewTemp("", "skillgate-doctor-")
	if err != nil {
		return trialRun{Err: fmt.Errorf("make scratch folder: %w", err)}
	}
	defer state.Remove()
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	p := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	p.Dir = folder
	p.Env = append(slices.Clone(environ), "XDG_STATE_HOME="+state.Path, "SKILLGATE_RERANK_ENABLED=false")
	p.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	p.Stdout, p.Stderr = &stdout, &stderr
	p.WaitDelay = time.Second
	start := time.Now()
	err = p.Run()
	r := trialRun{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Took: time.Since(start)}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		r.Err = fmt.Errorf("did not end within %v", c.Timeout)
	case errors.As(err, &exit) && exit.Exited():
		r.Code = exit.ExitCode()
	case err != nil:
		r.Err = fmt.Errorf("run %s: %w", strings.Join(c.Argv, " "), err)
	}
	return r
}
