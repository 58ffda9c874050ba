package doctor

import (
	"context"
	"os"
	"strings"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/client"
	"github.com/skillgate/skillgate/gate/disk"
	hostplugin "github.com/skillgate/skillgate/hooks/plugin"
)

// plugin checks the installed plugin. v is the version of the client, or the zero value if it is unknown.
func (c *checkup) plugin(ctx context.Context, v client.Version) {
	const check = "plugin"
	p, ok := c.Session(c.dirs).Plugin(hostplugin.Name, c.files)
	if !ok {
		if v.Before(client.Modules) {
			return
		}
		c.add(check, statusOK, "", "the plugin is not installed, so you see no suggestions; `skillgate install` installs it")
		return
	}
	before := len(c.findings)
	if p.ID == hostplugin.ID { // written by skillgate itself
		if err := createsIn(p.Dir); err != nil {
			c.add(check, statusWarn, "chmod -R u+rwX "+p.Dir,
				"the plugin's folder is not writable, so the plugin cannot be upgraded: %v", err)
		}
		names, err := hostplugin.Changed(p.Dir, c.pluginProgram())
		if err != nil {
			c.add(check, statusWarn, "report this as a bug", "%v", err)
		}
		if len(names) > 0 {
			c.add(check, statusWarn, "skillgate install --plugin",
				"%s differs from this version of skillgate in these files: %s", p.Dir, strings.Join(names, ", "))
		}
	}
	switch {
	case v == client.Version{}:
	case v.Before(client.Modules):
		c.add(check, statusWarn, "claude update", "Claude Code %s cannot load the plugin's module, which displays "+
			"suggestions; version %s and later can, and until then only the plugin's hooks work", v, client.Modules)
	default:
		wrong, err := c.probe.module(ctx, p.Dir)
		if err != nil {
			c.add(check, statusWarn, "claude plugin validate "+p.Dir,
				"doctor cannot check whether Claude Code %s accepts the plugin: %v", v, err)
		}
		if wrong != "" {
			c.add(check, statusWarn, "run `skillgate install --plugin`, or upgrade skillgate; the model still gets suggestions",
				"Claude Code %s rejects the plugin: %s", v, wrong)
		}
	}
	if len(c.findings) == before {
		c.add(check, statusOK, "", "%s in %s", p.ID, p.Dir)
	}
}

func (c *checkup) pluginProgram() string {
	for _, f := range c.files {
		if f.Scope == plugin && len(f.Found) > 0 {
			return f.Found[0].Command
		}
	}
	return ""
}

// createsIn returns an error if no file can be created in dir.
func createsIn(dir string) error {
	f, err := os.CreateTemp(dir, ".skillgate-doctor-*")
	if err != nil {
		return err
	}
	return disk.Discard(f)
}

// validate returns the first error of `claude plugin validate`, or "" if the client accepts the plugin. It
// returns an error if the client failed without judging the plugin.
func validate(ctx context.Context, a *app.App, dir string) (string, error) {
	said, err := client.Run(ctx, a, "plugin", "validate", dir)
	if err == nil {
		return "", nil
	}
	_, errors, _ := strings.Cut(said, "\n✘ ")
	_, first, _ := strings.Cut(errors, "❯ ")
	if first, _, _ = strings.Cut(first, "\n"); first != "" {
		return first, nil
	}
	return "", err
}
