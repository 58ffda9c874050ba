// Package check checks the requirements of reranking: the helper program, the model, ONNX Runtime and the socket.
package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/model"
	"github.com/skillgate/skillgate/gate/wording"
)

// Finding is the result of one check. Fix is advice to the user, or "" if nothing is wrong.
type Finding struct{ Text, Fix string }

// HelperHint is advice on installing the helper.
const HelperHint = "build it with `./install.sh --with-rerank` or `go build -tags onnx ./cmd/skillgate-rerank`"

// Run checks the helper program, the model, ONNX Runtime and the socket. It returns one finding per check and stops
// after a failure that makes the next check impossible. version is skillgate's version.
func Run(ctx context.Context, h rerank.Helper, version string) (out []Finding) {
	d, s := h.Dirs, h.Settings
	add := func(fix, format string, args ...any) {
		out = append(out, Finding{fmt.Sprintf(format, args...), fix})
	}
	program, err := rerank.Program()
	if err != nil {
		add(HelperHint, "helper: %v", err)
		return out
	}
	switch v, err := helperVersion(ctx, program); {
	case err != nil:
		add(HelperHint, "helper: %s: %v", program, err)
		return out
	case v != version:
		add(HelperHint, "helper: %s has version %s, but skillgate has %s", program, v, version)
	default:
		add("", "helper: %s, same version as skillgate", program)
	}
	m, err := model.Load(rerank.Store(d), s.Model)
	if err == nil {
		err = m.Verify()
	}
	if err != nil {
		add(modelFix(d, s), "model: %v", err)
		return out
	}
	add("", "model: %s (%s, %.1f MB), the checksums match", m.Name, m.Tokenizer, float64(m.Bytes)/(1<<20))
	p, err := Probe(ctx, program, m.Dir, s.Library)
	if err != nil {
		fix := modelFix(d, s)
		switch text := err.Error(); {
		case strings.Contains(text, brokeDown):
			fix = "set rerank.library to another libonnxruntime; if that does not help, install another model"
		case strings.Contains(text, "libonnxruntime"):
			fix = "set rerank.library or ONNXRUNTIME_LIB to libonnxruntime 1.24 or newer, or install it with " +
				"`./install.sh --with-rerank`"
		}
		add(fix, "library and test run: %v", err)
		return out
	}
	fix := ""
	if least := 2 * rerank.ShortPair * p.MsPerToken / rerank.Share; least > float64(s.DeadlineMs) {
		fix = fmt.Sprintf("set rerank.deadline_ms to %.0f or more (now %d), or install a smaller model or an int8 model",
			least, s.DeadlineMs)
	}
	add(fix, "library and test run: ONNX Runtime %s (%s), %d of %d test questions correct, loaded in %.0f ms, %s",
		p.Runtime, p.Library, p.Right, p.Asked, p.LoadMs, PerPair(p.MsPerToken))
	fix, text := socket(h, version)
	add(fix, "socket: %s", text)
	return out
}

func modelFix(d dirs.Dirs, s rerank.Settings) string {
	names, err := model.List(rerank.Store(d))
	if err == nil && len(names) > 1 && s.Model == "" {
		return "set rerank.model to one of " + strings.Join(names, ", ") +
			", or run `skillgate rerank install DIR` to install the model again"
	}
	return "run `skillgate rerank install DIR` to install the model (again)"
}

// manyRefusals is the number of refused prompts above which Run may give advice. Busy machines cause some refusals.
const manyRefusals = 10

func socket(h rerank.Helper, version string) (fix, text string) {
	c := h.Config()
	if err := c.Place.Check(os.Getuid()); err != nil {
		return "remove " + c.Place.Dir + "; the next start creates it again", err.Error()
	}
	st, err := c.Client().Status(time.Second)
	const restart = "run `skillgate rerank stop`; the next prompt starts the helper again"
	switch {
	case errors.Is(err, rerank.ErrNoHelper):
		a, at, ok := c.Place.LastAttempt(c.Want())
		if ok && a.Reason == rerank.Starting && c.Place.Held() {
			return "", "the helper is starting"
		}
		if ok {
			return "correct the cause, then run `skillgate rerank start`",
				fmt.Sprintf("no helper is running; the last start failed %s ago: %s", h.Now().Sub(at).Round(time.Second), a.Reason)
		}
		return "", "no helper is running; the next prompt starts one"
	case err != nil:
		return "stop the helper process, or wait: it stops by itself if its model hangs", err.Error()
	case st.Want != c.Want():
		return restart, fmt.Sprintf("the helper (process %d) was started with other settings", st.PID)
	case st.Version != version:
		return restart, fmt.Sprintf("the helper (process %d) has version %s instead of %s", st.PID, st.Version, version)
	case !st.Ready:
		return "", fmt.Sprintf("the helper (process %d) is starting", st.PID)
	case st.Refused > max(st.Ranked, manyRefusals):
		return "raise rerank.deadline_ms, or install a smaller model or an int8 model",
			fmt.Sprintf("the helper (process %d) refused %d of %d prompts; last reason: %s", st.PID, st.Refused,
				st.Ranked+st.Refused, st.LastReason)
	}
	return "", fmt.Sprintf("the helper (process %d) is ready; it ranked %s and refused %d; %s", st.PID,
		wording.Count(int(st.Ranked), "prompt"), st.Refused, PerPair(st.MsPerToken))
}

func helperVersion(ctx context.Context, program string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run the helper: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

const probeLimit = 2 * time.Minute

// brokeDown is the message for a helper that exited without giving a reason.
const brokeDown = "the helper crashed"

// Probe loads the model in dir and runs it once, in a helper process.
func Probe(ctx context.Context, program, dir, library string) (model.Probe, error) {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "probe", "--model", dir, "--library", library)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		// ONNX Runtime may print other text before the message.
		_, text, found := strings.Cut(errs.String(), "skillgate-rerank: ")
		text = strings.TrimSpace(text)
		if ctx.Err() != nil {
			return model.Probe{}, fmt.Errorf("self-test of the model: it did not finish within %v", probeLimit)
		}
		if !found || strings.Contains(text, "\n") {
			return model.Probe{}, fmt.Errorf("self-test of the model: %s: %w", brokeDown, err)
		}
		return model.Probe{}, fmt.Errorf("self-test of the model: %s", text)
	}
	var p model.Probe
	if err := json.Unmarshal(out.Bytes(), &p); err != nil {
		return p, fmt.Errorf("self-test of the model: %w", err)
	}
	return p, nil
}

// PerPair describes a model's speed: the time for a typical pair of prompt and skill.
func PerPair(msPerToken float64) string {
	const tokens = 128
	digits := 1
	if tokens*msPerToken < 1 {
		digits = 2
	}
	return fmt.Sprintf("a prompt and a skill with %d tokens in total take %.*f ms", tokens, digits, tokens*msPerToken)
}
