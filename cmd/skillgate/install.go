package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/skillgate/skillgate/cmd/skillgate/internal/enrichment"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/register"
)

// editFlags are those of install and uninstall.
type editFlags struct {
	host   string
	scope  string
	binary string
	dryRun bool
	yes    bool
	json   bool
}

// editReport is what install and uninstall print with --json, one for each file.
type editReport struct {
	Host     hooks.Host        `json:"host"`
	Scope    string            `json:"scope"`
	File     string            `json:"file"`
	Status   string            `json:"status"` // unchanged, dry_run, written, removed (the file, which install had made)
	Changes  []register.Change `json:"changes"`
	Diff     string            `json:"diff"`
	Backup   string            `json:"backup,omitempty"`
	Warnings []string          `json:"warnings"`
}

func newInstallCommand(e *env) *cobra.Command {
	var f editFlags
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Register the hook in the host's settings",
		Long: `install adds skillgate's handlers to a settings file: the hook on every prompt and,
for Claude Code, observers that note which skill was loaded. Nothing else in the
file changes. It shows the change, asks, keeps a backup beside the file, and does
nothing where everything is in place. A binary that is moved or deleted later
costs the hints, never a prompt.

Scopes of Claude Code: user (~/.claude/settings.json), project
(.claude/settings.json, shared with everyone who works on the repository) and
local (.claude/settings.local.json). The last two are read only in sessions that
start in the folder that holds .claude.`,
		Example: `  skillgate install
  skillgate install --dry-run
  skillgate install --scope project --yes
  skillgate install --host codex`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return e.install(f) },
	}
	e.editFlags(cmd, &f, "user")
	cmd.Flags().StringVar(&f.binary, "binary", "", "register the binary `FILE` instead of the running one")
	return cmd
}

func newUninstallCommand(e *env) *cobra.Command {
	var f editFlags
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the hook out of the host's settings",
		Long: `uninstall removes skillgate's handlers, and nothing else, from the host's settings
files: those whose program is named skillgate and whose first argument is hook or
observe. Where nothing else has changed since install, the file is as before, byte
for byte. The index, the journal and the settings of skillgate stay.`,
		Example: `  skillgate uninstall
  skillgate uninstall --scope project --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return e.uninstall(f) },
	}
	e.editFlags(cmd, &f, "")
	return cmd
}

func (e *env) editFlags(cmd *cobra.Command, f *editFlags, scope string) {
	all := ""
	if scope == "" {
		all = "; all of them when not given"
	}
	cmd.Flags().StringVar(&f.host, "host", "claude", "`HOST` is claude, codex or gemini")
	cmd.Flags().StringVar(&f.scope, "scope", scope, "`SCOPE` is user, project or local"+all)
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "show the change and make none")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
}

// chosen returns the files that the flags mean, of all that host has.
func (e *env) chosen(d dirs.Dirs, f editFlags) (host hooks.Host, chosen, others []hostfile.Place, err error) {
	host = hooks.Host(f.host)
	switch host {
	case hooks.Claude, hooks.Codex, hooks.Gemini:
	default:
		return host, nil, nil, fmt.Errorf("--host is %q, want claude, codex or gemini", f.host)
	}
	var scopes []string
	for _, file := range e.app().Session(d).Places(host) {
		scopes = append(scopes, file.Scope)
		if f.scope == "" || f.scope == file.Scope {
			chosen = append(chosen, file)
		} else {
			others = append(others, file)
		}
	}
	if len(chosen) == 0 {
		return host, nil, nil, fmt.Errorf("--scope is %q, want one of %s for %s in %s", f.scope, strings.Join(scopes, ", "), host, e.cwd)
	}
	return host, chosen, others, nil
}

func (e *env) install(f editFlags) error {
	d, s, err := e.placesAndSettings()
	if err != nil {
		return err
	}
	host, chosen, others, err := e.chosen(d, f)
	if err != nil {
		return err
	}
	binary, warnings, err := e.binary(f.binary)
	if err != nil {
		return err
	}
	want := register.Handlers(host, binary, len(s.Libraries) > 0)
	edit := fileEdit{Place: chosen[0], editReport: editReport{Host: host, Scope: chosen[0].Scope, File: chosen[0].Path, Warnings: warnings}}
	if edit.before, err = register.ReadFile(edit.Path); err != nil {
		return err
	}
	if edit.after, edit.Changes, err = register.Install(edit.Path, edit.before.Text, want); err != nil {
		return &exitError{code: 3, err: err, hint: "correct the file, then run the command again; nothing was written"}
	}
	if host == hooks.Claude && !register.Plain(edit.before.Text) {
		edit.warn("%s has comments or trailing commas: Claude Code ignores such a file as a whole, hooks included, until it is plain JSON", edit.Path)
	}
	if edit.Place.Scope == "project" {
		edit.warn("%s is shared with the repository and names a path of this machine; where that path does not exist, the hook does nothing", edit.Path)
	}
	if root := filepath.Dir(filepath.Dir(edit.Path)); host == hooks.Claude && edit.Place.Scope != "user" && root != filepath.Clean(e.cwd) {
		edit.warn("Claude Code reads this file only in sessions that start in %s", root)
	}
	if err := e.checkOthers(&edit, others, want[0]); err != nil {
		return err
	}
	if err := e.apply(f, []*fileEdit{&edit}); err != nil {
		return err
	}
	if !f.json && edit.Status == "written" {
		fmt.Fprintln(e.stdout, "Sessions that are open pick the change up by themselves. `skillgate doctor` checks that it works.")
		if offer := enrichment.Offer(context.Background(), e.app(), d, s); offer != "" {
			fmt.Fprintf(e.stdout, "Expansions: %s.\n", offer)
		}
	}
	return nil
}

// checkOthers looks for the hook in the other files a session reads. The host runs
// the same command once; another one would add a second hint to every prompt.
func (e *env) checkOthers(edit *fileEdit, others []hostfile.Place, want register.Handler) error {
	for _, o := range others {
		file, err := register.ReadFile(o.Path)
		if err != nil {
			continue // not this command's to report; doctor does
		}
		found, err := register.Find(o.Path, file.Text)
		if err != nil {
			continue
		}
		for _, h := range found {
			if h.Event != want.Event || h.Args[0] != "hook" {
				continue
			}
			_, missing := os.Stat(h.Command)
			switch {
			case h.Same(want):
				edit.warn("%s:%d registers the same command, which runs once", o.Path, h.Line)
			case missing != nil && filepath.IsAbs(h.Command):
				edit.warn("%s:%d registers %s, which does not exist: it does nothing", o.Path, h.Line, h.Command)
			default:
				return &exitError{code: 3,
					err:  fmt.Errorf("%s:%d: the %s scope registers another command, %s: both would answer every prompt", o.Path, h.Line, o.Scope, h.Element),
					hint: fmt.Sprintf("run `skillgate uninstall --host %s --scope %s` first", edit.Host, o.Scope)}
			}
		}
	}
	return nil
}

func (e *env) uninstall(f editFlags) error {
	d, err := e.places()
	if err != nil {
		return err
	}
	host, chosen, _, err := e.chosen(d, f)
	if err != nil {
		return err
	}
	var edits []*fileEdit
	for _, file := range chosen {
		edit := &fileEdit{Place: file, editReport: editReport{Host: host, Scope: file.Scope, File: file.Path}}
		if edit.before, err = register.ReadFile(file.Path); err != nil {
			return err
		}
		names := edit.before.Backups()
		var originals [][]byte
		for _, name := range names {
			b, err := register.ReadFile(name)
			if err != nil {
				return err
			}
			originals = append(originals, b.Text)
		}
		var created bool
		edit.after, edit.Changes, created, err = register.Uninstall(host, file.Path, edit.before.Text, originals...)
		if err != nil {
			return &exitError{code: 3, err: err, hint: "correct the file, then run the command again; nothing was written"}
		}
		edit.remove = created && edit.before.Exists
		for i, text := range originals {
			if string(text) == string(edit.after) {
				edit.restores, edit.remove = names[i], false
				break
			}
		}
		edits = append(edits, edit)
	}
	if err := e.apply(f, edits); err != nil || f.dryRun {
		return err
	}
	e.helper(d, gate.Settings{}).Stop()
	return nil
}

// fileEdit is one file to change.
type fileEdit struct {
	hostfile.Place
	editReport
	before   register.File
	after    []byte
	remove   bool   // the file is nothing but what install wrote
	restores string // the backup that after is equal to
}

func (f *fileEdit) warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

func (f *fileEdit) changed() bool { return f.remove || string(f.after) != string(f.before.Text) }

// apply shows the edits, asks, writes and reports.
func (e *env) apply(f editFlags, edits []*fileEdit) error {
	changed := 0
	for _, edit := range edits {
		edit.Status = "unchanged"
		if edit.Warnings == nil {
			edit.Warnings = []string{}
		}
		if edit.Changes == nil {
			edit.Changes = []register.Change{}
		}
		if edit.changed() {
			changed++
			edit.Status = "dry_run"
			after := edit.after
			if edit.remove {
				after = nil
			}
			edit.Diff = string(diff.Diff(edit.Path, edit.before.Text, edit.Path, after))
		}
		if !f.json {
			fmt.Fprint(e.stdout, edit.Diff)
			for _, w := range edit.Warnings {
				fmt.Fprintf(e.stderr, "skillgate: note: %s\n", w)
			}
		}
	}
	if changed > 0 && !f.dryRun {
		if err := e.confirm(f, changed); err != nil {
			return err
		}
		for _, edit := range edits {
			if !edit.changed() {
				continue
			}
			if err := e.write(edit); err != nil {
				return err
			}
		}
	}
	if f.json {
		enc := json.NewEncoder(e.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		reports := []editReport{}
		for _, edit := range edits {
			reports = append(reports, edit.editReport)
		}
		return enc.Encode(reports)
	}
	for _, edit := range edits {
		e.printEdit(edit)
	}
	return nil
}

// confirm asks before files are written. Without a terminal nobody can answer.
func (e *env) confirm(f editFlags, changed int) error {
	if f.yes {
		return nil
	}
	in, ok := e.stdin.(*os.File)
	if f.json || !ok || !term.IsTerminal(int(in.Fd())) {
		return &exitError{code: 3, err: errors.New("nothing was written: no terminal to ask on"), hint: "look at the change with --dry-run, then repeat the command with --yes"}
	}
	what := "this file"
	if changed > 1 {
		what = fmt.Sprintf("these %d files", changed)
	}
	fmt.Fprintf(e.stderr, "Change %s? [y/N] ", what)
	line, err := bufio.NewReader(in).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes", "ㅛ", "네", "예":
		return nil
	}
	if err != nil {
		fmt.Fprintln(e.stderr)
	}
	return &exitError{code: 3, err: errors.New("nothing was written: not confirmed")}
}

// write makes one edit. The former text stays beside the file, unless it is
// restored from there.
func (e *env) write(edit *fileEdit) (err error) {
	if edit.remove {
		edit.Status = "removed"
		return edit.before.Remove()
	}
	if edit.restores == "" {
		if edit.Backup, err = edit.before.Backup(e.now()); err != nil {
			return err
		}
	}
	if err := edit.before.Write(edit.after); err != nil {
		return err
	}
	edit.Status = "written"
	if edit.restores != "" {
		return os.Remove(edit.restores)
	}
	return nil
}

func (e *env) printEdit(edit *fileEdit) {
	switch edit.Status {
	case "unchanged":
		if len(edit.Changes) > 0 {
			fmt.Fprintf(e.stdout, "already installed in %s\n", edit.Path)
		} else {
			fmt.Fprintf(e.stdout, "nothing of skillgate in %s\n", edit.Path)
		}
		return
	case "dry_run":
		fmt.Fprintf(e.stdout, "would change %s\n", edit.Path)
		return
	case "removed":
		fmt.Fprintf(e.stdout, "removed %s, which held nothing else\n", edit.Path)
		return
	}
	fmt.Fprintf(e.stdout, "changed %s", edit.Path)
	switch {
	case edit.Backup != "":
		fmt.Fprintf(e.stdout, " (the former text is in %s)", edit.Backup)
	case edit.restores != "":
		fmt.Fprint(e.stdout, ", which is now as before install")
	}
	fmt.Fprintln(e.stdout)
}

// binary returns the absolute path to register: path when given, else that of the
// running program. Where a folder of PATH leads to the running program, that place
// is taken, since it outlives an upgrade that moves what it links to.
func (e *env) binary(path string) (binary string, warnings []string, err error) {
	const hint = "install the binary under the name skillgate, or name one with --binary"
	if path != "" {
		if path, err = filepath.Abs(path); err != nil {
			return "", nil, fmt.Errorf("find binary: %w", err)
		}
		info, err := os.Stat(path)
		if err != nil {
			return "", nil, &exitError{code: 3, err: fmt.Errorf("find binary: %w", err), hint: hint}
		}
		if info.IsDir() || info.Mode()&0o111 == 0 {
			return "", nil, &exitError{code: 3, err: fmt.Errorf("find binary: %s is not executable", path), hint: hint}
		}
	} else if path, err = e.ownPath(); err != nil {
		return "", nil, fmt.Errorf("find own binary: %w", err)
	}
	if filepath.Base(path) != "skillgate" {
		return "", nil, &exitError{code: 3, err: fmt.Errorf("find binary: %s is not named skillgate, by which handlers are recognised", path), hint: hint}
	}
	if e.temporary(path) {
		warnings = append(warnings, fmt.Sprintf("%s lies in a temporary or build folder and may vanish; the hook then does nothing", path))
	}
	return path, warnings, nil
}

func (e *env) ownPath() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", err
	}
	info, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(e.getenv("PATH")) {
		name := filepath.Join(dir, "skillgate")
		if there, err := os.Stat(name); filepath.IsAbs(name) && err == nil && os.SameFile(there, info) {
			return name, nil
		}
	}
	return self, nil
}

// temporary reports whether path lies in a folder that is emptied now and then.
func (e *env) temporary(path string) bool {
	folders := []string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders", e.getenv("TMPDIR"), e.getenv("GOCACHE"), e.getenv("GOTMPDIR")}
	for _, dir := range folders {
		if filepath.IsAbs(dir) && strings.HasPrefix(path, filepath.Clean(dir)+string(filepath.Separator)) {
			return true
		}
	}
	return strings.Contains(path, "/go-build")
}
