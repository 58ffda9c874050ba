package lint

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
)

// A file that is no skill at all must yield a finding that names the file.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, text []byte) {
		t.Helper()
		path := filepath.Join(dir, name, "SKILL.md")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, text, 0o600))
	}
	bomb := "---\nname: bomb\na: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'j'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(c-1)+", ", 9), ", ") + "]\n"
	}
	write("bomb", []byte(bomb+"description: *j\n---\n# Bomb\n"))
	write("deep", []byte("---\nname: deep\ndescription: "+strings.Repeat("[", 20000)+"\n---\n"))
	write("binary", bytes.Repeat([]byte{0x7f, 'E', 'L', 'F', 0, 0xff, 0xfe}, 4000))
	write("large", append([]byte(page("large", "Fills PDF forms.")), bytes.Repeat([]byte("one more line of text\n"), 20<<20/22)...))
	write("oneline", append([]byte("---\nname: oneline\ndescription: \""), append(bytes.Repeat([]byte("가나다 "), 5_000), "\"\n---\n"...)...))
	write("cp949", []byte("---\nname: cp949\ndescription: \xbc\xad\xbd\xc4\n---\n"))
	write("empty", nil)
	write("quotes", []byte("---\nname: quotes\ndescription: "+strings.Repeat(`"a`, 5_000)+"\n---\n"+strings.Repeat("`", 20_000)+"\n"+strings.Repeat("](", 10_000)))
	require.NoError(t, os.Symlink("self", filepath.Join(dir, "self")))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "loop"), 0o700))
	require.NoError(t, os.Symlink("SKILL.md", filepath.Join(dir, "loop", "SKILL.md")))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "dangling"), 0o700))
	require.NoError(t, os.Symlink("gone.md", filepath.Join(dir, "dangling", "SKILL.md")))
	require.NoError(t, os.Symlink("..", filepath.Join(dir, "loop", "up")))
	locked := filepath.Join(dir, "locked")
	require.NoError(t, os.Mkdir(locked, 0o000))
	start := time.Now()
	skills, _ := Load(context.Background(), []catalog.Root{catalog.LibraryRoot(dir)}, func(p string) string { return strings.TrimPrefix(p, dir+"/") })
	l := NewLibrary(skills, []string{"en", "ko"})
	askRetriever(t, l)
	res := Run(l, Options{})
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	by := map[string]string{}
	for _, f := range res.Findings {
		by[strings.SplitN(f.Path, "/", 2)[0]] += f.Rule + " "
		if len(f.Text) > 4*maxText || len(f.Excerpt) > 4*400 {
			t.Errorf("%s: %s has %d bytes of text and %d of excerpt", f.Path, f.Rule, len(f.Text), len(f.Excerpt))
		}
	}
	for name, rule := range map[string]string{
		"loop": "SG100", "dangling": "SG100", "bomb": "SG117", "deep": "SG103", "binary": "SG124", "large": "SG125",
		"oneline": "SG104", "cp949": "SG123", "empty": "SG101",
	} {
		assert.Contains(t, by[name], rule, name)
	}
	if os.Getuid() != 0 && !strings.Contains(by["locked"], "SG100") {
		t.Errorf("a folder without permission is reported with %q, want SG100", by["locked"])
	}
}

// No bytes cause a panic. Every place is inside its file, every fix applies, and the fixed
// text is no harder to read.
func FuzzRun(f *testing.F) {
	for _, r := range All {
		for _, e := range append(r.Text().Bad.Files[:1:1], r.Text().Good.Files[0]) {
			if len(e.Text) < 4000 {
				f.Add([]byte(e.Text))
			}
		}
	}
	f.Add([]byte("---\n? [a, b]\n: c\n---\n"))
	f.Add([]byte("---\n- a\n---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 64<<10 {
			return
		}
		s := FromText("pdf", "pdf/SKILL.md", text)
		res := Run(NewLibrary([]*Skill{s}, []string{"en", "ko"}), Options{})
		for _, x := range res.Findings {
			if x.Line > s.Src.Lines() || x.Line < 0 || x.Col < 0 || x.EndCol < x.Col {
				t.Errorf("%s is at %d:%d-%d of a file with %d lines", x.Rule, x.Line, x.Col, x.EndCol, s.Src.Lines())
			}
		}
		fixed, done := Apply(s.Src.Text, res.Findings)
		if len(done) == 0 {
			return
		}
		again := FromText("pdf", "pdf/SKILL.md", []byte(fixed))
		if s.Front.Err == nil && s.Front.Mapping && again.Front.Err != nil {
			t.Errorf("the fixes of %q break its YAML: %v\n%q", text, again.Front.Err, fixed)
		}
	})
}
