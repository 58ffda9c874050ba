package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/hooks"
)

type trialCommand struct {
	Argv    []string
	Timeout time.Duration
}

type trialRun struct {
	Stdout, Stderr []byte
	Code           int
	Took           time.Duration
	Err            error // the command could not be started or did not end in time
}

// trialPrompt returns the hook's input for a prompt. hooks.Read accepts Claude Code's member names for every host.
func trialPrompt(host *hooks.Host, session, folder, prompt string) string {
	in := map[string]string{
		"session_id": session, "transcript_path": "", "cwd": folder, "prompt_id": session,
		"permission_mode": "default", "hook_event_name": host.PromptEvent, "prompt": prompt,
	}
	if host.Mark != "" {
		in[host.Mark] = session
	}
	text, _ := json.Marshal(in) // encoding strings never fails
	return string(text)
}

// check returns an error unless the exit status is 0 and the output is empty or an answer in the format of host.
func (r trialRun) check(host *hooks.Host) error {
	switch {
	case r.Err != nil:
		return r.Err
	case r.Code != 0:
		return fmt.Errorf("exit status %d instead of 0: %s", r.Code, firstLine(r.Stderr))
	case len(bytes.TrimSpace(r.Stdout)) == 0:
		return nil
	}
	const mark = "CONTEXT"
	want, err := hooks.Answer(hooks.Input{Host: host, Event: host.PromptEvent}, mark)
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(string(want), mark)
	rest, ok := strings.CutSuffix(string(r.Stdout), after)
	_, context, found := strings.Cut(rest, strings.TrimPrefix(before, "{")) // a message to the user may come first
	if !ok || !found || context == "" || json.Valid(want) && !json.Valid(r.Stdout) {
		return fmt.Errorf("stdout is not an answer that %s accepts: %s", host.Title, firstLine(r.Stdout))
	}
	return nil
}

func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return string(line)
}

// start runs the command in folder as the host does, except that the state folder is temporary, so that the journal and
// the sessions stay unchanged, and that reranking is off, because its helper serves only one state folder.
func (c trialCommand) start(ctx context.Context, folder string, environ []string, stdin string) trialRun {
	state, err := disk.NewTemp("", "skillgate-doctor-")
	if err != nil {
		return trialRun{Err: fmt.Errorf("create scratch folder: %w", err)}
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
		r.Err = fmt.Errorf("the hook did not exit within %v", c.Timeout)
	case errors.As(err, &exit) && exit.Exited():
		r.Code = exit.ExitCode()
	case err != nil:
		r.Err = fmt.Errorf("run %s: %w", strings.Join(c.Argv, " "), err)
	}
	return r
}
