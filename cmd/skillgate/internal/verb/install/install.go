// Package install is the commands that register the hook in the host's settings and take
// it out again.
package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/client"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/edit"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/self"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/listing"
	"github.com/skillgate/skillgate/hooks/register"
)

// Options are what the command line of install or uninstall says.
type Options struct {
	App    *app.App
	Host   string
	Scope  string // "" for all of them
	Binary string // to register, "" for the running one; of install only
	DryRun bool
	Yes    bool
	JSON   bool
	Purge  bool // remove state and cache too; of uninstall only

	// Of install only: as a plugin, as a hook in the settings, and with a shortened list of skills.
	Plugin, Hook, Listing bool

	choose  bool          // no host was named
	keep    func() error  // copies the program to where it is registered; nil if it is there
	removed []edit.Report // the plugin that the hook replaces
}

func (o *Options) edit() edit.Options {
	return edit.Options{App: o.App, DryRun: o.DryRun, Yes: o.Yes, JSON: o.JSON, First: o.copy}
}

// New returns the command install.
func New(a *app.App) *cobra.Command {
	o := &Options{App: a}
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Register skillgate with the host",
		Long: `install registers skillgate with Claude Code, asks once before it does, and then
indexes your skills. Without a terminal, and with --yes, it does not ask. Run
again it brings everything up to date.

Claude Code %s and later gets a plugin: it shows under the prompt which skills
were named, gives hints to subagents of every kind and, with --listing, shortens
the list of skills that the model is sent.

Where that cannot be installed, and with --hook, the settings file gets the hook
on every prompt and observers that note which skill was loaded; these hints are
not shown to you. Nothing else in the file changes, and a backup stays beside it.
--dry-run shows the change. Either form replaces the other.

Without --host it is Claude Code, or the one other host found here. Cursor takes
no hints: it gets skillgate's MCP server. A program run by npx, whose folder does
not stay, is first copied to ~/.local. A binary that is moved or deleted later
costs the hints, never a prompt.

Scopes of Claude Code: user (~/.claude/settings.json), project
(.claude/settings.json, shared with everyone who works on the repository) and
local (.claude/settings.local.json). The last two are read only in sessions
that start in the folder that holds .claude.`,
		Example: `  skillgate install
  skillgate install --dry-run
  skillgate install --listing --yes
  skillgate install --hook
  skillgate install --scope project --yes
  skillgate install --host codex`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.choose = !cmd.Flags().Changed("host")
			return Run(cmd.Context(), o)
		},
	}
	o.addFlags(cmd, "user")
	cmd.Long = fmt.Sprintf(cmd.Long, client.Modules)
	cmd.Flags().BoolVar(&o.Plugin, "plugin", false, "as a plugin of Claude Code, or not at all")
	cmd.Flags().BoolVar(&o.Hook, "hook", false, "as a hook in the settings, not as a plugin")
	cmd.Flags().BoolVar(&o.Listing, "listing", false, "as a plugin that shortens the model's list of skills")
	cmd.MarkFlagsMutuallyExclusive("plugin", "hook")
	cmd.MarkFlagsMutuallyExclusive("listing", "hook")
	cmd.Flags().StringVar(&o.Binary, "binary", "", "register the binary `FILE` instead of the running one")
	return cmd
}

// NewUninstall returns the command uninstall.
func NewUninstall(a *app.App) *cobra.Command {
	o := &Options{App: a}
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the hook out of the host's settings",
		Long: `uninstall removes skillgate's handlers, and nothing else, from the host's
settings files: those whose program is named skillgate and whose first argument
is hook or observe, and the plugin where it is installed. Where nothing else
has changed since install, the file is as before, byte for byte. The program
stays, even one that install copied to ~/.local/bin and
~/.local/lib/skillgate: uninstall prints the rm command for it. The settings of
skillgate stay.

The log, which has your prompts, the index and the rest of skillgate's state
and cache stay as well, unless you say --purge. It removes nothing else: a
folder without the marker .skillgate, and what skillgate has not written in
its own folders, stays and is named.`,
		Example: `  skillgate uninstall
  skillgate uninstall --purge
  skillgate uninstall --scope project --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runUninstall(cmd.Context(), o) },
	}
	o.addFlags(cmd, "")
	cmd.Flags().BoolVar(&o.Purge, "purge", false, "also remove the log, with its prompts, and the index")
	cmd.MarkFlagsMutuallyExclusive("purge", "json")
	return cmd
}

func (o *Options) addFlags(cmd *cobra.Command, scope string) {
	all := ""
	if scope == "" {
		all = "; all of them when not given"
	}
	cmd.Flags().StringVar(&o.Host, "host", "claude", "`HOST` is "+hooks.Names())
	cmd.Flags().StringVar(&o.Scope, "scope", scope, "`SCOPE` is user, project or local"+all)
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "show the change and make none")
	cmd.Flags().BoolVar(&o.Yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print JSON")
}

// places returns the files that the flags mean, of all that host has.
func places(o *Options, d dirs.Dirs) (host *hooks.Host, chosen, others []hooks.SettingsFile, err error) {
	if host = hooks.Named(o.Host); host == nil {
		return nil, nil, nil, app.Usage("--host is %q, want %s", o.Host, hooks.Names())
	}
	var scopes []string
	for _, file := range o.App.Session(d).Files(host) {
		scopes = append(scopes, file.Scope)
		if o.Scope == "" || o.Scope == file.Scope {
			chosen = append(chosen, file)
		} else {
			others = append(others, file)
		}
	}
	if len(chosen) == 0 {
		return host, nil, nil, fmt.Errorf("--scope is %q, want one of %s for %s in %s",
			o.Scope, strings.Join(scopes, ", "), host.Name, o.App.Cwd)
	}
	return host, chosen, others, nil
}

// Run registers the hook.
func Run(ctx context.Context, o *Options) error {
	a := o.App
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	_, terminal := app.Terminal(a.Stdin)
	o.Yes = o.Yes || o.JSON || !terminal
	var others []*hooks.Host
	if o.choose && !o.Plugin && !o.Listing {
		others = o.others(d, s)
		if len(others) == 1 && !hooks.Claude.Present(d.Home, a.Getenv) && !registers(a, d, &hooks.Claude) {
			o.Host, others = others[0].Name, nil
		}
	}
	if err := o.run(ctx, d, s); err != nil {
		return err
	}
	if len(others) > 0 && !o.JSON {
		titles, flags := names(others)
		a.Note("found here as well: %s; `skillgate install --host %s` registers the hook there", titles, flags)
	}
	return nil
}

func (o *Options) others(d dirs.Dirs, s gate.Settings) (out []*hooks.Host) {
	for _, host := range hooks.Hosts {
		if host != &hooks.Claude && host.Present(d.Home, o.App.Getenv) && !o.upToDate(d, s, host) {
			out = append(out, host)
		}
	}
	return out
}

func (o *Options) upToDate(d dirs.Dirs, s gate.Settings, host *hooks.Host) bool {
	binary, _, err := program(o, d)
	return err == nil && slices.ContainsFunc(o.App.Session(d).Files(host), func(file hooks.SettingsFile) bool {
		f, err := register.ReadFile(file.Path)
		if err != nil {
			return false
		}
		after, _, err := register.Install(file.Path, f.Text, host.Handlers(binary, len(s.Libraries) > 0))
		return err == nil && bytes.Equal(after, f.Text)
	})
}

func registers(a *app.App, d dirs.Dirs, host *hooks.Host) bool {
	if _, ok := hasPlugin(a, d); ok && host == &hooks.Claude {
		return true
	}
	return slices.ContainsFunc(a.Session(d).Files(host), func(file hooks.SettingsFile) bool {
		f, err := register.ReadFile(file.Path)
		if err != nil {
			return false
		}
		found, err := register.Find(file.Path, f.Text)
		return err == nil && len(found) > 0
	})
}

func names(of []*hooks.Host) (titles, flags string) {
	var t, f []string
	for _, host := range of {
		t, f = append(t, host.Title), append(f, host.Name)
	}
	return strings.Join(t, ", "), strings.Join(f, "|")
}

func (o *Options) run(ctx context.Context, d dirs.Dirs, s gate.Settings) error {
	a := o.App
	host, chosen, others, err := places(o, d)
	if err != nil {
		return err
	}
	user := host == &hooks.Claude && o.Scope == "user"
	if !user && (o.Plugin || o.Listing) {
		return app.Usage("--plugin and --listing go with --host claude and --scope user only")
	}
	there, isPlugin := hasPlugin(a, d)
	isPlugin = isPlugin && host == &hooks.Claude
	switch {
	case user && !o.Hook:
		if done, err := o.asPlugin(ctx, d, s); done || err != nil {
			return err
		}
	case isPlugin && !user:
		return app.Fail("run \"skillgate uninstall\" first",
			"skillgate is installed as the plugin %s: both would answer every prompt", there.ID)
	}
	binary, warnings, err := program(o, d)
	if err != nil {
		return err
	}
	want := host.Handlers(binary, len(s.Libraries) > 0)
	f := edit.File{Report: edit.Report{
		Host: host.Name, Scope: chosen[0].Scope, File: chosen[0].Path, Warnings: warnings,
	}}
	if f.Before, err = register.ReadFile(f.File); err != nil {
		return err
	}
	if f.After, f.Changes, err = register.Install(f.File, f.Before.Text, want); err != nil {
		return app.Hint(err, "correct the file, then run the command again; nothing was written")
	}
	if host.Plain && !register.Plain(f.Before.Text) {
		f.Warn("%s has comments or trailing commas: %s ignores such a file as a whole, hooks included, until it is plain "+
			"JSON",
			f.File, host.Title)
	}
	if f.Scope == "project" {
		f.Warn("%s is shared with the repository and names a path of this machine; where that path does not exist, the "+
			"hook does nothing", f.File)
	}
	if instead := filepath.Join(filepath.Dir(f.File), host.Instead); host.Instead != "" {
		if _, err := os.Stat(instead); err == nil {
			f.Warn("%s reads hooks from %s, which is there, and not from %s: move yours there", host.Title, instead, f.File)
		}
	}
	root := filepath.Dir(filepath.Dir(f.File))
	if host.StartOnly && f.Scope != "user" && root != filepath.Clean(a.Cwd) {
		f.Warn("%s reads this file only in sessions that start in %s", host.Title, root)
	}
	f.Same = "already installed"
	if err := checkOthers(&f, others, want); err != nil {
		return err
	}
	if isPlugin && o.removed == nil {
		if o.removed, err = removePlugin(ctx, o, d); err != nil {
			return err
		}
		if !o.DryRun { // as the client has left the file
			o.Yes = true
			return o.run(ctx, d, s)
		}
	}
	how := o.edit()
	how.Brief = true
	if err := edit.Apply(how, []*edit.File{&f}, o.removed...); err != nil {
		return err
	}
	if !o.DryRun {
		ready(ctx, a, d, s) // also after an upgrade, when the registration is as it was
	}
	if f.Status != "written" {
		return nil
	}
	if !o.JSON {
		next := a.T("Sessions that are open pick the change up by themselves.")
		if host.Inert != "" {
			next = fmt.Sprintf(a.T("Not yet at work: %s."), host.Inert)
		}
		fmt.Fprintln(a.Stdout, next, a.T("`skillgate doctor` checks that it works."))
	}
	return nil
}

func ready(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings) {
	if err := a.RefreshSkills(ctx, d, s); err != nil {
		a.Note("the skills are not indexed yet, the first prompt begins that: %v", err)
	}
}

// checkOthers looks for the hook in the other files a session reads. The host runs
// the same command once; another one would add a second hint to every prompt.
func checkOthers(f *edit.File, others []hooks.SettingsFile, want []hooks.Handler) error {
	for _, place := range others {
		file, err := register.ReadFile(place.Path)
		if err != nil {
			continue // not this command's to report; doctor does
		}
		found, err := register.Find(place.Path, file.Text)
		if err != nil {
			continue
		}
		for _, h := range found {
			if h.Event != want[0].Event || h.Args[0] != "hook" {
				continue
			}
			another := slices.IndexFunc(found, func(h register.Found) bool { return !slices.ContainsFunc(want, h.Same) })
			_, missing := os.Stat(h.Command)
			switch {
			case h.Same(want[0]) && another >= 0:
				f.Warn("%s:%d registers another observer, which runs as well: `skillgate install --host %s --scope %s` "+
					"replaces it", place.Path, found[another].Line, f.Host, place.Scope)
			case h.Same(want[0]):
				f.Warn("%s:%d registers the same command, which runs once", place.Path, h.Line)
			case missing != nil && filepath.IsAbs(h.Command):
				f.Warn("%s:%d registers %s, which does not exist: it does nothing", place.Path, h.Line, h.Command)
			default:
				return app.Fail(fmt.Sprintf("run `skillgate uninstall --host %s --scope %s` first", f.Host, place.Scope),
					"%s:%d: the %s scope registers another command, %s: both would answer every prompt", place.Path, h.Line,
					place.Scope, h.Element)
			}
		}
	}
	return nil
}

func runUninstall(ctx context.Context, o *Options) error {
	a := o.App
	d, err := a.Places()
	if err != nil {
		return err
	}
	host, chosen, _, err := places(o, d)
	if err != nil {
		return err
	}
	removed, err := removePlugin(ctx, o, d) // the client changes the user's file
	if err != nil {
		return err
	}
	var edits []*edit.File
	var broken []error // a repository's file must not keep the hook in the user's
	for _, file := range chosen {
		var clean func(file string, text []byte) []byte
		if len(removed) > 0 && file.Scope == "user" {
			clean = withoutEmpty
		}
		f, err := takeOut(host, file, clean)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		whole, err := register.Unset(f.File, f.After, listing.Cut, listing.CutTo)
		if err == nil && !bytes.Equal(whole, f.After) {
			f.Warn("the list of skills stays cut, by %s in %s: delete the setting to have it whole again",
				listing.Cut, f.File)
		}
		edits = append(edits, f)
	}
	if len(edits) == 0 {
		return app.Hint(errors.Join(broken...), "correct the file, then run the command again; nothing was written")
	}
	how := o.edit()
	how.Yes = how.Yes || len(removed) > 0 && o.Scope == "" // the plugin's removal was confirmed, and is done
	if err := edit.Apply(how, edits, removed...); err != nil {
		return err
	}
	if !o.DryRun {
		a.Helper(d, gate.Settings{}).Stop()
		if !o.JSON {
			o.remains(d, host)
		}
	}
	if o.Purge {
		if err := o.purge(d); err != nil {
			return err
		}
	}
	if len(broken) > 0 {
		return app.Hint(errors.Join(broken...), "correct the file, then run the command again; the others are done")
	}
	return nil
}

func (o *Options) purge(d dirs.Dirs) error {
	a := o.App
	folders := []struct {
		path string
		kind disk.Kind
	}{{d.State, disk.State}, {d.Cache, disk.Cache}}
	found := 0
	for _, f := range folders {
		found += disk.Purge(f.path, f.kind, true).Removed
	}
	if found > 0 && !o.DryRun && !o.Yes {
		question := a.Textf("Remove the log with its prompts, and the index, from %s and %s", d.State, d.Cache)
		if err := a.Confirm(question, "nothing was removed", "repeat the command with --yes"); err != nil {
			return err
		}
	}
	for _, f := range folders {
		p := disk.Purge(f.path, f.kind, o.DryRun)
		switch {
		case p.Removed > 0 && o.DryRun:
			a.Say("would remove what is skillgate's in %s\n", f.path)
		case p.Removed > 0:
			a.Say("removed what is skillgate's in %s\n", f.path)
		default:
			a.Say("nothing of skillgate's in %s\n", f.path)
		}
		for _, left := range p.Left {
			a.Note("left: %v", left)
		}
	}
	return nil
}

func (o *Options) remains(d dirs.Dirs, host *hooks.Host) {
	others := slices.DeleteFunc(slices.Clone(hooks.Hosts), func(h *hooks.Host) bool {
		return h == host || !registers(o.App, d, h)
	})
	if len(others) > 0 {
		titles, flags := names(others)
		o.App.Note("registered as well with %s; `skillgate uninstall --host %s` takes the hook out there", titles, flags)
	}
	there := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	if !o.Purge && there(d.State) {
		o.App.Note("the log, which has your prompts, stays in %s; `skillgate uninstall --purge` removes it", d.State)
	}
	if !o.Purge && there(d.Cache) {
		o.App.Note("the index stays in %s; `skillgate uninstall --purge` removes it", d.Cache)
	}
	if there(d.Config) {
		o.App.Note("your settings stay in %s", d.Config)
	}
	if kept := self.Kept(d.Home); len(kept) > 0 {
		for i := range kept {
			kept[i] = "~" + strings.TrimPrefix(kept[i], d.Home)
		}
		o.App.Note("the program stays; once nothing runs it, `rm %s` removes it", strings.Join(kept, " "))
	}
}

// takeOut returns the edit that takes the hook out of one file. clean, unless it is nil, takes out what the client
// left; a file in which nothing else is goes as a whole.
func takeOut(host *hooks.Host, file hooks.SettingsFile,
	clean func(file string, text []byte) []byte) (f *edit.File, err error) {
	f = &edit.File{
		Report: edit.Report{Host: host.Name, Scope: file.Scope, File: file.Path},
		Same:   "nothing of skillgate",
	}
	if f.Before, err = register.ReadFile(file.Path); err != nil {
		return nil, err
	}
	names, originals, err := f.Before.Former()
	if err != nil {
		return nil, err
	}
	var created bool
	if f.After, f.Changes, created, err = register.Uninstall(file.Path, f.Before.Text, originals...); err != nil {
		return nil, err
	}
	if clean != nil {
		f.After = clean(file.Path, f.After)
		created = created || string(bytes.Join(bytes.Fields(f.After), nil)) == "{}"
	}
	f.Undoes(names, originals, created)
	for i, name := range names {
		if name == f.Restores || f.Restores == "" && !f.Remove {
			break
		}
		after, changes, made, err := register.Uninstall(file.Path, originals[i], originals[i+1:]...)
		if err == nil && len(changes) > 0 && (f.Remove && made || f.Restores != "" && bytes.Equal(after, f.After)) {
			f.Obsolete = append(f.Obsolete, name)
		}
	}
	return f, nil
}

// program returns the absolute path to register: that of --binary when given, else that of the
// running program. Where a folder of PATH leads to the running program, that place is taken,
// since it outlives an upgrade that moves what it links to. Where the program lies in a package
// runner's cache, the place is one that o.copy copies it to.
func program(o *Options, d dirs.Dirs) (binary string, warnings []string, err error) {
	const hint = "install the binary under the name skillgate, or name one with --binary"
	a, path := o.App, o.Binary
	if path != "" {
		if path, err = filepath.Abs(path); err != nil {
			return "", nil, fmt.Errorf("find binary: %w", err)
		}
		if _, err := os.Stat(path); err != nil {
			return "", nil, app.Fail(hint, "find binary: %w", err)
		}
		if system.Executable(path) == "" {
			return "", nil, app.Fail(hint, "find binary: %s is not executable", path)
		}
	} else if path, err = self.Path(a); err != nil {
		return "", nil, fmt.Errorf("find own binary: %w", err)
	}
	if filepath.Base(path) != "skillgate"+system.Program {
		return "", nil, app.Fail(hint, "find binary: %s is not named skillgate, by which handlers are recognised", path)
	}
	if o.Binary == "" && self.Passing(path) {
		to := self.Lasting(d.Home)
		o.keep = func() error { return self.Keep(path, d.Home) }
		return to, []string{fmt.Sprintf(a.T("%s will not stay there: it is copied to %s"), path, to)}, nil
	}
	if self.Temporary(a, path) {
		warnings = append(warnings,
			fmt.Sprintf(a.T("%s lies in a temporary or build folder and may vanish; the hook then does nothing"), path))
	}
	return path, warnings, nil
}

func (o *Options) copy() error {
	if o.keep == nil {
		return nil
	}
	if err := o.keep(); err != nil {
		return app.Hint(err, "make the folder writable, or name a program with --binary")
	}
	return nil
}
