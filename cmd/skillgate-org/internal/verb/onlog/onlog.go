// Package onlog are the commands that run skillgate's report, advise and stats on what all
// machines have sent.
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

// New returns the commands.
func New(a *app.App) []*cobra.Command {
	var out []*cobra.Command
	for _, verb := range []string{"report", "advise", "stats"} {
		o := &options{app: a, verb: verb}
		cmd := &cobra.Command{
			Use:   verb + " FILE... [-- FLAGS OF skillgate " + verb + "]",
			Short: "Run skillgate " + verb + " on what all machines have sent",
			Long: verb + " reads the files in which an OpenTelemetry Collector keeps what machines export, writes them to a\n" +
				"log in a temporary folder and runs `skillgate " + verb + "` on it. Replays need prompts, which machines\n" +
				"send only as the setting export.prompts says, and use the skills of this machine.",
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
		cmd.Flags().StringVar(&o.team, "team", "", "only machines of `TEAM`")
		cmd.Flags().IntVar(&o.days, "days", 30, "the last `N` days")
		cmd.Flags().StringVar(&o.program, "skillgate", "skillgate", "`PROGRAM` to run")
		out = append(out, cmd)
	}
	return out
}

func (o *options) run(ctx context.Context, files, flags []string) error {
	a := o.app
	switch {
	case o.days < 1:
		return app.Usage("--days is %d, want 1 or more", o.days)
	case len(files) == 0:
		return app.Fail("the exporter file of the collector writes it, as decisions.jsonl", "there is no FILE to read")
	case len(flags) > 0 && !strings.HasPrefix(flags[0], "-"):
		return app.Fail("the log of all machines is read only; `skillgate advise apply` on a machine applies what its own "+
			"log shows", "%q is not a flag", flags[0])
	}
	program, err := exec.LookPath(o.program)
	if err != nil {
		return app.Hint(err, "install skillgate on this machine, or give its path with --skillgate")
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
		a.Note("%d lines are not OTLP and were passed over", sum.unread)
	}
	if sum.decisions == 0 {
		return app.Fail("machines send it with `skillgate-org export`", "nothing was sent in this time")
	}
	if err := o.withExpansions(filepath.Join(dir, "skillgate")); err != nil {
		return err
	}
	if o.verb == "advise" {
		a.Note("what follows rests on all machines; `skillgate advise apply` applies what this machine's own log shows")
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

// withExpansions copies what `skillgate enrich` has written on this machine to the folder of the
// log: replays search with it.
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

// message is a line of a collector's file: an OTLP request in JSON, as far as it is read.
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
	Value struct {
		StringValue string
		BoolValue   bool
	}
}

func (a attributes) text(key string) string {
	for _, kv := range a {
		if kv.Key == key {
			return kv.Value.StringValue
		}
	}
	return ""
}

func (a attributes) truth(key string) bool {
	for _, kv := range a {
		if kv.Key == key {
			return kv.Value.BoolValue
		}
	}
	return false
}

type written struct {
	decisions int
	unread    int // lines that are not OTLP
}

// write makes a journal in the folder dir, which it creates, of the records of a team, or of all
// teams if team is empty, that are not older than since. Records of other programs are left out.
// A record that was sent twice is written twice: the journal's database keeps one of each id.
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

// parse reads a line. If a collector was killed while it wrote, the next message follows on the
// same line; the killed one was not acknowledged and comes again.
func parse(line []byte) (m message, ok bool) {
	if json.Unmarshal(line, &m) == nil {
		return m, true
	}
	m = message{}
	at := bytes.LastIndex(line, []byte(`{"resourceLogs":`))
	return m, at > 0 && json.Unmarshal(line[at:], &m) == nil
}

// write puts the message's records that are chosen, and returns how many decisions there were.
// The turn of each is its own, under its id: prompt ids are unique only on a machine.
func (m *message) write(put *json.Encoder, team string, since time.Time) (decisions int, err error) {
	for _, of := range m.ResourceLogs {
		if team != "" && of.Resource.Attributes.text("team") != team {
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
					turn.Over = record.Attributes.truth("skillgate.turn.over")
					err = errors.Join(put.Encode(r), put.Encode(turn))
				case r.Outcome != nil:
					r.PromptID = record.Attributes.text("skillgate.decision")
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
