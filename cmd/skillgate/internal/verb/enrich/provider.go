package enrich

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"os/exec"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/hooks"
)

// Provider identifies the language model that a command uses.
type Provider struct {
	Name    string // "claude" or "openai"
	Model   string
	BaseURL string
}

// AddFlags adds the flags that set p.
func (p *Provider) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&p.Name, "provider", "", "use the provider `NAME`: claude or openai (setting enrich.provider)")
	flags.StringVar(&p.Model, "model", "", "use `MODEL` (setting enrich.model; claude's default: "+enrich.DefaultModel+")")
	flags.StringVar(&p.BaseURL, "base-url", "",
		"use the OpenAI-compatible API at `URL`, such as http://HOST/v1 (setting enrich.base_url or OPENAI_BASE_URL)")
}

// Complete fills empty fields from the settings and the environment.
func (p *Provider) Complete(a *app.App, s gate.Settings) {
	p.Name = cmp.Or(p.Name, s.Enrich.Provider)
	p.Model = cmp.Or(p.Model, s.Enrich.Model)
	p.BaseURL = cmp.Or(p.BaseURL, s.Enrich.BaseURL, a.Getenv("OPENAI_BASE_URL"))
	if p.Name == "claude" {
		p.Model = cmp.Or(p.Model, enrich.DefaultModel)
	}
}

// Open returns the model that p describes. Call Complete first. If dry is true, no request will be made, so a missing
// client is not an error.
func (p *Provider) Open(a *app.App, d dirs.Dirs, languages []string, dry bool) (*enrich.Model, error) {
	switch p.Name {
	case "openai":
		u, err := url.Parse(p.BaseURL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || p.Model == "" {
			return nil, app.Fail("for example --base-url http://localhost:11434/v1 --model qwen3",
				"--provider openai needs --base-url and --model")
		}
		return enrich.NewOpenAI(enrich.OpenAI{BaseURL: p.BaseURL, Key: a.Getenv("OPENAI_API_KEY"), Model: p.Model},
			languages, a.Now)
	case "claude":
		path, err := claudeClient(a, d)
		if err != nil && !dry {
			return nil, app.Hint(err, "add its folder to PATH, or use --provider openai")
		}
		return enrich.NewClaude(enrich.Claude{Path: path, Model: p.Model, Environ: a.Environ}, languages, a.Now), nil
	}
	return nil, app.Fail("use claude or openai", "unknown provider %q", p.Name)
}

func claudeClient(a *app.App, d dirs.Dirs) (string, error) {
	own := filepath.Join(hooks.Claude.Home(d.Home, a.Getenv), "local")
	for _, dir := range append(filepath.SplitList(a.Getenv("PATH")), filepath.Join(d.Home, ".local", "bin"), own) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, "claude")); err == nil {
			return path, nil
		}
	}
	return "", errors.New("claude is not on PATH")
}

// Skills reads all skills and agents that a session here can use. It skips unreadable ones, which the command
// index reports.
func Skills(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings) ([]catalog.Entry, error) {
	roots, _ := catalog.Roots(d, a.Cwd, s.Libraries)
	files, _ := catalog.Files(ctx, roots, nil)
	var out []catalog.Entry
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if entry, err := catalog.Read(roots[file.Root], file); err == nil {
			out = append(out, entry)
		}
	}
	if len(out) == 0 {
		return nil, app.Fail("add a skill, for example in ~/.claude/skills", "no skills found")
	}
	return out, nil
}

// Hint adds the next step to an error of package enrich, unless the error has one.
func Hint(err error) error {
	var fault *enrich.Fault
	var exit *app.Error
	switch err = app.OpenError(err); {
	case errors.As(err, &exit):
		return err
	case errors.Is(err, enrich.ErrBusy):
		return app.Hint(err, "wait until it has finished, or stop it; its results are kept")
	case errors.Is(err, context.Canceled):
		return app.Fail("run the same command again to continue", "the run was stopped")
	case errors.As(err, &fault) && fault.Hint != "":
		return app.Hint(err, fault.Hint)
	}
	return app.Hint(err, "run the same command again to continue")
}
