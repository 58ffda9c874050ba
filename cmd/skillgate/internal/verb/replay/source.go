package replay

import (
	"bytes"
	"context"
	"errors"
	"os"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/replay/lab"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/transcript"
)

type prompts struct {
	source replay.Source
	filter store.Filter
	logged bool // the prompts have logged decisions
	total  int  // number of prompts, 0 if unknown in advance
	ownBar bool // the source shows its own progress
	close  func() error
}

func openSource(ctx context.Context, a *app.App, m *lab.Lab, f *Options) (src *prompts, err error) {
	filter, err := f.filter.Parse(a)
	if err != nil {
		return nil, err
	}
	src = &prompts{filter: filter, close: func() error { return nil }}
	if f.from == "" {
		db, err := logged.Open(ctx, a)
		if err != nil {
			return nil, err
		}
		src.source, src.logged, src.close = replay.Journal(db), true, db.Close
		src.total, err = db.Decisions(ctx)
		if err == nil && src.total == 0 {
			err = app.Fail("`skillgate replay --from transcripts` replays prompts typed before skillgate was installed",
				"the log is empty")
		}
		return src, err
	}
	path := a.Absolute(f.from)
	if f.from == "transcripts" {
		path = hooks.Claude.Transcripts(m.Dirs.Home, a.Getenv)
	}
	export, err := isExport(path)
	if err != nil {
		return nil, app.Fail("use a file written by `skillgate log export`, a transcript or a folder of transcripts",
			"--from %s: %w", f.from, err)
	}
	if !export && filter.Verdict+filter.Reason+string(filter.Followed) != "" {
		return nil, app.Usage("--verdict, --reason and --followed need logged decisions; --from %s has none", f.from)
	}
	if export {
		src.logged = true
		src.source = func(ctx context.Context, f store.Filter, n *replay.Notes, yield func(*replay.Prompt) error) error {
			folder, err := disk.NewTemp(m.Tmp, "export-") // each run has its own database
			if err != nil {
				return err
			}
			defer folder.Remove()
			return replay.Export(path, folder.Path)(ctx, f, n, yield)
		}
	} else {
		src.ownBar = true
		if src.source, err = transcripts(a, m, path); err != nil {
			return nil, err
		}
	}
	return src, nil
}

func transcripts(a *app.App, m *lab.Lab, path string) (replay.Source, error) {
	s, err := a.Settings(m.Dirs)
	if err != nil {
		return nil, err
	}
	bar := a.Progress("reading transcripts (MB)", false)
	return transcript.Source(path, func(file string) bool {
		return catalog.IsSkillFile(file, m.Dirs, s.Libraries)
	}, func(done, total int64) {
		if bar.Set(int(done>>20), int(total>>20)); done == total {
			bar.Done()
		}
	}), nil
}

func isExport(path string) (bool, error) {
	if fi, err := os.Stat(path); err != nil || fi.IsDir() {
		return false, regular.Reason(err)
	}
	head, err := regular.Head(path, 5)
	switch {
	case err != nil:
		return false, regular.Reason(err)
	case string(head) == `{"v":`:
		return true, nil
	case !bytes.HasPrefix(head, []byte("{")):
		return false, errors.New("the file is neither a log export nor a transcript")
	}
	return false, nil
}
