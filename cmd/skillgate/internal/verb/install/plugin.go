package install

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/client"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/plugin"
	"github.com/skillgate/skillgate/hooks/register"
)

func pluginDir(d dirs.Dirs) string { return filepath.Join(d.State, "plugin", "claude") }

func hasPlugin(a *app.App, d dirs.Dirs) (hostfile.Plugin, bool) {
	s := a.Session(d)
	return s.Plugin(plugin.Name, s.Read())
}

// asPlugin installs or updates the plugin. It returns false if the hook must be registered in the settings
// instead, because the client does not accept the plugin and no flag requires it.
func (o *options) asPlugin(ctx context.Context, d dirs.Dirs, s gate.Settings) (bool, error) {
	a := o.app
	there, had := hasPlugin(a, d)
	err := modules(ctx, a)
	switch {
	case err != nil && had:
		a.Note("updating only the plugin's files: %v", err)
	case err == nil && !had && !o.yes && !o.dryRun:
		a.Say("As a plugin, skillgate shows its suggestions under each prompt and also gives suggestions to subagents.\n" +
			"`skillgate install --hook` registers a hook in the settings instead, which displays no suggestions.\n")
		if !a.Ask(a.T("Install the plugin")) {
			return false, app.Fail("run \"skillgate install --hook\"", a.T("%s: not confirmed"), a.T("nothing was written"))
		}
	}
	if err == nil || had {
		err = o.installPlugin(ctx, d, s, there, err == nil)
	}
	if err == nil {
		return true, nil
	}
	if had || o.plugin || o.listing {
		return false, app.Hint(err, "run \"skillgate install --hook\"")
	}
	a.Note("installing without the plugin, so suggestions are not displayed to you: %v", err)
	return false, nil
}

// modules returns an error if the client is too old for the plugin's module or its version cannot be read.
func modules(ctx context.Context, a *app.App) error {
	text, err := client.Run(ctx, a, "--version")
	if err != nil {
		return err
	}
	v, err := client.Parse(text)
	if err == nil && v.Before(client.Modules) {
		err = fmt.Errorf("the plugin needs Claude Code %s or later; version %s is installed", client.Modules, v)
	}
	return err
}

// installPlugin installs the plugin in place of a registration in the user's settings. If takes is false, the client
// does not accept the plugin, and only the files of an installed plugin are updated.
func (o *options) installPlugin(
	ctx context.Context, d dirs.Dirs, s gate.Settings, there hostfile.Plugin, takes bool,
) error {
	a := o.app
	binary, warnings, err := program(o, d)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		a.Note("%s", w)
	}
	registered, err := registrations(o, d)
	if err != nil {
		return err
	}
	r := pluginReport(pluginDir(d))
	if there.ID != "" && there.ID != plugin.ID {
		return app.Fail("run \"claude plugin uninstall "+there.ID+"\" first",
			"the plugin is already installed from another marketplace as %s", there.ID)
	}
	if o.dryRun {
		return o.apply(registered, []report{r})
	}
	if err := o.copy(); err != nil {
		return err
	}
	if err := plugin.Write(r.File, binary); err != nil {
		return err
	}
	if takes {
		err = o.give(ctx, r.File)
	}
	if err == nil {
		r.Status = "installed"
		registered, err = registrations(o, d) // again, because the client has changed the settings file
	}
	if err == nil {
		ready(ctx, a, d, s)
		sure := *o
		sure.yes, sure.brief = true, true // the user has asked for the plugin
		err = sure.apply(registered, []report{r})
	}
	if err != nil && there.ID == "" {
		_, _ = client.Run(ctx, a, "plugin", "marketplace", "remove", plugin.Marketplace) // removes the plugin too
		return errors.Join(err, plugin.Remove(r.File))
	}
	if err == nil && !o.json {
		a.Say("New sessions use the plugin; /config in Claude Code switches its parts on and off.\n" +
			"`skillgate doctor` checks that the plugin works; `skillgate install --hook` returns to a hook in the settings.\n")
	}
	return err
}

func (o *options) give(ctx context.Context, folder string) error {
	install := []string{"plugin", "install", plugin.ID}
	if o.listing {
		install = append(install, "--config", "listing=true")
	}
	_, err := client.Run(ctx, o.app, "plugin", "marketplace", "add", folder)
	if err == nil {
		_, err = client.Run(ctx, o.app, install...)
	}
	return err
}

func pluginReport(folder string) report {
	return report{Host: hooks.Claude.Name, Scope: "plugin", File: folder, Status: "dry_run",
		Changes: []register.Change{}, Warnings: []string{}}
}

// registrations returns the edits that remove the hook from the settings. A hook outside the user's own file is
// an error, because others may share that file.
func registrations(o *options, d dirs.Dirs) ([]*edit, error) {
	host := &hooks.Claude
	var edits []*edit
	for _, file := range o.app.Session(d).Files(host) {
		f, err := takeOut(host, file, nil)
		if err != nil {
			return nil, app.Hint(err, "correct the file, then run the command again; nothing was written")
		}
		if !f.changed() {
			continue
		}
		if file.Scope != "user" {
			return nil, app.Fail(fmt.Sprintf("run `skillgate uninstall --scope %s` first", file.Scope),
				"%s already registers the hook; the hook and the plugin would both answer every prompt", file.Path)
		}
		edits = append(edits, f)
	}
	return edits, nil
}

// withoutEmpty removes the empty objects that the client leaves in a settings file after its last plugin is
// removed.
func withoutEmpty(file string, text []byte) []byte {
	for _, key := range []string{"enabledPlugins", "extraKnownMarketplaces", "pluginConfigs"} {
		if after, err := register.Unset(file, text, key, "{}"); err == nil {
			text = after
		}
	}
	return text
}

func removePlugin(ctx context.Context, o *options, d dirs.Dirs) ([]report, error) {
	a := o.app
	there, ok := hasPlugin(a, d)
	if !ok || o.host != hooks.Claude.Name || o.scope != "" && o.scope != "user" {
		return nil, nil
	}
	r := pluginReport(there.Dir)
	if o.dryRun {
		return []report{r}, nil
	}
	how := *o
	how.brief = o.hook
	if err := how.confirm(a.Textf("Remove the plugin %s", there.ID)); err != nil {
		return nil, err
	}
	commands := [][]string{{"plugin", "uninstall", there.ID}}
	if there.ID == plugin.ID {
		commands = append(commands, []string{"plugin", "marketplace", "remove", plugin.Marketplace})
	}
	for _, args := range commands {
		if _, err := client.Run(ctx, a, args...); err != nil {
			return nil, app.Hint(err, "run \"/plugin uninstall "+there.ID+"\" in Claude Code")
		}
	}
	if there.ID == plugin.ID {
		if err := plugin.Remove(pluginDir(d)); err != nil {
			return nil, fmt.Errorf("remove plugin: %w", err)
		}
	}
	r.Status = "removed"
	return []report{r}, nil
}
