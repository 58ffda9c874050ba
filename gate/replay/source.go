package replay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/secret"
)

// A Source passes prompts to yield until yield fails or no prompts are left. It counts unreadable lines in notes.
type Source func(ctx context.Context, f store.Filter, notes *Notes, yield func(*Prompt) error) error

// Notes counts the prompts and lines that a source read or left out. Results are partial if Damaged is not 0.
type Notes struct {
	Lines    int      `json:"lines"`    // number of lines read
	Damaged  int      `json:"damaged"`  // lines that are not JSON, for example because they are truncated
	Machine  int      `json:"machine"`  // prompts written by the host, not by the user
	Repeated int      `json:"repeated"` // lines that also occur in another file, for example after a session was resumed
	Files    int      `json:"files"`
	Text     []string `json:"notes,omitempty"` // messages to the user
}

// Addf adds a note to Text.
func (n *Notes) Addf(format string, args ...any) {
	n.Text = append(n.Text, fmt.Sprintf(format, args...))
}

// Fixed returns a source with the given prompts.
func Fixed(prompts []*Prompt) Source {
	return func(_ context.Context, _ store.Filter, _ *Notes, yield func(*Prompt) error) error {
		for _, p := range prompts {
			if err := yield(p); err != nil {
				return err
			}
		}
		return nil
	}
}

// Journal returns a source that reads from an open journal. The database is locked until the source has finished.
func Journal(db *store.DB) Source { return fromStore(db, "journal") }

func fromStore(db *store.DB, name string) Source {
	return func(ctx context.Context, f store.Filter, notes *Notes, yield func(*Prompt) error) error {
		return db.Each(ctx, f, func(e store.Entry) error {
			notes.Lines++
			return yield(fromEntry(&e, name))
		})
	}
}

func fromEntry(e *store.Entry, source string) *Prompt {
	d := e.Decision
	return &Prompt{
		Source: source, ID: e.ID, Time: e.Time, Session: e.Session, PromptID: e.PromptID, Cwd: e.Cwd, Client: e.Client,
		Text: secret.Redact(d.Prompt), Terms: e.Terms, Level: e.Prompts, Cut: e.Cut, Repeat: d.Reason == gate.Repeat,
		Lang:     d.Lang,
		Recorded: d, Settings: e.Settings, Skillgate: e.Skillgate,
		Uses: e.Outcomes, Over: e.Over,
	}
}

// Export returns a source that reads file, a JSON Lines file from `log export` or a copy of journal.jsonl. It folds the
// records into a database in the folder tmp, which joins outcomes with their decisions.
func Export(file, tmp string) Source {
	return func(ctx context.Context, f store.Filter, notes *Notes, yield func(*Prompt) error) error {
		db, err := openExport(ctx, file, tmp, notes)
		if err != nil {
			return err
		}
		defer db.Close()
		return fromStore(db, "export")(ctx, f, notes, yield)
	}
}

func openExport(ctx context.Context, file, tmp string, notes *Notes) (*store.DB, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := os.OpenFile(filepath.Join(tmp, journal.File), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(out, 1<<20)
	err = EachLine(in, func(line []byte) error {
		if bytes.Contains(line, []byte(`"outcomes":[`)) && bytes.Contains(line, []byte(`"decision":{`)) {
			return errors.New("the file contains output of `skillgate log --json`; use `skillgate log export` instead")
		}
		_, err := w.Write(append(line, '\n'))
		return err
	})
	if err = errors.Join(err, w.Flush(), out.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	db, err := store.Open(ctx, tmp)
	if err != nil {
		return nil, err
	}
	sum, err := db.Fold(ctx, time.Now(), time.Second)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	notes.Files++
	if notes.Damaged += sum.Bad; sum.Bad > 0 {
		notes.Addf("%s: %d lines are not journal records", file, sum.Bad)
	}
	if sum.Added == 0 {
		return nil, errors.Join(fmt.Errorf("%s contains no journal records", file), db.Close())
	}
	return db, nil
}

// MaxLine is the maximum length of a line in bytes; longer lines are skipped. Transcripts with pasted images have lines
// of several megabytes.
const MaxLine = 64 << 20

// EachLine calls fn with every line of r, without the line end. fn must not retain the line.
func EachLine(r io.Reader, fn func(line []byte) error) error {
	br := bufio.NewReaderSize(r, 1<<20)
	var held []byte
	for {
		part, err := br.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			if len(held) < MaxLine {
				held = append(held, part...)
			}
			continue
		}
		line := part
		if len(held) > 0 {
			if len(held) < MaxLine {
				held = append(held, part...)
			}
			line = held
		}
		if err != nil && err != io.EOF {
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 && len(line) < MaxLine {
			if ferr := fn(line[:len(line):len(line)]); ferr != nil {
				return ferr
			}
		}
		if cap(held) > 4<<20 {
			held = nil
		}
		held = held[:0]
		if err == io.EOF {
			return nil
		}
	}
}

// Matches reports whether f selects p. It serves sources without a database. f's Skill is compared with the used
// skills, and its Verdict and Reason with the logged decision.
func Matches(f store.Filter, p *Prompt) bool {
	switch {
	case !f.Since.IsZero() && p.Time.Before(f.Since),
		!f.Until.IsZero() && !p.Time.Before(f.Until),
		!strings.HasPrefix(p.Session, f.Session),
		f.Lang != "" && p.Lang != f.Lang,
		f.Project != "" && p.Cwd != f.Project && !strings.HasPrefix(p.Cwd, strings.TrimSuffix(f.Project, "/")+"/"),
		f.Verdict != "" && (p.Recorded == nil || string(p.Recorded.Verdict) != f.Verdict),
		f.Reason != "" && (p.Recorded == nil || string(p.Recorded.Reason) != f.Reason):
		return false
	}
	if f.Skill == "" {
		return true
	}
	for _, u := range p.Uses {
		if journal.SameSkill(u.Skill, f.Skill) {
			return true
		}
	}
	return false
}
