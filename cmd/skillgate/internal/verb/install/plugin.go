package install

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/client"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/edit"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/listing"
	"github.com/skillgate/skillgate/hooks/plugin"
	"github.com/skillgate/skillgate/hooks/register"
)

// pluginDir is where the plugin is written.
func pluginDir(d dirs.Dirs) string { return filepath.Join(d.State, "plugin", "claude") }

// hasPlugin reports whether the plugin is installed and enabled here.
func hasPlugin(a *app.App, d dirs.Dirs) (hostfile.Plugin, bool) {
	s := a.Session(d)
	return s.Plugin(plugin.Name, s.Read())
}

// asPlugin reports whether skillgate is to be installed as a plugin: it was asked for, it is
// there already, or the client has modules and its user, on a terminal, wants it.
func asPlugin(ctx context.Context, o *Options, d dirs.Dirs) (bool, error) {
	a := o.App
	if o.Host != hooks.Claude.Name || o.Scope != "user" || o.Settings {
		if o.Plugin {
			return false, app.Usage("--plugin goes with --host claude and --scope user only")
		}
		return false, nil
	}
	if _, ok := hasPlugin(a, d); ok || o.Plugin {
		return true, nil
	}
	_, terminal := app.Terminal(a.Stdin)
	if o.DryRun || o.Yes || o.JSON || !terminal || modules(ctx, a) != nil {
		return false, nil
	}
	fmt.Fprint(a.Stdout, `Claude Code can run skillgate as a plugin. Beside the hook, that gives subagents of every
kind their hints, shows under the prompt which skills were named, and adds the tools, a
skill and commands (/skillgate:log, :why, :lint). It needs an interface of Claude Code that is
early access: where that changes, the plugin does less and the session goes on.
`)
	return a.Ask("Install the plugin"), nil
}

// modules returns nil where the client runs the plugin's module.
func modules(ctx context.Context, a *app.App) error {
	text, err := client.Run(ctx, a, "--version")
	if err != nil {
		return err
	}
	v, err := client.Parse(text)
	if err == nil && v.Before(client.Modules) {
		err = fmt.Errorf("version %s of Claude Code has no modules; %s does", v, client.Modules)
	}
	return err
}

// installPlugin installs the plugin, in the place of a registration in the user's settings.
func installPlugin(ctx context.Context, o *Options, d dirs.Dirs, s gate.Settings) error {
	a := o.App
	if err := modules(ctx, a); err != nil {
		return app.Hint(err, "run \"skillgate install --settings\"")
	}
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
	if there, ok := hasPlugin(a, d); ok && there.ID != plugin.ID {
		return app.Fail("run \"claude plugin uninstall "+there.ID+"\" first",
			"the plugin is installed from another marketplace, as %s", there.ID)
	}
	if o.DryRun {
		return edit.Apply(o.edit(), registered, r)
	}
	install := []string{"plugin", "install", plugin.ID}
	if !o.Yes {
		short, err := askListing(ctx, o, d, s)
		if err != nil {
			return err
		}
		install = append(install, "--config", "listing="+strconv.FormatBool(short))
	} else if o.Listing {
		install = append(install, "--config", "listing=true")
	}
	if err := o.copy(); err != nil {
		return err
	}
	if err := plugin.Write(r.File, binary); err != nil {
		return err
	}
	for _, args := range [][]string{{"plugin", "marketplace", "add", r.File}, install} {
		if _, err := client.Run(ctx, a, args...); err != nil {
			return app.Hint(err, "run \"skillgate install --settings\"")
		}
	}
	r.Status = "installed"
	if registered, err = registrations(o, d); err != nil { // as the client has left the file
		return err
	}
	sure := *o
	sure.Yes = true // the plugin was asked for, and is in the place of these
	ready(ctx, a, d, s)
	if err := edit.Apply(sure.edit(), registered, r); err != nil || o.JSON {
		return err
	}
	fmt.Fprintln(a.Stdout,
		"Sessions that start from now on have it; /config in Claude Code switches its parts on and off.\n"+
			"`skillgate doctor` checks that it works.")
	return nil
}

func pluginReport(folder string) edit.Report {
	return edit.Report{Host: hooks.Claude.Name, Scope: "plugin", File: folder, Status: "dry_run",
		Changes: []register.Change{}, Warnings: []string{}}
}

// askListing asks whether the listing is to be shortened.
func askListing(ctx context.Context, o *Options, d dirs.Dirs, s gate.Settings) (bool, error) {
	a := o.App
	if _, ok := app.Terminal(a.Stdin); !ok || o.JSON {
		return false, app.Fail("repeat the command with --yes, and with --listing to shorten the list of skills",
			"nothing was written: no terminal to ask on")
	}
	t, err := listing.Compute(ctx, &hooks.Claude, a.Session(d), s.Libraries, listing.Options{}, a.Now())
	if err != nil {
		return false, err
	}
	fmt.Fprintf(a.Stdout, `The plugin can shorten the list of skills that Claude Code sends to the model. Here your
%d skills take about %d characters of it in every session, in every subagent and again after
each compaction; the shortened list has your most used ones, in 2,000 characters.
The risk: the model then finds the others by hints and search only, and how well it does
without the whole list has not been measured with a live model.
`, t.Names, t.Chars)
	return a.Ask("Shorten the list"), nil
}

// registrations are the edits that take the hook out of the settings; one outside of the
// user's own is an error, since others may share it.
func registrations(o *Options, d dirs.Dirs) ([]*edit.File, error) {
	host := &hooks.Claude
	var edits []*edit.File
	for _, file := range o.App.Session(d).Files(host) {
		f, err := takeOut(host, file, nil)
		if err != nil {
			return nil, app.Hint(err, "correct the file, then run the command again; nothing was written")
		}
		if !f.Changed() {
			continue
		}
		if file.Scope != "user" {
			return nil, app.Fail(fmt.Sprintf("run `skillgate uninstall --scope %s` first", file.Scope),
				"%s registers the hook: it and the plugin would both answer every prompt", file.Path)
		}
		edits = append(edits, f)
	}
	return edits, nil
}

// withoutEmpty returns the text of a settings file without what the client leaves empty in it when
// its last plugin is gone.
func withoutEmpty(file string, text []byte) []byte {
	for _, key := range []string{"enabledPlugins", "extraKnownMarketplaces", "pluginConfigs"} {
		if after, _, err := register.Unset(file, text, key, "{}"); err == nil {
			text = after
		}
	}
	return text
}

// removePlugin takes the plugin out, where it is installed.
func removePlugin(ctx context.Context, o *Options, d dirs.Dirs) ([]edit.Report, error) {
	a := o.App
	there, ok := hasPlugin(a, d)
	if !ok || o.Host != hooks.Claude.Name || o.Scope != "" && o.Scope != "user" {
		return nil, nil
	}
	r := pluginReport(there.Dir)
	if o.DryRun {
		return []edit.Report{r}, nil
	}
	if err := edit.Confirm(o.edit(), "Remove the plugin "+there.ID); err != nil {
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
	return []edit.Report{r}, nil
}
