package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

const checkout = "../.."

func madePage(t *testing.T) (file, text string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds skillgate")
	}
	file = filepath.Join(t.TempDir(), "site", "index.html")
	must(t, writePage(t.Context(), checkout, file))
	b, err := os.ReadFile(file)
	must(t, err)
	return file, string(b)
}

func TestPage(t *testing.T) {
	_, page := madePage(t)
	const source = "https://github.com/skillgate/skillgate/blob/main/"
	for _, m := range regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if id, here := strings.CutPrefix(m[1], "#"); here {
			if !strings.Contains(page, `id="`+id+`"`) {
				t.Errorf("a link leads to %s, which is not on the page", m[1])
			}
			continue
		}
		file, ours := strings.CutPrefix(m[1], source)
		file, _, _ = strings.Cut(file, "#")
		if _, err := os.Stat(filepath.Join(checkout, file)); ours && err != nil || !strings.HasPrefix(m[1], "https://") {
			t.Errorf("a link leads to %s: %v", m[1], err)
		}
	}
	for _, found := range regexp.MustCompile(`(?:src="|<link|<script|@import|url\()[^>]{0,80}`).FindAllString(page, -1) {
		t.Errorf("the page loads or runs %s", found)
	}
	at := -1
	for _, want := range []string{"additionalContext", "meeting-minutes", "skip (ack)"} {
		next := strings.Index(page, want)
		require.GreaterOrEqual(t, next, at, want)
		assert.GreaterOrEqual(t, next, 0, want)
		at = next
	}
	assert.NotContains(t, page, os.TempDir()+"/ann", "the page shows where it was made")
}

func TestPaint(t *testing.T) {
	for text, want := range map[string]string{
		"a <b> & c":                        "a &lt;b&gt; &amp; c",
		"\x1b[32minject\x1b[0m x":          `<span class="c32">inject</span> x`,
		"\x1b[1;31mno":                     `<span class="c1 c31">no</span>`,
		"\r\x1b[Kasking [=== ]\r\x1b[Kend": "asking [=== ]end",
		"회의록→meet":                         `<i style="width:6ch">회의록</i>→meet`,
	} {
		assert.Equal(t, want, string(paint(text)), text)
	}
}

func TestPageInABrowser(t *testing.T) {
	browser := apptest.Chromium(t)
	file, page := madePage(t)
	phone := filepath.Join(filepath.Dir(file), "phone.html") // a browser window cannot be so narrow
	frame := `<iframe id=f src=FILE style="width:390px;height:800px;border:0"></iframe><script>f.onload = () => {
const d = f.contentDocument, e = d.documentElement, p = document.createElement("pre"); p.id = "probe";
p.textContent = JSON.stringify({fits: e.scrollWidth <= e.clientWidth, ink: f.contentWindow.getComputedStyle(d.body).color,
small: parseFloat(f.contentWindow.getComputedStyle(d.querySelector(".screen pre")).fontSize)}); document.body.append(p); }</script>`
	must(t, os.WriteFile(phone, []byte(strings.Replace(frame, "FILE", filepath.Base(file), 1)), 0o600))
	require.Contains(t, page, `class="screen"`, "the page has no recording")
	look := func(flags ...string) (seen struct {
		Fits  bool
		Ink   string
		Small float64
	}) {
		t.Helper()
		_, text, _ := strings.Cut(apptest.Look(t, browser, phone, flags...), `<pre id="probe">`)
		text, _, _ = strings.Cut(text, "</pre>")
		require.NoError(t, json.Unmarshal([]byte(text), &seen))
		return seen
	}
	light, dark := look(), look("--blink-settings=preferredColorScheme=0")
	if !light.Fits || light.Small < 8 || !dark.Fits || light.Ink == dark.Ink {
		t.Errorf("on a phone in light %+v, in the dark %+v", light, dark)
	}
}
