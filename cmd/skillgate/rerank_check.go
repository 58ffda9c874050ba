package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/model"
)

func newRerankCheckCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check helper, model, library and socket, with checksums and a run of the model",
		Long: `check looks at what reranking needs, in this order: the helper's program, the
installed model and its checksums, ONNX Runtime and a run of the model on a few
plain questions, and the socket on which the helper answers. Each line that does
not start with a tick is followed by what to do. ` + "`skillgate doctor`" + ` checks the same
where reranking is on.

Exit status: 0 all is well, 1 something is missing or slow, 3 the check failed.`,
		Example: `  skillgate rerank check
  ONNXRUNTIME_LIB=/opt/onnxruntime/lib skillgate rerank check`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, s, err := e.placesAndSettings()
			if err != nil {
				return err
			}
			good := true
			for _, f := range e.rerankFindings(cmd.Context(), d, s) {
				mark := "✓"
				if f.Status != statusOK {
					mark, good = "✗", false
				}
				fmt.Fprintf(e.stdout, "%s %s\n", mark, f.Text)
				if f.Fix != "" {
					fmt.Fprintf(e.stdout, "  %s\n", f.Fix)
				}
			}
			if !s.Rerank.Enabled {
				fmt.Fprintln(e.stdout, "· off: rerank.enabled is not set")
			}
			if !good {
				return &exitError{code: 1}
			}
			return nil
		},
	}
}

// rerank adds what keeps reranking, where it is on, from its work. The hook does
// its own without it: nothing here is worse than a warning.
func (c *checkup) rerank(ctx context.Context) {
	if c.settings.Rerank.Enabled {
		c.findings = append(c.findings, c.rerankFindings(ctx, c.dirs, c.settings)...)
	}
}

// rerankFindings checks helper, model, library and socket, one finding each, and
// stops where the next needs what is missing.
func (e *env) rerankFindings(ctx context.Context, d dirs.Dirs, s gate.Settings) (out []doctorFinding) {
	add := func(fix, format string, args ...any) {
		f := doctorFinding{Check: "rerank", Status: statusOK, Text: fmt.Sprintf(format, args...), Fix: fix}
		if fix != "" {
			f.Status = statusWarn
		}
		out = append(out, f)
	}
	program, err := e.rerankHelper()
	if err != nil {
		add(helperHint, "helper: %v", err)
		return out
	}
	switch v, err := helperVersion(ctx, program); {
	case err != nil:
		add(helperHint, "helper: %s: %v", program, err)
		return out
	case v != build.Read().Version:
		add(helperHint, "helper: %s is version %s, skillgate %s", program, v, build.Read().Version)
	default:
		add("", "helper: %s, same version as skillgate", program)
	}
	m, err := model.Load(rerankStore(d), s.Rerank.Model)
	if err == nil {
		err = m.Verify()
	}
	if err != nil {
		add(modelFix(d, s), "model: %v", err)
		return out
	}
	add("", "model: %s (%s, %.1f MB), checksums right", m.Name, m.Tokenizer, float64(m.Bytes)/(1<<20))
	p, err := e.rerankProbe(ctx, program, m.Dir, s.Rerank.Library)
	if err != nil {
		fix := modelFix(d, s)
		switch text := err.Error(); {
		case strings.Contains(text, brokeDown):
			fix = "set rerank.library to another libonnxruntime; if that does not help, install another model"
		case strings.Contains(text, "libonnxruntime"):
			fix = "set rerank.library or ONNXRUNTIME_LIB to libonnxruntime 1.24 or newer, or install it: ./install.sh --with-rerank"
		}
		add(fix, "library and run: %v", err)
		return out
	}
	fix := ""
	if least := 2 * rerank.ShortPair * p.MsPerToken / rerank.Share; least > float64(s.Rerank.DeadlineMs) {
		fix = fmt.Sprintf("set rerank.deadline_ms to %.0f or more (now %d), or install a smaller model or one in int8", least, s.Rerank.DeadlineMs)
	}
	add(fix, "library and run: ONNX Runtime %s (%s), %d of %d plain questions right, loaded in %.0f ms, %s",
		p.Runtime, p.Library, p.Right, p.Asked, p.LoadMs, perPair(p.MsPerToken))
	fix, text := e.rerankSocket(d, s)
	add(fix, "socket: %s", text)
	return out
}

// modelFix says how to get a model that can be used.
func modelFix(d dirs.Dirs, s gate.Settings) string {
	names, err := model.List(rerankStore(d))
	if err == nil && len(names) > 1 && s.Rerank.Model == "" {
		return "set rerank.model to one of " + strings.Join(names, ", ") + ", or install it again: skillgate rerank install DIR"
	}
	return "install it (again): skillgate rerank install DIR"
}

// manyRefusals is how many a helper may have before they count: on a busy machine
// single prompts find no time.
const manyRefusals = 10

// rerankSocket says who answers on the socket; fix is "" where that is as it
// should be.
func (e *env) rerankSocket(d dirs.Dirs, s gate.Settings) (fix, text string) {
	c := e.rerankConfig(d, s)
	if err := c.Place.Check(os.Getuid()); err != nil {
		return "remove " + c.Place.Dir + "; the next start makes it", err.Error()
	}
	st, err := c.Client().Status(time.Second)
	const restart = "skillgate rerank stop; the next prompt starts it again"
	switch {
	case errors.Is(err, rerank.ErrNoHelper):
		a, at, ok := c.Place.LastAttempt(c.Want())
		if ok && a.Reason == rerank.Starting && c.Place.Held() {
			return "", "the helper is starting"
		}
		if ok {
			return "once that is dealt with: skillgate rerank start", fmt.Sprintf("no helper runs; last start, %s ago: %s", e.now().Sub(at).Round(time.Second), a.Reason)
		}
		return "", "no helper runs; the next prompt starts it"
	case err != nil:
		return "end the helper's process, or wait: it ends itself when its model hangs", err.Error()
	case st.Want != c.Want():
		return restart, fmt.Sprintf("the helper (process %d) has other settings", st.PID)
	case st.Version != build.Read().Version:
		return restart, fmt.Sprintf("the helper (process %d) is version %s, skillgate %s", st.PID, st.Version, build.Read().Version)
	case !st.Ready:
		return "", fmt.Sprintf("the helper (process %d) is starting", st.PID)
	case st.Refused > max(st.Ranked, manyRefusals):
		return "raise rerank.deadline_ms, or install a smaller model or one in int8",
			fmt.Sprintf("the helper (process %d) refused %d of %d prompts, the last one since: %s", st.PID, st.Refused, st.Ranked+st.Refused, st.LastReason)
	}
	return "", fmt.Sprintf("the helper (process %d) is ready; %d prompts ranked, %d refused; %s", st.PID, st.Ranked, st.Refused, perPair(st.MsPerToken))
}

// helperVersion asks the helper's program for its version.
func helperVersion(ctx context.Context, program string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run it: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
