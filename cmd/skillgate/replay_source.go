package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/replay"
)

// replaySource is where prompts come from.
type replaySource struct {
	source replay.Source
	filter store.Filter
	logged bool // it has decisions
	total  int  // prompts, 0 where that is not known before
	close  func() error
}

// replaySource opens what --from names.
func (e *env) replaySource(ctx context.Context, m *sideMaker, f *replayFlags) (*replaySource, error) {
	filter, err := f.filter.filter(e)
	if err != nil {
		return nil, err
	}
	src := &replaySource{filter: filter, close: func() error { return nil }}
	if f.from == "" {
		db, err := e.openJournal(ctx)
		if err != nil {
			return nil, err
		}
		src.source, src.logged, src.close = replay.Journal(db), true, db.Close
		stats, err := db.Size(ctx)
		if err == nil && stats.Decisions == 0 {
			err = &exitError{code: 3, err: fmt.Errorf("the journal is empty"), hint: "`skillgate replay --from transcripts` replays what was typed before skillgate was installed"}
		}
		src.total = stats.Decisions
		return src, err
	}
	path := e.absolute(f.from)
	if f.from == "transcripts" {
		path = filepath.Join(m.dirs.Claude, "projects")
	}
	kind, err := sniff(path)
	if err != nil {
		return nil, &exitError{code: 3, err: fmt.Errorf("--from %s: %w", f.from, err), hint: "want a file of `skillgate log export`, a transcript, a folder of transcripts or a gold file"}
	}
	if kind != kindExport && f.filter.follow != "" {
		return nil, &exitError{code: 3, err: fmt.Errorf("--followed chooses logged decisions; --from %s has none", f.from)}
	}
	switch kind {
	case kindExport:
		folder, err := os.MkdirTemp(m.tmp, "export-")
		if err != nil {
			return nil, err
		}
		runs := 0
		src.logged = true
		src.source = func(ctx context.Context, f store.Filter, n *replay.Notes, yield func(*replay.Prompt) error) error {
			runs++ // each run folds into a database of its own
			sub := filepath.Join(folder, fmt.Sprint(runs))
			if err := os.Mkdir(sub, 0o700); err != nil {
				return err
			}
			defer os.RemoveAll(sub)
			return replay.Export(path, sub)(ctx, f, n, yield)
		}
	case kindGold:
		find, err := e.finder(ctx, m, &f.change)
		if err != nil {
			return nil, err
		}
		src.source = replay.Gold(path, find)
	default:
		s, err := e.settings(m.dirs)
		if err != nil {
			return nil, err
		}
		o := observer{env: e, dirs: m.dirs, settings: s}
		bar := e.progress("reading transcripts (MB)", false)
		src.source = replay.Transcripts(path, o.skillFile, func(done, total int64) { bar.set(int(done>>20), int(total>>20)) })
	}
	return src, nil
}

const (
	kindExport     = "export"
	kindGold       = "gold"
	kindTranscript = "transcript"
)

// sniff tells what a path is by its first lines. A folder is one of transcripts.
func sniff(path string) (string, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return "", unwrapPath(err)
	}
	if fi.IsDir() {
		return kindTranscript, nil
	}
	if !fi.Mode().IsRegular() {
		return "", fmt.Errorf("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", unwrapPath(err)
	}
	defer f.Close()
	r := bufio.NewReaderSize(io.LimitReader(f, 8<<20), 1<<16)
	for range 200 { // lines: transcripts may begin with snapshots of every kind
		line, err := r.ReadBytes('\n')
		var x struct {
			V         int              `json:"v"`
			Kind      journal.Kind     `json:"kind"`
			Query     *string          `json:"query"`
			Gold      *json.RawMessage `json:"gold"`
			Type      string           `json:"type"`
			SessionID string           `json:"sessionId"`
			UUID      string           `json:"uuid"`
		}
		_ = json.Unmarshal(bytes.TrimSpace(line), &x) // a field of another type leaves the others
		switch {
		case x.V > 0 && x.Kind != "":
			return kindExport, nil
		case x.Query != nil && x.Gold != nil:
			return kindGold, nil
		case x.Type != "" && (x.SessionID != "" || x.UUID != ""):
			return kindTranscript, nil
		}
		if err != nil {
			break
		}
	}
	if strings.HasSuffix(path, ".db") {
		return "", fmt.Errorf("a database: `skillgate log export` makes a file of it")
	}
	return "", fmt.Errorf("neither journal lines, a transcript nor a gold file")
}
