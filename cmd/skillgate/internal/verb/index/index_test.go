package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/experiment"
)

func TestIndexEndsAnExperiment(t *testing.T) {
	h := apptest.NewInProject(t)
	p, err := experiment.New(h.Now().AddDate(0, 0, -9), 0.5, experiment.BySession, 7, 0.1, 0, 8)
	require.NoError(t, errors.Join(err, experiment.Start(h.State, p)))
	environ := h.Environ
	for _, disabled := range []bool{true, false} {
		h.Environ = append(environ, fmt.Sprintf("SKILLGATE_DISABLED=%v", disabled))
		_, err := h.Run(New(h.App), "--background")
		require.NoError(t, err)
		if p, err := experiment.Load(h.State); err != nil || (p != nil) != disabled {
			t.Errorf("disabled: %v; the experiment whose time is over: %+v, %v", disabled, p, err)
		}
	}
}

func TestIndexBelow(t *testing.T) {
	h := apptest.NewInProject(t)
	good := filepath.Join(h.Cwd, "packages/web/.claude/skills")
	h.Write(t, filepath.Join(good, "web-forms/SKILL.md"), "---\nname: web-forms\ndescription: Fills web forms.\n---\n", 0o600)
	h.Write(t, filepath.Join(h.Cwd, "file/.claude/skills"), "no folder", 0o600)
	require.NoError(t, os.MkdirAll(filepath.Join(h.Cwd, "packages/web/src"), 0o700))
	if out, err := h.Run(New(h.App), "--below", good); err != nil || !strings.Contains(out, good+": 1 skill") {
		t.Errorf("index --below %s = %q, %v, want its skill indexed", good, out, err)
	}
	for _, folder := range []string{"gone/.claude/skills", "file/.claude/skills", "packages/web/src", h.Dir} {
		var fault *app.Error
		if _, err := h.Run(New(h.App), "--below", folder); !errors.As(err, &fault) || fault.Code != 3 {
			t.Errorf("index --below %s = %v, want an error", folder, err)
		}
		_, err := h.Run(New(h.App), "--background", "--below", folder)
		assert.NoError(t, err, folder)
	}
}

func TestIndexBelowThroughALink(t *testing.T) {
	for _, linked := range []bool{true, false} {
		h := apptest.NewInProject(t)
		const web = "packages/web/.claude/skills"
		link := filepath.Join(h.Dir, "link")
		if err := os.Symlink(h.Cwd, link); err != nil {
			t.Skip(err)
		}
		h.Write(t, filepath.Join(h.Cwd, web, "web-forms/SKILL.md"), "---\nname: web-forms\ndescription: Fills web forms.\n---\n", 0o600)
		other := link
		if linked {
			h.Cwd, other = link, h.Cwd
		}
		want := filepath.Join(h.Cwd, web) + ": 1 skill"
		if out, err := h.Run(New(h.App), "--below", filepath.Join(other, web)); err != nil || !strings.Contains(out, want) {
			t.Errorf("index --below %s in %s = %q, %v, want %q", filepath.Join(other, web), h.Cwd, out, err, want)
		}
	}
}
