package lint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/hot"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/ir"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/neutral"
	"github.com/skillgate/skillgate/hooks"
)

// Limits on the answer to an edit of a SKILL.md.
const (
	maxHookFindings = 8
	maxHookText     = 240  // characters per message and per hint
	maxHookContext  = 2000 // characters of the answer
)

func newHook(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Check the file that a tool has written, as a PostToolUse hook; the exit status is always 0",
		RunE: func(cmd *cobra.Command, _ []string) error {
			answerHook(cmd.Context(), a)
			hot.Leave(a.Stdin)
			return app.ErrDone
		},
	}
	cmd.SetFlagErrorFunc(func(*cobra.Command, error) error { return nil }) // a mistyped hook command must not fail
	return cmd
}

func answerHook(ctx context.Context, a *app.App) {
	defer func() { _ = recover() }() // a panic would exit with status 2
	late := time.AfterFunc(hooks.InputLimit, func() { hot.Leave(a.Stdin) })
	in, err := hooks.Read(a.Stdin, nil)
	late.Stop()
	if err != nil && in.ToolFile == "" || in.Event != "PostToolUse" || in.ToolFailed {
		return
	}
	base := filepath.Base(in.ToolFile)
	if !filepath.IsAbs(in.ToolFile) || base != "SKILL.md" && base != ir.File {
		return
	}
	context := checkEdited(ctx, a, in)
	if context == "" {
		return
	}
	var out struct {
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	out.Specific.Event, out.Specific.Context = in.Event, context
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(out) == nil {
		_, _ = a.Data().Write(buf.Bytes()) // best effort: the host may be gone
	}
}

func checkEdited(ctx context.Context, a *app.App, in hooks.Input) string {
	d, err := a.Places()
	if err != nil {
		return ""
	}
	if in.Cwd != "" {
		a.Cwd = in.Cwd
	}
	s, _ := gate.Load(d, a.Cwd, a.Environ) // other commands report bad settings
	if s.Disabled {
		return ""
	}
	o, err := lint.OptionsFor(s.Lint.Rules, nil)
	if err != nil {
		o = lint.Options{}
	}
	j := newJob(a, d, s, o)
	j.Background = true
	res, err := j.Run(ctx, []string{filepath.Join(filepath.Dir(in.ToolFile), "SKILL.md")})
	if err != nil {
		return ""
	}
	return hookContext(a.Display(in.ToolFile), res)
}

func spoken(f lint.Finding) string {
	advice := lint.Find(f.Rule).Text().Advice
	hint := advice
	if f.Hint != advice {
		hint = cmp.Or(neutral.Text(f.Hint, maxHookText), advice)
	}
	return cmp.Or(neutral.Text(f.Text, maxHookText), f.Title) + "; " + hint
}

func hookContext(file string, res *lint.Result) string {
	var b strings.Builder
	n, more := 0, 0
	for _, f := range res.Findings {
		if f.Severity < lint.Warning {
			continue
		}
		line := fmt.Sprintf("- %s %s", f.Rule, f.Severity)
		if f.Line > 0 {
			line += fmt.Sprintf(", line %d", f.Line)
		}
		line += ": " + spoken(f) + "\n"
		if n == maxHookFindings || len([]rune(b.String()))+len([]rune(line)) > maxHookContext-300 {
			more++
			continue
		}
		n++
		b.WriteString(line)
	}
	if n == 0 {
		return ""
	}
	own := res.Skills[0].Score.Own
	head := fmt.Sprintf("skillgate lint: %s (the skill ranks first for %d of %d requests from its own text):\n",
		neutral.Text(file, 120), own.First, own.Asked)
	tail := ""
	if more > 0 {
		tail = fmt.Sprintf("findings not shown: %d; `skillgate lint rules ID` explains a rule.\n", more)
	}
	return head + b.String() + tail
}
