package replay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/triage"
)

// Found is a skill of the current indexes.
type Found struct{ ID, Name, Path, Hash string }

// Finder looks skills up in the current indexes. A nil answer means that there is
// none.
type Finder interface {
	ByUse(cwd string, use journal.Outcome) *Found
	ByID(id string) *Found
}

// goldLine is a line of a gold file: what `bench --prompts` reads, and what
// replay adds. hashes holds the content hash of each skill of gold when the label
// was confirmed.
type goldLine struct {
	ID     string            `json:"id"`
	Query  string            `json:"query"`
	Lang   string            `json:"lang,omitempty"`
	Gold   []string          `json:"gold"`
	AlsoOK []string          `json:"also_ok,omitempty"`
	Kind   string            `json:"kind,omitempty"`
	Hashes map[string]string `json:"hashes,omitempty"`
	Names  map[string]string `json:"names,omitempty"`
	From   string            `json:"from,omitempty"` // Skill or read: how the use was reported
	Cwd    string            `json:"cwd,omitempty"`
}

// Gold is the source of a gold file. A label whose skill has another content now,
// or is gone, is stale: it says nothing about the gate. Labels without a hash hold
// as long as their skill exists.
func Gold(file string, find Finder) Source {
	return func(_ context.Context, f store.Filter, notes *Notes, yield func(*Prompt) error) error {
		in, err := os.Open(file)
		if err != nil {
			return err
		}
		defer in.Close()
		notes.Files++
		n := 0
		return EachLine(in, func(text []byte) error {
			n++
			notes.Lines++
			var g goldLine
			if err := json.Unmarshal(text, &g); err != nil || g.Query == "" {
				notes.Damaged++
				notes.Addf("%s:%d: no gold line: want {\"id\",\"query\",\"gold\":[ids]}", file, n)
				return nil
			}
			if g.ID == "" {
				g.ID = strconv.Itoa(n)
			}
			p := &Prompt{
				Source: "gold", ID: g.ID, Text: g.Query, Level: journal.Full, Lang: triage.Classify(g.Query).Lang, Cwd: g.Cwd,
				Labels: []Label{}, Nothing: len(g.Gold)+len(g.AlsoOK) == 0,
			}
			for _, id := range append(g.Gold, g.AlsoOK...) {
				l := Label{ID: id, Name: g.Names[id], Hash: g.Hashes[id]}
				now := find.ByID(id)
				l.Stale = now == nil || l.Hash != "" && l.Hash != now.Hash
				p.Labels = append(p.Labels, l)
			}
			if Matches(f, p) {
				return yield(p)
			}
			return nil
		})
	}
}

// GoldWritten counts what WriteGold did.
type GoldWritten struct {
	Labels  int `json:"labels"`
	Unknown int `json:"unknown"` // prompts without a confirmed use
	Missing int `json:"missing"` // uses of skills that no index holds
	NoText  int `json:"no_text"` // confirmed, but the prompt's text was not kept
}

// WriteGold writes a new gold file (mode 0600) from confirmed uses: prompts after
// which the model loaded or read a skill that is installed. It never overwrites.
func WriteGold(ctx context.Context, file string, source Source, f store.Filter, find Finder,
	notes *Notes) (w GoldWritten, err error) {
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return w, err
	}
	buf := bufio.NewWriter(out)
	defer func() { err = errors.Join(err, buf.Flush(), out.Close()) }()
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	seen := map[string]bool{}
	return w, source(ctx, f, notes, func(p *Prompt) error {
		uses := p.Used()
		if len(uses) == 0 {
			w.Unknown++
			return nil
		}
		if p.Form() != Exact {
			w.NoText++
			return nil
		}
		if triage.Classify(p.Text).Kind != triage.Search || seen[p.Text] {
			return nil
		}
		seen[p.Text] = true
		g := goldLine{ID: p.ID, Query: p.Text, Lang: p.Lang, Gold: []string{}, Hashes: map[string]string{},
			Names: map[string]string{}, From: uses[0].Tool, Cwd: p.Cwd}
		for _, u := range uses {
			s := find.ByUse(p.Cwd, u)
			if s == nil {
				w.Missing++
				continue
			}
			if g.Hashes[s.ID] == "" {
				g.Gold = append(g.Gold, s.ID)
				g.Hashes[s.ID], g.Names[s.ID] = s.Hash, s.Name
			}
		}
		if len(g.Gold) == 0 {
			return nil
		}
		w.Labels++
		if err := enc.Encode(g); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return nil
	})
}
