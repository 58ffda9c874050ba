package doctor

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/cmd/skillgate/internal/self"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
)

// elsewhere is a registration in a file of a host other than Claude Code.
type elsewhere struct {
	host *hooks.Host
	file hooks.SettingsFile
	text []byte // content of the file
	register.Found
}

func (c *checkup) registeredElsewhere() (all []elsewhere) {
	for _, host := range hooks.Hosts[1:] {
		for _, file := range c.Session(c.dirs).Files(host) {
			f, err := register.ReadFile(file.Path)
			var found []register.Found
			if err == nil && f.Exists {
				found, err = register.Find(file.Path, f.Text)
			}
			if err != nil {
				c.add(host.Name, statusWarn, "correct the file", "%v", err)
			}
			for _, h := range found {
				if h.Event == host.PromptEvent {
					all = append(all, elsewhere{host, file, f.Text, h})
				}
			}
		}
	}
	return all
}

func (c *checkup) otherHost(ctx context.Context, e elsewhere) {
	host, file := e.host, e.file
	again := self.Again(host, file.Scope)
	program, err := c.program(e.Command)
	if err != nil {
		c.add(host.Name, statusFail, again, "%s:%d registers a program that cannot be run: %v", file.Path, e.Line, err)
		return
	}
	c.add(host.Name, statusOK, "", "%s:%d runs %s for %s", file.Path, e.Line, program, host.Title)
	c.upToDate(host.Name, host, file, e.text, e.Found)
	if cmd, ok := c.toRun(host.Name, again, file, program, e.Found); ok {
		c.answersTo(ctx, host, cmd)
	}
	switch {
	case host.Inert == "":
	case host.Trusted == nil:
		c.add(host.Name, statusOK, "", "doctor cannot check whether the hook is active; if it is not, %s", host.Inert)
	case !host.Trusted(host.Home(c.dirs.Home, c.Getenv), file.Path):
		c.add(host.Name, statusWarn, host.Inert, "%s does not trust the hook yet, so the hook does not run", host.Title)
	default:
		c.add(host.Name, statusOK, "", "%s has trusted the hook, but doctor cannot check whether the latest change to the "+
			"hook is trusted too", host.Title)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(file.Path), host.Instead)); err == nil && host.Instead != "" {
		c.add(host.Name, statusWarn, fmt.Sprintf(c.T("move the hook from %s to %s"), file.Path, host.Instead),
			"%s reads its hooks from the existing file %s and ignores those in %s", host.Title, host.Instead, file.Path)
	}
	if host.Listing == nil {
		c.add(host.Name, statusOK, "", "%s", host.NoListing())
	}
}

// upToDate warns if a file differs from what this version of install would write.
func (c *checkup) upToDate(check string, host *hooks.Host, file hooks.SettingsFile, text []byte, h register.Found) {
	after, _, err := register.Install(file.Path, text, host.Handlers(h.Command, len(c.settings.Libraries) > 0))
	if err == nil && !bytes.Equal(after, text) {
		c.add(check, statusWarn, self.Again(host, file.Scope),
			"%s:%d differs from the hook that this version registers with %s, so skill uses may not be logged, and prompts may "+
				"be blocked if the program is missing", file.Path, h.Line, host.Title)
	}
}

func (c *checkup) answersTo(ctx context.Context, host *hooks.Host, cmd trialCommand) {
	r := c.probe.hook(ctx, cmd, trialPrompt(host, "skillgate-doctor-"+host.Name, c.Cwd, aPrompt))
	if err := r.check(host); err != nil {
		c.add(host.Name, statusFail, "run `skillgate query \"review the pull request\"` to see what is wrong",
			"the hook failed on a test prompt: %v", err)
		return
	}
	c.add(host.Name, statusOK, "", "test prompt: exit status 0, answer of %d bytes", len(r.Stdout))
}

// toRun returns the command of a registered hook. It never uses a shell, because anyone may have written the files of
// a repository. If the line contains more than the hook, or the program belongs to the repository, it adds a finding
// and ok is false.
func (c *checkup) toRun(check, again string, file hooks.SettingsFile, program string,
	h register.Found) (cmd trialCommand, ok bool) {
	if h.Shell && !alone(h.Element) {
		c.add(check, statusWarn, again, "%s:%d was not tested, because its command line runs more than the hook: %s",
			file.Path, h.Line, h.Element)
		return cmd, false
	}
	if (file.Scope == "project" || file.Scope == "local") && within(gate.ProjectDir(c.Cwd, c.dirs), program) {
		c.add(check, statusWarn, again, "%s:%d was not tested, because doctor does not run programs of the project: %s",
			file.Path, h.Line, program)
		return cmd, false
	}
	return trialCommand{Argv: append([]string{program}, h.Args...), Timeout: maxHook}, true
}

// within reports whether file is in folder after links are resolved.
func within(folder, file string) bool {
	_, err := regular.Resolve(folder, file)
	return err == nil
}

// alone reports whether a shell line is a single program with arguments; "exec" before it and "|| true" after it
// are allowed.
func alone(line string) bool {
	line = strings.TrimSuffix(strings.TrimSpace(line), "|| true")
	line = strings.TrimPrefix(line, "exec ")
	quote, first := rune(0), true
	for _, r := range line {
		switch {
		case quote == '\'' && r != quote:
		case r == '`' || r == '\\' || r == '\n':
			return false
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
		case r == '\'' || r == '"':
			quote = r
		case strings.ContainsRune(";|&<>()", r) || r == '=' && first:
			return false
		case r == ' ' || r == '\t':
			first = false
		}
	}
	return !strings.Contains(line, "$(")
}

const aPrompt = "review the pull request for security problems and write the release notes"
