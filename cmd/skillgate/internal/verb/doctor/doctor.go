// Package doctor implements the command doctor, which checks that the installed hook works.
package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/listing"
)

type status string

const (
	statusOK   status = "ok"
	statusWarn status = "warn" // the hook works, but something else does not
	statusFail status = "fail" // the hook does not work
)

type finding struct {
	Check  string `json:"check"`
	Status status `json:"status"`
	Text   string `json:"text"`
	Fix    string `json:"fix,omitempty"` // a command or an instruction
}

type report struct {
	Status   status    `json:"status"` // the worst status of a finding
	Findings []finding `json:"findings"`
}

// probes holds the checks that use indexes, the skill list or other programs. Tests replace them.
type probes struct {
	index   func(context.Context) (indexState, error)
	listing func(context.Context) (listing.Tax, error)
	client  func(context.Context) (string, error)         // output of claude --version, or client.ErrNone
	module  func(context.Context, string) (string, error) // first error of `claude plugin validate`, or ""
	hook    func(context.Context, trialCommand, string) trialRun
	// met reports for each list of texts whether any skill contains a word of one of them
	met func(context.Context, [][]string) ([]bool, error)
}

type indexState struct {
	Skills  int
	Missing []string // labels of scopes without an index
	Stale   []string // labels of scopes whose folders have changed since they were indexed
	Changed int      // number of skills that differ from the index
}

func New(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that the installed hook works in this folder",
		Long: `doctor runs the hook as the host does, from the host's settings files, with a
prompt, a greeting and broken input, and checks the answer, exit status and time.
It also checks the index, the settings, remote libraries, your synonyms.yaml, the
journal, file permissions and the version of Claude Code. Its own runs are not logged.

Exit status: 0 everything is fine, 1 there are warnings, 3 the hook does not work.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := a.Places()
			if err != nil {
				return err
			}
			s, settingsErr := gate.Load(d, a.Cwd, a.Environ)
			r := checkAll(cmd.Context(), a, d, s, settingsErr, newProbe(a, d, s))
			if asJSON {
				if err := a.PrintJSON(r); err != nil {
					return err
				}
			} else {
				print(a, r)
			}
			switch r.Status {
			case statusFail:
				return &app.Error{Code: 3}
			case statusWarn:
				return app.ErrFindings
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

func checkAll(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings, settingsErr error,
	p probes) report {
	c := &checkup{App: a, dirs: d, settings: s, probe: p, files: a.Session(d).Read()}
	c.ownSettings(settingsErr)
	c.variables()
	c.programs()
	c.hostSettings()
	others := c.registeredElsewhere()
	if hook := c.registration(len(others)); hook != nil {
		c.answers(ctx, *hook)
		c.survives(ctx, *hook)
	}
	for _, e := range others {
		c.otherHost(ctx, e)
	}
	c.folders()
	c.index(ctx)
	c.leftOut(ctx)
	c.libraries()
	c.synonyms(ctx)
	c.journal(ctx)
	c.experiment()
	c.permissions()
	c.plugin(ctx, c.client(ctx))
	c.listing(ctx)
	c.rerank(ctx)
	r := report{Status: statusOK, Findings: c.findings}
	for _, f := range c.findings {
		if f.Status == statusFail || f.Status == statusWarn && r.Status == statusOK {
			r.Status = f.Status
		}
	}
	return r
}

type checkup struct {
	*app.App
	dirs     dirs.Dirs
	settings gate.Settings
	probe    probes
	files    []hostfile.File
	foreign  []*disk.ForeignError
	findings []finding
}

func (c *checkup) add(check string, s status, fix, format string, args ...any) {
	c.findings = append(c.findings, finding{Check: check, Status: s, Text: fmt.Sprintf(c.T(format), args...),
		Fix: c.T(fix)})
}

func print(a *app.App, r report) {
	for _, f := range r.Findings {
		fmt.Fprintf(a.Stdout, "%-4s  %-12s  %s\n", f.Status, f.Check, f.Text)
		if f.Fix != "" && f.Status != statusOK {
			fmt.Fprintf(a.Stdout, "%-4s  %-12s  %s\n", "", "", fmt.Sprintf(a.T("fix: %s"), f.Fix))
		}
	}
}

const hookRuns = 5

// Limits of one run, from start to exit. A healthy hook takes 10 ms; people may notice 100 ms.
const (
	slowHook = 100 * time.Millisecond
	maxHook  = 2 * time.Second
)
