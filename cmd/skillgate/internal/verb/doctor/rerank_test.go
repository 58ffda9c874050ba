package doctor

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/model"
)

func TestRerankFindings(t *testing.T) {
	const good = `echo '{"runtime":"1.24.3","library":"/lib/libonnxruntime.so.1","scale":2,"ms_per_token":0.05,"load_ms":80,"right":7,"asked":8}'`
	tests := []struct {
		name    string
		probe   string // shell command that the helper runs as a probe
		version string // version of the helper
		prepare func(t *testing.T, p *apptest.Home, s *gate.Settings, c rerank.Config)
		want    string // part of the finding that is not ok, or ""
		fix     string
	}{
		{name: "all is well", probe: good},
		{name: "no program", want: "neither in the folder of", fix: "./install.sh --with-rerank",
			prepare: func(t *testing.T, p *apptest.Home, _ *gate.Settings, _ rerank.Config) { t.Setenv("PATH", "/bin") }},
		{name: "program that does not run", version: "; exit 1", want: "exit status 1", fix: "./install.sh --with-rerank"},
		{name: "program of another version", probe: good, version: "v0.0.1", want: "has version v0.0.1", fix: "./install.sh --with-rerank"},
		{name: "no model", want: "the rerank model is not installed", fix: "skillgate rerank install DIR",
			prepare: func(t *testing.T, _ *apptest.Home, _ *gate.Settings, c rerank.Config) { os.RemoveAll(c.Models) }},
		{name: "changed model", want: "has changed since it was installed", fix: "skillgate rerank install DIR",
			prepare: func(t *testing.T, p *apptest.Home, _ *gate.Settings, c rerank.Config) {
				p.Write(t, filepath.Join(c.Models, "tiny", "tokenizer.bin"), "x", 0o600)
			}},
		{name: "damaged model of the same size and time", want: "SHA-256", fix: "skillgate rerank install DIR",
			prepare: func(t *testing.T, p *apptest.Home, _ *gate.Settings, c rerank.Config) {
				file := filepath.Join(c.Models, "tiny", "tokenizer.bin")
				fi, err := os.Stat(file)
				require.NoError(t, err)
				p.Write(t, file, strings.Repeat("x", int(fi.Size())), 0o600)
				require.NoError(t, os.Chtimes(file, fi.ModTime(), fi.ModTime()))
			}},
		{name: "no library", probe: "echo 'skillgate-rerank: no usable libonnxruntime (libonnxruntime.so.1: not found)' " +
			">&2; exit 3", want: "no usable libonnxruntime", fix: "set rerank.library"},
		{name: "model that does not load",
			probe: "echo 'skillgate-rerank: load model tiny: the model file is damaged' >&2; exit 3", want: "is damaged",
			fix: "skillgate rerank install DIR"},
		{name: "slow model", probe: strings.Replace(good, "0.05", "5", 1), want: "with 128 tokens in total take 640.0 ms", fix: "set rerank.deadline_ms to 753"},
		{name: "start that failed", probe: good, want: "s ago: no room", fix: "skillgate rerank start",
			prepare: func(t *testing.T, p *apptest.Home, _ *gate.Settings, c rerank.Config) {
				p.Now = time.Now
				require.NoError(t, c.Place.SetAttempt(rerank.Attempt{Want: c.Want(), Reason: "no room"}))
			}},
		{name: "folder that others can read", probe: good, want: "the mode is 0755 but must be 0700", fix: "remove ",
			prepare: func(t *testing.T, _ *apptest.Home, _ *gate.Settings, c rerank.Config) { os.Chmod(c.Place.Dir, 0o755) }},
		{name: "folder that is a link", probe: good, want: "not a folder", fix: "remove ",
			prepare: func(t *testing.T, _ *apptest.Home, _ *gate.Settings, c rerank.Config) {
				os.RemoveAll(c.Place.Dir)
				require.NoError(t, os.Symlink(t.TempDir(), c.Place.Dir))
			}},
		{name: "file in place of the socket", probe: good, want: "not a socket", fix: "remove ",
			prepare: func(t *testing.T, p *apptest.Home, _ *gate.Settings, c rerank.Config) {
				p.Write(t, c.Place.Socket(), "", 0o600)
			}},
		{name: "helper that refuses", probe: good, want: "refused 14 of 15 prompts; last reason: too slow here", fix: "raise rerank.deadline_ms",
			prepare: func(t *testing.T, p *apptest.Home, s *gate.Settings, _ rerank.Config) {
				apptest.StartHelper(t, p, *s, rerank.Status{Ready: true, Version: build.Read().Version, Ranked: 1, Refused: 14, LastReason: "too slow here"})
			}},
		{name: "helper of another version", probe: good, want: "has version v0.0.1", fix: "skillgate rerank stop",
			prepare: func(t *testing.T, p *apptest.Home, s *gate.Settings, _ rerank.Config) {
				apptest.StartHelper(t, p, *s, rerank.Status{Ready: true, Version: "v0.0.1"})
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := apptest.NewInProject(t)
			s := gate.Default()
			s.Rerank.Enabled = true
			d, err := p.Places()
			require.NoError(t, err)
			c := p.Helper(d, s).Config()
			installTiny(t, c.Models)
			require.NoError(t, c.Place.Make(os.Getuid()))
			t.Cleanup(func() { os.RemoveAll(c.Place.Dir) })
			if tt.version == "" {
				tt.version = "'" + build.Read().Version + "'"
			}
			bin := t.TempDir()
			p.Write(t, filepath.Join(bin, "skillgate-rerank"),
				fmt.Sprintf("#!/bin/sh\ncase $1 in version) echo %s;; probe) %s;; esac\n", tt.version, cmp.Or(tt.probe, "exit 3")),
				0o700)
			t.Setenv("PATH", bin+":/usr/bin:/bin")
			if tt.prepare != nil {
				tt.prepare(t, p, &s, c)
			}
			all := checkAll(t.Context(), p.App, d, s, nil, healthy())
			var bad []finding
			n := 0
			for _, f := range all.Findings {
				if f.Check != "rerank" {
					continue
				}
				n++
				if f.Status != statusOK {
					bad = append(bad, f)
				}
			}
			if tt.want == "" {
				require.Empty(t, bad)
				assert.Equal(t, 4, n)
				return
			}
			if len(bad) != 1 || bad[0].Status != statusWarn || !strings.Contains(bad[0].Text, tt.want) || !strings.Contains(bad[0].Fix, tt.fix) {
				t.Errorf("doctor: %+v, want one warning with %q and the next step %q", bad, tt.want, tt.fix)
			}
		})
	}
}

func TestDoctorSaysNothingOfRerankingThatIsOff(t *testing.T) {
	p := apptest.NewInProject(t)
	d, err := p.Places()
	require.NoError(t, err)
	for _, f := range checkAll(t.Context(), p.App, d, gate.Default(), nil, healthy()).Findings {
		assert.NotEqual(t, "rerank", f.Check)
	}
}

func installTiny(t *testing.T, store string) {
	t.Helper()
	staged, err := model.Stage(filepath.Join("..", "..", "..", "..", "..", "testdata", "rerank", "tiny"), store, "", time.Now())
	require.NoError(t, err)
	_, err = staged.Commit(model.Probe{})
	require.NoError(t, err)
}
