package doctor

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate/internal/self"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/register"
)

const plugin = "plugin"

// registration checks skillgate's handlers in Claude Code's files and returns the hook's command, or nil if
// there is none to run.
func (c *checkup) registration(elsewhere int) *trialCommand {
	const check = "registration"
	var installed []register.Found
	var where []hostfile.File
	for _, f := range c.files {
		if f.Err != nil || !f.Plain {
			continue
		}
		for _, h := range f.Found {
			if h.Event == hooks.Claude.PromptEvent && h.Args[0] == "hook" {
				installed, where = append(installed, h), append(where, f)
			}
		}
	}
	if len(installed) == 0 {
		status, fix := statusFail, "skillgate install"
		if elsewhere > 0 && hooks.Claude.Present(c.dirs.Home, c.Getenv) {
			status = statusWarn
		} else if elsewhere > 0 {
			status, fix = statusOK, ""
		}
		c.add(check, status, fix, "the hook is not registered: no settings file of Claude Code and no plugin contains it")
		return nil
	}
	for i, h := range installed[1:] {
		if !h.Same(installed[0].Handler) || where[i+1].Scope == plugin {
			fix := "skillgate uninstall --scope " + where[i+1].Scope
			if where[i+1].Scope == plugin {
				fix = "run `skillgate install --plugin`, or `skillgate uninstall --scope " + where[0].Scope + "`"
			}
			c.add(check, statusFail, fix,
				"%s:%d and %s:%d both register the hook, so prompts are answered twice and uses are recorded twice", where[0].Path,
				installed[0].Line, where[i+1].Path, h.Line)
		}
	}
	h, file := installed[0], where[0]
	again := self.Again(&hooks.Claude, file.Scope)
	for i, f := range where {
		if f.Scope != plugin { // c.plugin checks the plugin's files
			c.upToDate(check, &hooks.Claude, hooks.SettingsFile{Scope: f.Scope, Path: f.Path}, f.Text, installed[i])
		}
	}
	switch {
	case h.If != "":
		c.add(check, statusFail, again, "the hook in %s:%d has an \"if\" condition, so it never runs on a prompt",
			file.Path, h.Line)
		return nil
	case h.Async:
		c.add(check, statusFail, again, "the hook in %s:%d is async, so its answer comes a turn too late", file.Path, h.Line)
		return nil
	}
	program, err := c.program(h.Command)
	if err != nil {
		c.add(check, statusFail, again, "%s:%d registers a program that cannot be run: %v", file.Path, h.Line, err)
		return nil
	}
	if self, err := self.Path(c.App); err == nil && !c.same(self, program) {
		c.add(check, statusWarn, again, "%s:%d runs %s, but you are running %s", file.Path, h.Line, program, self)
	} else {
		c.add(check, statusOK, "", "%s:%d runs %s", file.Path, h.Line, program)
	}
	if self.Temporary(c.App, program) {
		c.add(check, statusWarn, fmt.Sprintf(c.T("install the binary in a permanent folder, then run %s"), again),
			"%s is in a temporary or build folder and may disappear", program)
	}
	cmd, ok := c.toRun(check, again, hooks.SettingsFile{Scope: file.Scope, Path: file.Path}, program, h)
	if !ok {
		return nil
	}
	if t := time.Duration(h.Timeout) * time.Second; t > 0 && t < cmd.Timeout {
		cmd.Timeout = t
	}
	return &cmd
}

func (c *checkup) program(command string) (string, error) {
	command = strings.ReplaceAll(command, "${CLAUDE_PROJECT_DIR}", gate.ProjectDir(c.Cwd, c.dirs))
	command = strings.ReplaceAll(command, "$CLAUDE_PROJECT_DIR", gate.ProjectDir(c.Cwd, c.dirs))
	if filepath.IsAbs(command) {
		if _, err := os.Stat(command); err != nil {
			return "", err
		}
		if system.Executable(command) == "" {
			return "", fmt.Errorf("%s is not executable", command)
		}
		return command, nil
	}
	if found := system.OnPath(command, c.Getenv("PATH")); found != "" {
		return found, nil
	}
	return "", fmt.Errorf("%s is not on PATH", command)
}

// same reports whether the registered program is the running one, or a copy of it that install made for a
// package runner.
func (c *checkup) same(running, registered string) bool {
	if sameFile(running, registered) {
		return true
	}
	if !self.Passing(running) || registered != self.Lasting(c.dirs.Home) {
		return false
	}
	a, errA := os.ReadFile(running)
	b, errB := os.ReadFile(registered)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

func (c *checkup) answers(ctx context.Context, cmd trialCommand) {
	const check = "hook"
	var times []time.Duration
	var last trialRun
	answered := 0
	for i := range hookRuns {
		// Each run has its own session, because a repeated prompt is not answered.
		last = c.probe.hook(ctx, cmd, trialPrompt(&hooks.Claude, fmt.Sprintf("skillgate-doctor-%d", i), c.Cwd, aPrompt))
		if err := last.check(&hooks.Claude); err != nil {
			c.add(check, statusFail, "run `skillgate query \"review the pull request\"` to see what is wrong",
				"the hook failed on a test prompt: %v", err)
			return
		}
		times = append(times, last.Took)
		if len(last.Stdout) > 0 {
			answered++
		}
	}
	slices.Sort(times)
	median := times[len(times)/2]
	text := fmt.Sprintf(c.T("test prompts: %d (exit status 0), answered: %d, last answer: %d bytes, median time: %.1f ms"),
		hookRuns, answered, len(last.Stdout), float64(median.Microseconds())/1000)
	if median > slowHook {
		c.add(check, statusWarn, "run `skillgate index --full`, or lower deadline_ms",
			"%s; the median should be at most %d ms", text, slowHook.Milliseconds())
	} else {
		c.add(check, statusOK, "", "%s", text)
	}
	greeting := c.probe.hook(ctx, cmd, trialPrompt(&hooks.Claude, "skillgate-doctor-greeting", c.Cwd, "안녕하세요!"))
	switch err := greeting.check(&hooks.Claude); {
	case err != nil:
		c.add(check, statusFail, "report this as a bug", "the hook failed on a greeting: %v", err)
	case len(greeting.Stdout) > 0:
		c.add(check, statusWarn, "check that the settings score_min and need_min are not too low",
			"the hook answered a greeting with %d bytes; it should print nothing", len(greeting.Stdout))
	}
}

func (c *checkup) survives(ctx context.Context, cmd trialCommand) {
	const check = "bad input"
	whole := trialPrompt(&hooks.Claude, "skillgate-doctor-bad", c.Cwd, "review the pull request")
	for _, in := range []struct{ name, text string }{
		{"empty input", ""},
		{"input that is not JSON", "hello\x00\xff"},
		{"truncated input", whole[:len(whole)-20]},
	} {
		if err := c.probe.hook(ctx, cmd, in.text).check(&hooks.Claude); err != nil {
			c.add(check, statusFail, "report this as a bug", "%s: %v", in.name, err)
			return
		}
	}
	c.add(check, statusOK, "", "the hook exits with status 0 on empty, invalid and truncated input")
}
