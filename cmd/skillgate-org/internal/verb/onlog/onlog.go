// Package onlog implements the commands that run skillgate's report, advise and stats on the logs of all machines.
package onlog

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/replay"
)

type options struct {
	app     *app.App
	verb    string
	team    string
	days    int
	program string
}

// New returns the commands report, advise and stats.
func New(a *app.App) []*cobra.Command {
	var out []*cobra.Command
	for _, verb := range []string{"report", "advise", "stats"} {
		o := &options{app: a, verb: verb}
		cmd := &cobra.Command{
			Use:   verb + " [flags] FILE... [-- SKILLGATE-FLAGS]",
			Short: "Run skillgate " + verb + " on the logs of all machines",
			Long: verb + " reads the files in which an OpenTelemetry Collector stores exported logs and runs\n" +
				"`skillgate " + verb + "` on these logs, with the flags after --. Replays use the skills of this machine and\n" +
				"need prompts, which machines send only if the setting export.prompts allows it.",
			Example: "  skillgate-org " + verb + " --team payments decisions*.jsonl",
			Args:    cobra.MinimumNArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				files, flags := args, []string(nil)
				if dash := cmd.ArgsLenAtDash(); dash >= 0 {
					files, flags = args[:dash], args[dash:]
				}
				return o.run(cmd.Context(), files, flags)
			},
		}
		cmd.Flags().StringVar(&o.team, "team", "", "read only the logs of `TEAM`")
		cmd.Flags().IntVar(&o.days, "days", 30, "read only the logs of the last `N` days")
		cmd.Flags().StringVar(&o.program, "skillgate", "skillgate", "run this `PROGRAM` as skillgate")
		out = append(out, cmd)
	}
	return out
}

func (o *options) run(ctx context.Context, files, flags []string) error {
	a := o.app
	switch {
	case o.days < 1:
		return app.Usage("--days is %d but must be 1 or more", o.days)
	case len(files) == 0:
		return app.Fail("pass the file that the collector's file exporter writes, such as decisions.jsonl", "no FILE given")
	case len(flags) > 0 && !strings.HasPrefix(flags[0], "-"):
		return app.Fail("only flags may follow --; to apply a proposal, run `skillgate advise apply`",
			"%q is not a flag", flags[0])
	}
	program, err := exec.LookPath(o.program)
	if err != nil {
		return app.Hint(err, "install skillgate on this machine, or set --skillgate to its path")
	}
	tmp, err := disk.NewTemp("", "skillgate-org-")
	if err != nil {
		return err
	}
	defer tmp.Remove()
	dir := tmp.Path
	for i := range files {
		files[i] = a.Absolute(files[i])
	}
	sum, err := write(files, o.team, a.Now().AddDate(0, 0, -o.days), filepath.Join(dir, "skillgate"))
	if err != nil {
		return err
	}
	if sum.unread > 0 {
		a.Note("lines skipped because they are not OTLP: %d", sum.unread)
	}
	if sum.decisions == 0 {
		return app.Fail("run `skillgate-org export` on the machines first",
			"no matching decisions in the last %d days", o.days)
	}
	if err := o.withExpansions(filepath.Join(dir, "skillgate")); err != nil {
		return err
	}
	if o.verb == "advise" {
		a.Note("`skillgate advise apply` cannot apply these proposals, because it uses only the log of this machine")
	}
	cmd := exec.CommandContext(ctx, program, append([]string{o.verb}, flags...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = a.Stdin, a.Stdout, a.Stderr, a.Cwd
	cmd.Env = append(a.Environ, "XDG_STATE_HOME="+dir)
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() > 0 {
		return &app.Error{Code: exit.ExitCode()}
	}
	return err
}

// withExpansions copies the phrases that `skillgate enrich` wrote on this machine to dir, because replays search with
// them.
func (o *options) withExpansions(dir string) error {
	d, err := o.app.Places()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(d.State, enrich.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return disk.Write(filepath.Join(dir, enrich.File), text, disk.Options{})
}

// message is one line of a collector's file, an OTLP request as JSON. It has only the fields that are used here.
type message struct {
	ResourceLogs []struct {
		Resource  struct{ Attributes attributes }
		ScopeLogs []struct {
			LogRecords []struct {
				Attributes attributes
				Body       struct{ StringValue string }
			}
		}
	}
}

type attributes []struct {
	Key   string
	Value value
}

type value struct {
	StringValue string
	BoolValue   bool
}

func (a attributes) get(key string) (v value) {
	for _, kv := range a {
		if kv.Key == key {
			v = kv.Value
		}
	}
	return v
}

type written struct {
	decisions int
	unread    int // lines that are not OTLP
}

// write creates the folder dir with a journal of the records since the given time. If team is not empty, it writes only
// records of that team. Records of other programs are left out. Duplicates stay, because the journal's database removes
// them.
func write(files []string, team string, since time.Time, dir string) (sum written, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return sum, err
	}
	out, err := os.OpenFile(filepath.Join(dir, journal.File), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return sum, err
	}
	w := bufio.NewWriter(out)
	put := json.NewEncoder(w)
	for _, file := range files {
		if err = eachLine(file, func(line []byte) error {
			m, ok := parse(line)
			if !ok {
				sum.unread++
				return nil
			}
			n, err := m.write(put, team, since)
			sum.decisions += n
			return err
		}); err != nil {
			break
		}
	}
	return sum, errors.Join(err, w.Flush(), out.Close())
}

func eachLine(file string, do func(line []byte) error) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := replay.EachLine(in, do); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// parse parses a line. After a message that was cut off because the collector was killed, the next message follows on
// the same line. The cut-off message was not acknowledged and will be sent again.
func parse(line []byte) (m message, ok bool) {
	if json.Unmarshal(line, &m) == nil {
		return m, true
	}
	m = message{}
	at := bytes.LastIndex(line, []byte(`{"resourceLogs":`))
	return m, at > 0 && json.Unmarshal(line[at:], &m) == nil
}

// write writes the selected records of the message and returns the number of decisions. Each decision gets its own id
// as prompt id, because prompt ids are unique only within one machine.
func (m *message) write(put *json.Encoder, team string, since time.Time) (decisions int, err error) {
	for _, of := range m.ResourceLogs {
		if team != "" && of.Resource.Attributes.get("team").StringValue != team {
			continue
		}
		for _, scoped := range of.ScopeLogs {
			for _, record := range scoped.LogRecords {
				var r journal.Record
				if json.Unmarshal([]byte(record.Body.StringValue), &r) != nil || r.Time.Before(since) {
					continue
				}
				switch {
				case r.Decision != nil:
					decisions++
					r.PromptID = r.ID
					turn := journal.New(journal.KindTurn, r.Time.Add(time.Millisecond))
					turn.Session, turn.PromptID, turn.Of = r.Session, r.ID, r.ID
					turn.Over = record.Attributes.get("skillgate.turn.over").BoolValue
					err = errors.Join(put.Encode(r), put.Encode(turn))
				case r.Outcome != nil:
					r.PromptID = record.Attributes.get("skillgate.decision").StringValue
					err = put.Encode(r)
				}
				if err != nil {
					return decisions, err
				}
			}
		}
	}
	return decisions, nil
}
