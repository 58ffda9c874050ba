package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
	"github.com/skillgate/skillgate/hooks/trial"
)

// elsewhere calls f for each registration in the files of hosts other than Claude Code.
func (c *checkup) elsewhere(f func(host *hooks.Host, file hooks.SettingsFile, h register.Found)) {
	for _, host := range hooks.Hosts[1:] {
		for _, file := range c.Session(c.dirs).Files(host) {
			text, err := register.ReadFile(file.Path)
			if err != nil || !text.Exists {
				continue
			}
			found, _ := register.Find(file.Path, text.Text) // otherHosts says what is wrong with it
			for _, h := range found {
				if h.Event == host.PromptEvent {
					f(host, file, h)
				}
			}
		}
	}
}

func (c *checkup) registeredElsewhere() (n int) {
	c.elsewhere(func(*hooks.Host, hooks.SettingsFile, register.Found) { n++ })
	return n
}

// otherHosts runs what is registered in the files of hosts other than Claude Code, and says what is
// not known of them.
func (c *checkup) otherHosts(ctx context.Context) {
	for _, host := range hooks.Hosts[1:] {
		for _, file := range c.Session(c.dirs).Files(host) {
			f, err := register.ReadFile(file.Path)
			if err == nil && f.Exists {
				_, err = register.Find(file.Path, f.Text)
			}
			if err != nil {
				c.add(host.Name, statusWarn, "correct the file", "%v", err)
			}
		}
	}
	c.elsewhere(func(host *hooks.Host, file hooks.SettingsFile, h register.Found) {
		again := fmt.Sprintf("skillgate install --host %s --scope %s", host.Name, file.Scope)
		program, err := c.program(h.Command)
		if err != nil {
			c.add(host.Name, statusFail, again, "%s:%d names a binary that cannot be run: %v", file.Path, h.Line, err)
			return
		}
		c.add(host.Name, statusOK, "", "%s:%d runs %s for %s", file.Path, h.Line, program, host.Title)
		if host.PromptEvent != "" {
			c.answersTo(ctx, host, h)
		}
		switch {
		case host.Inert == "":
		case host.Trusted == nil:
			c.add(host.Name, statusOK, "", "whether it is at work cannot be seen here: %s", host.Inert)
		case !host.Trusted(host.Home(c.dirs.Home, c.Getenv), file.Path):
			c.add(host.Name, statusWarn, host.Inert, "%s does not trust the hook yet, and does not run it", host.Title)
		default:
			c.add(host.Name, statusOK, "", "%s trusts the hook", host.Title)
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(file.Path), host.Instead)); err == nil && host.Instead != "" {
			c.add(host.Name, statusWarn, fmt.Sprintf(c.T("move the hook from %s to %s"), file.Path, host.Instead),
				"%s reads hooks from %s, which is there, and not from %s", host.Title, host.Instead, file.Path)
		}
		if host.NoListing != "" {
			c.add(host.Name, statusOK, "", "%s", host.NoListing)
		}
	})
}

// answersTo runs a host's hook on a prompt and checks that the host understands what it says.
func (c *checkup) answersTo(ctx context.Context, host *hooks.Host, h register.Found) {
	cmd := trial.Command{Argv: append([]string{h.Command}, h.Args...), Timeout: maxHook}
	if h.Shell {
		cmd.Argv = []string{"/bin/sh", "-c", h.Element}
	}
	r := c.probe.hook(ctx, cmd, trial.Prompt(host, "skillgate-doctor-"+host.Name, c.Cwd, aPrompt))
	if err := r.CheckFor(host); err != nil {
		c.add(host.Name, statusFail, "run `skillgate query \"review the pull request\"` to see what is wrong", "a prompt: %v", err)
		return
	}
	c.add(host.Name, statusOK, "", "a prompt: exit status 0, %d bytes", len(r.Stdout))
}

// aPrompt is one that a skill may fit.
const aPrompt = "review the pull request for security problems and write the release notes"
