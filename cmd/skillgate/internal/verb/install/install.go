// Package install implements the commands install and uninstall, which register the hook in the host's settings
// and remove it.
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
	"github.com/skillgate/skillgate/cmd/skillgate/internal/self"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/listing"
	"github.com/skillgate/skillgate/hooks/register"
)

type options struct {
	app    *app.App
	host   string
	scope  string // "" for all scopes
	binary string // program to register, "" for the running one; install only
	dryRun bool
	yes    bool
	json   bool
	purge  bool // remove state and cache too; uninstall only

	// Forms of installation: plugin, hook in the settings, plugin with a shortened list of skills (install only).
	plugin, hook, listing bool

	brief   bool         // show the diff only with dryRun; an empty answer means yes
	choose  bool         // --host was not given
	keep    func() error // copies the program to the registered path; nil if it is already there
	removed []report     // reports on the removed plugin, which the hook replaces
}

func New(a *app.App) *cobra.Command {
	o := &options{app: a}
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Register skillgate with Claude Code or another host",
		Long: `install registers skillgate with Claude Code after one question, and then
indexes your skills. With --yes or without a terminal it does not ask. Running
install again updates everything.

Claude Code %s and later gets a plugin, which shows under the prompt which skills
were suggested, gives suggestions to subagents of every kind and, with --listing,
shortens the list of skills that is sent to the model.

With --hook, or if the plugin cannot be installed, install adds to the settings
file the hook for prompts and the hooks that record which skill was loaded; suggestions
are then not displayed to you. Nothing else in the file changes, and a backup is
kept next to it. --dry-run shows the change. The plugin replaces the hook, and the
hook replaces the plugin.

Without --host, install uses Claude Code. If it finds only one host here, it uses
that one. A program run by npx is first copied to ~/.local, because its
folder is temporary. If a binary is moved or deleted later, prompts go through
without suggestions.

Scopes of Claude Code: user (~/.claude/settings.json), project
(.claude/settings.json, shared with everyone who works on the repository) and
local (.claude/settings.local.json). The last two are read only in sessions
that start in the folder that contains .claude.`,
		Example: `  skillgate install
  skillgate install --dry-run
  skillgate install --listing --yes
  skillgate install --hook
  skillgate install --scope project --yes
  skillgate install --host codex`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.choose = !cmd.Flags().Changed("host")
			return o.install(cmd.Context())
		},
	}
	o.addFlags(cmd, "user")
	cmd.Long = fmt.Sprintf(cmd.Long, client.Modules)
	cmd.Flags().BoolVar(&o.plugin, "plugin", false, "install the Claude Code plugin, and fail if that is impossible")
	cmd.Flags().BoolVar(&o.hook, "hook", false, "register a hook in the settings instead of installing the plugin")
	cmd.Flags().BoolVar(&o.listing, "listing", false, "install the plugin and shorten the list of skills for the model")
	cmd.MarkFlagsMutuallyExclusive("plugin", "hook")
	cmd.MarkFlagsMutuallyExclusive("listing", "hook")
	cmd.Flags().StringVar(&o.binary, "binary", "", "register the binary `FILE` instead of the running one")
	return cmd
}

func NewUninstall(a *app.App) *cobra.Command {
	o := &options{app: a}
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove skillgate from Claude Code or another host",
		Long: `uninstall removes skillgate's hooks from the host's settings files: those whose
program is named skillgate and whose first argument is hook or observe.
It also removes the plugin. If nothing else has changed since install, the file
is restored byte for byte. skillgate's settings stay, and so does the program,
even one that install copied to ~/.local/bin and ~/.local/lib/skillgate:
uninstall prints the rm command for it.

The log, which contains your prompts, the index and the rest of skillgate's
state and cache stay too, unless --purge is given. --purge removes only files
that skillgate has written, in folders that contain the marker file .skillgate.
It leaves all other files and lists them.`,
		Example: `  skillgate uninstall
  skillgate uninstall --purge
  skillgate uninstall --scope project --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.uninstall(cmd.Context()) },
	}
	o.addFlags(cmd, "")
	cmd.Flags().BoolVar(&o.purge, "purge", false, "also remove the log, with its prompts, and the index")
	cmd.MarkFlagsMutuallyExclusive("purge", "json")
	return cmd
}

func (o *options) addFlags(cmd *cobra.Command, scope string) {
	all := ""
	if scope == "" {
		all = "; default: all of them"
	}
	cmd.Flags().StringVar(&o.host, "host", "claude", "use this `HOST`: "+hooks.Names())
	cmd.Flags().StringVar(&o.scope, "scope", scope, "use the settings of this `SCOPE`: user, project or local"+all)
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show the change without making it")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the result as JSON")
}

// places returns the files of the chosen scope and the other files of the host.
func places(o *options, d dirs.Dirs) (host *hooks.Host, chosen, others []hooks.SettingsFile, err error) {
	if host = hooks.Named(o.host); host == nil {
		return nil, nil, nil, app.Usage("--host is %q but must be %s", o.host, hooks.Names())
	}
	var scopes []string
	for _, file := range o.app.Session(d).Files(host) {
		scopes = append(scopes, file.Scope)
		if o.scope == "" || o.scope == file.Scope {
			chosen = append(chosen, file)
		} else {
			others = append(others, file)
		}
	}
	if len(chosen) == 0 {
		return host, nil, nil, fmt.Errorf("--scope is %q but must be one of %s for %s in %s",
			o.scope, strings.Join(scopes, ", "), host.Name, o.app.Cwd)
	}
	return host, chosen, others, nil
}

func (o *options) install(ctx context.Context) error {
	a := o.app
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	_, terminal := app.Terminal(a.Stdin)
	o.yes = o.yes || o.json || !terminal
	var others []*hooks.Host
	if o.choose && !o.plugin && !o.listing {
		others = slices.DeleteFunc(slices.Clone(hooks.Hosts), func(host *hooks.Host) bool {
			return host == &hooks.Claude || !host.Present(d.Home, a.Getenv) || registers(a, d, host)
		})
		if len(others) == 1 && !hooks.Claude.Present(d.Home, a.Getenv) && !registers(a, d, &hooks.Claude) {
			o.host, others = others[0].Name, nil
		}
	}
	if err := o.run(ctx, d, s); err != nil {
		return err
	}
	if len(others) > 0 && !o.json {
		titles, flags := names(others)
		a.Note("other hosts found here: %s; `skillgate install --host %s` registers the hook there", titles, flags)
	}
	return nil
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

func (o *options) run(ctx context.Context, d dirs.Dirs, s gate.Settings) error {
	a := o.app
	host, chosen, others, err := places(o, d)
	if err != nil {
		return err
	}
	user := host == &hooks.Claude && o.scope == "user"
	if !user && (o.plugin || o.listing) {
		return app.Usage("--plugin and --listing work only with --host claude and --scope user")
	}
	there, isPlugin := hasPlugin(a, d)
	isPlugin = isPlugin && host == &hooks.Claude
	switch {
	case user && !o.hook:
		if done, err := o.asPlugin(ctx, d, s); done || err != nil {
			return err
		}
	case isPlugin && !user:
		return app.Fail("run \"skillgate uninstall\" first",
			"skillgate is already installed as the plugin %s; an additional hook would answer each prompt twice", there.ID)
	}
	binary, warnings, err := program(o, d)
	if err != nil {
		return err
	}
	want := host.Handlers(binary, len(s.Libraries) > 0)
	f := edit{report: report{
		Host: host.Name, Scope: chosen[0].Scope, File: chosen[0].Path, Warnings: warnings,
	}}
	if f.before, err = register.ReadFile(f.File); err != nil {
		return err
	}
	if f.after, f.Changes, err = register.Install(f.File, f.before.Text, want); err != nil {
		return app.Hint(err, "correct the file, then run the command again; nothing was written")
	}
	if host.Plain && !register.Plain(f.before.Text) {
		f.warn("%s has comments or trailing commas: %s ignores the whole file, hooks included, until it is plain JSON",
			f.File, host.Title)
	}
	if f.Scope == "project" {
		f.warn("%s is shared with the repository but contains a path on this machine; where that path does not exist, the "+
			"hook does nothing", f.File)
	}
	if instead := filepath.Join(filepath.Dir(f.File), host.Instead); host.Instead != "" {
		if _, err := os.Stat(instead); err == nil {
			f.warn("%s reads its hooks from %s, which exists; move the hooks in %s to that file", host.Title, instead, f.File)
		}
	}
	root := filepath.Dir(filepath.Dir(f.File))
	if host.StartOnly && f.Scope != "user" && root != filepath.Clean(a.Cwd) {
		f.warn("%s reads %s only in sessions that start in %s", host.Title, f.File, root)
	}
	f.same = "already installed"
	if err := checkOthers(&f, others, want); err != nil {
		return err
	}
	if isPlugin && o.removed == nil {
		if o.removed, err = removePlugin(ctx, o, d); err != nil {
			return err
		}
		if !o.dryRun { // removing the plugin changed the settings file
			o.yes = true
			return o.run(ctx, d, s)
		}
	}
	o.brief = true
	if err := o.apply([]*edit{&f}, o.removed); err != nil {
		return err
	}
	if !o.dryRun {
		ready(ctx, a, d, s) // also after an upgrade that leaves the registration unchanged
	}
	if f.Status != "written" {
		return nil
	}
	if !o.json {
		next := a.T("Open sessions pick up the change by themselves.")
		if host.Inert != "" {
			next = fmt.Sprintf(a.T("The hook is not active yet. To activate it, %s."), host.Inert)
		}
		fmt.Fprintln(a.Stdout, next, a.T("Run `skillgate doctor` to check that the hook works."))
	}
	return nil
}

func ready(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings) {
	if err := a.RefreshSkills(ctx, d, s); err != nil {
		a.Note("the skills are not indexed yet (%v); the first prompt will start the indexing", err)
	}
}

// checkOthers looks for the hook in the other files that a session reads. The host runs identical commands once;
// a different one would add a second suggestion to every prompt.
func checkOthers(f *edit, others []hooks.SettingsFile, want []hooks.Handler) error {
	for _, place := range others {
		file, err := register.ReadFile(place.Path)
		if err != nil {
			continue // doctor reports the error
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
				f.warn("%s:%d registers a different `skillgate observe` command, which also runs; `skillgate install --host %s "+
					"--scope %s` replaces it", place.Path, found[another].Line, f.Host, place.Scope)
			case h.Same(want[0]):
				f.warn("%s:%d also registers this command; the host runs identical commands only once", place.Path, h.Line)
			case missing != nil && filepath.IsAbs(h.Command):
				f.warn("%s:%d registers %s, which does not exist, so this hook does nothing", place.Path, h.Line, h.Command)
			default:
				return app.Fail(fmt.Sprintf("run `skillgate uninstall --host %s --scope %s` first", f.Host, place.Scope),
					"%s:%d in the %s scope registers another command, %s; both would answer every prompt", place.Path, h.Line,
					place.Scope, h.Element)
			}
		}
	}
	return nil
}

func (o *options) uninstall(ctx context.Context) error {
	a := o.app
	d, err := a.Places()
	if err != nil {
		return err
	}
	host, chosen, _, err := places(o, d)
	if err != nil {
		return err
	}
	removed, err := removePlugin(ctx, o, d) // comes first, because the client edits the user's settings file
	if err != nil {
		return err
	}
	var edits []*edit
	var broken []error // a broken repository file must not keep the hook in the user's file
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
		whole, err := register.Unset(f.File, f.after, listing.Cut, listing.CutTo)
		if err == nil && !bytes.Equal(whole, f.after) {
			f.Warnings = append(f.Warnings, o.app.Textf(
				"the setting %s stays in %s; remove it if the host should list skill descriptions again", listing.Cut, f.File))
		}
		edits = append(edits, f)
	}
	if len(edits) == 0 {
		return app.Hint(errors.Join(broken...), "correct the file, then run the command again; nothing was written")
	}
	how := *o
	how.yes = how.yes || len(removed) > 0 && o.scope == "" // the user has already confirmed the removal of the plugin
	if err := how.apply(edits, removed); err != nil {
		return err
	}
	if !o.dryRun {
		a.Helper(d, gate.Settings{}).Stop()
		if !o.json {
			o.remains(d, host)
		}
	}
	if o.purge {
		if err := o.removeState(d); err != nil {
			return err
		}
	}
	if len(broken) > 0 {
		return app.Hint(errors.Join(broken...), "correct the file, then run the command again; the other files were changed")
	}
	return nil
}

func (o *options) removeState(d dirs.Dirs) error {
	a := o.app
	folders := []struct {
		path string
		kind disk.Kind
	}{{d.State, disk.State}, {d.Cache, disk.Cache}}
	found := 0
	for _, f := range folders {
		found += disk.Purge(f.path, f.kind, true).Removed
	}
	if found > 0 && !o.dryRun && !o.yes {
		question := a.Textf("Remove the log with its prompts, and the index, from %s and %s", d.State, d.Cache)
		if err := a.Confirm(question, "nothing was removed", "repeat the command with --yes"); err != nil {
			return err
		}
	}
	for _, f := range folders {
		p := disk.Purge(f.path, f.kind, o.dryRun)
		switch {
		case p.Removed > 0 && o.dryRun:
			a.Say("would remove skillgate's files in %s\n", f.path)
		case p.Removed > 0:
			a.Say("removed skillgate's files in %s\n", f.path)
		default:
			a.Say("found no skillgate files in %s\n", f.path)
		}
		for _, left := range p.Left {
			a.Note("left in place: %v", left)
		}
	}
	return nil
}

func (o *options) remains(d dirs.Dirs, host *hooks.Host) {
	others := slices.DeleteFunc(slices.Clone(hooks.Hosts), func(h *hooks.Host) bool {
		return h == host || !registers(o.app, d, h)
	})
	if len(others) > 0 {
		titles, flags := names(others)
		o.app.Note("the hook is also registered with %s; `skillgate uninstall --host %s` removes it there", titles, flags)
	}
	there := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	if !o.purge && there(d.State) {
		o.app.Note("the log, which contains your prompts, stays in %s; `skillgate uninstall --purge` removes it", d.State)
	}
	if !o.purge && there(d.Cache) {
		o.app.Note("the index stays in %s; `skillgate uninstall --purge` removes it", d.Cache)
	}
	if there(d.Config) {
		o.app.Note("your settings stay in %s", d.Config)
	}
	if kept := self.Kept(d.Home); len(kept) > 0 {
		for i := range kept {
			kept[i] = "~" + strings.TrimPrefix(kept[i], d.Home)
		}
		o.app.Note("the program stays; if nothing uses it any more, `rm %s` removes it", strings.Join(kept, " "))
	}
}

// takeOut returns the edit that removes the hook from one file. If clean is not nil, it then removes other traces of
// the plugin from the text. A file without other content is removed.
func takeOut(host *hooks.Host, file hooks.SettingsFile,
	clean func(file string, text []byte) []byte) (f *edit, err error) {
	f = &edit{
		report: report{Host: host.Name, Scope: file.Scope, File: file.Path},
		same:   "nothing to remove",
	}
	if f.before, err = register.ReadFile(file.Path); err != nil {
		return nil, err
	}
	names, originals, err := f.before.Former()
	if err != nil {
		return nil, err
	}
	var created bool
	if f.after, f.Changes, created, err = register.Uninstall(file.Path, f.before.Text, originals...); err != nil {
		return nil, err
	}
	if clean != nil {
		f.after = clean(file.Path, f.after)
		created = created || string(bytes.Join(bytes.Fields(f.after), nil)) == "{}"
	}
	f.remove = created && f.before.Exists
	if i := slices.IndexFunc(originals, func(text []byte) bool { return bytes.Equal(text, f.after) }); i >= 0 {
		f.restores, f.remove = names[i], false
	}
	for i, name := range names {
		if name == f.restores || f.restores == "" && !f.remove {
			break
		}
		after, changes, made, err := register.Uninstall(file.Path, originals[i], originals[i+1:]...)
		if err == nil && len(changes) > 0 && (f.remove && made || f.restores != "" && bytes.Equal(after, f.after)) {
			f.obsolete = append(f.obsolete, name)
		}
	}
	return f, nil
}

// program returns the absolute path to register: the file of --binary or else the running program, if possible by its
// path on PATH, which survives an upgrade. If the program is in a package runner's cache, it returns
// the path to which o.keep copies it.
func program(o *options, d dirs.Dirs) (binary string, warnings []string, err error) {
	const hint = "use --binary to give the path of an executable file named skillgate"
	a, path := o.app, o.binary
	if path != "" {
		if path, err = filepath.Abs(path); err != nil {
			return "", nil, fmt.Errorf("--binary: %w", err)
		}
		if _, err := os.Stat(path); err != nil {
			return "", nil, app.Fail(hint, "--binary: %w", err)
		}
		if system.Executable(path) == "" {
			return "", nil, app.Fail(hint, "--binary: %s is not executable", path)
		}
	} else if path, err = self.Path(a); err != nil {
		return "", nil, fmt.Errorf("find the running program: %w", err)
	}
	if filepath.Base(path) != "skillgate"+system.Program {
		return "", nil, app.Fail(hint, "%s must be named skillgate, because hooks are recognised by that name", path)
	}
	if o.binary == "" && self.Passing(path) {
		to := self.Lasting(d.Home)
		o.keep = func() error { return self.Keep(path, d.Home) }
		return to, []string{fmt.Sprintf(a.T("%s is in a package runner's cache; install copies it to %s"), path, to)}, nil
	}
	if self.Temporary(a, path) {
		warnings = append(warnings,
			fmt.Sprintf(a.T("%s is in a temporary or build folder and may disappear; the hook then does nothing"), path))
	}
	return path, warnings, nil
}

func (o *options) copy() error {
	if o.keep == nil {
		return nil
	}
	if err := o.keep(); err != nil {
		return app.Hint(err, "make the folder writable, or name a program with --binary")
	}
	return nil
}
