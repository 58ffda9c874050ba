package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

// checkout is this repository.
const checkout = "../../../.."

func made(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds skillgate")
	}
	folder := filepath.Join(t.TempDir(), "site")
	if err := Write(t.Context(), checkout, folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

var (
	target = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchor = regexp.MustCompile(`id="([^"]*)"`)
	loaded = regexp.MustCompile(`(?:src="|<link|@import|url\()[^>]{0,80}`)
)

// Every link within the site leads to something, and nothing is loaded from elsewhere.
func TestSite(t *testing.T) {
	folder := made(t)
	pages := map[string]string{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".html" {
			text, failed := os.ReadFile(filepath.Join(folder, name))
			pages[name], err = string(text), failed
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range pages {
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			u, err := url.Parse(m[1])
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if u.Scheme != "" {
				continue
			}
			to := path.Join(path.Dir(name), u.Path)
			if u.Path == "" {
				to = name
			}
			page, ok := pages[to]
			if _, err := os.Stat(filepath.Join(folder, to)); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			} else if ok && u.Fragment != "" && !strings.Contains(page, `id="`+u.Fragment+`"`) {
				t.Errorf("%s links to %s, which has the anchors %q", name, m[1], anchor.FindAllString(page, -1))
			}
		}
		for _, found := range loaded.FindAllString(text, -1) {
			if strings.Contains(found, "//") || strings.HasPrefix(found, "<link") || strings.HasPrefix(found, "@") {
				t.Errorf("%s loads %s", name, found)
			}
		}
	}
	first := pages["index.html"]
	for _, want := range []string{"meeting-minutes", "skip (ack)", "additionalContext", `<span class="c32">inject</span>`,
		`href="cmd/skillgate/readme.ko.html"`} {
		if !strings.Contains(first, want) {
			t.Errorf("the first page lacks %q", want)
		}
	}
	if strings.Contains(first, os.TempDir()+"/ann") {
		t.Error("the first page shows where it was made")
	}
}

func TestPaint(t *testing.T) {
	for text, want := range map[string]string{
		"a <b> & c":                        "a &lt;b&gt; &amp; c",
		"\x1b[32minject\x1b[0m x":          `<span class="c32">inject</span> x`,
		"\x1b[1;31mno":                     `<span class="c1 c31">no</span>`,
		"\r\x1b[Kasking [=== ]\r\x1b[Kend": "asking [=== ]end",
		"회의록→meet":                         `<i style="width:6ch">회의록</i>→meet`,
	} {
		if got := string(paint(text)); got != want {
			t.Errorf("paint(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestDocumentLinks(t *testing.T) {
	repo := fstest.MapFS{
		"a/README.md": {Data: []byte("# The `a` command\n\nSee [b](../B.md#설정-값), [c](c.go), [f](f.txt), [w](https://example.com/), " +
			"[h](#the-a-command).\n\n<script>x</script>\n\n## 설정 값\n")},
		"B.md": {}, "a/c.go": {}, "a/f.txt": {},
	}
	d, err := read(repo, "a/README.md", "https://h/blob/main/", map[string]bool{"B.md": true, "a/README.md": true})
	if err != nil {
		t.Fatal(err)
	}
	body := string(d.Body)
	for _, want := range []string{`href="../b.html#%EC%84%A4%EC%A0%95-%EA%B0%92"`, `href="https://h/blob/main/a/c.go"`,
		`href="../a/f.txt"`, `href="https://example.com/"`, `href="#the-a-command"`, `<h2 id="설정-값">`} {
		if !strings.Contains(body, want) {
			t.Errorf("the document lacks %s:\n%s", want, body)
		}
	}
	if d.Title != "The a command" || strings.Contains(body, "<script") || fmt.Sprint(d.files) != "[a/f.txt]" {
		t.Errorf("title %q, files %v:\n%s", d.Title, d.files, body)
	}
	repo["a/README.md"].Data = []byte("[gone](gone.md)")
	if _, err := read(repo, "a/README.md", "", nil); err == nil || !strings.Contains(err.Error(), "gone.md") {
		t.Errorf("a link that leads nowhere: %v", err)
	}
}

// What renders the documents is in no program that is installed.
func TestRendererIsNotInstalled(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-tags", "onnx", "-deps", "./cmd/skillgate",
		"./cmd/skillgate-hook", "./cmd/skillgate-org", "./cmd/skillgate-rerank")
	cmd.Dir = checkout
	out, err := cmd.Output()
	if err != nil || strings.Contains(string(out), "goldmark") || !strings.Contains(string(out), "cobra") {
		t.Errorf("go list -deps: %v, with goldmark: %v", err, strings.Contains(string(out), "goldmark"))
	}
}

// The page plays, stops and starts at a button that keys reach, stands still where motion is not
// wanted, and fits a phone, in both themes.
func TestSiteInABrowser(t *testing.T) {
	browser := apptest.Chromium(t)
	folder := made(t)
	first, err := os.ReadFile(filepath.Join(folder, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	probe := `<script>
addEventListener("error", e => console.error("probe: " + e.message));
const screen_ = document.getElementById("screen"), button_ = document.getElementById("play"), seen = {};
seen.first = button_.textContent; seen.playing = screen_.classList.contains("playing");
seen.scenes = [...document.querySelectorAll(".scene")].filter(s => s.getBoundingClientRect().height > 0).length;
button_.focus(); seen.focus = document.activeElement === button_; button_.click(); seen.second = button_.textContent;
button_.click(); seen.third = button_.textContent;
seen.ink = getComputedStyle(document.body).color;
seen.fits = document.documentElement.scrollWidth <= document.documentElement.clientWidth;
seen.small = parseFloat(getComputedStyle(screen_.querySelector("pre")).fontSize);
seen.loaded = performance.getEntriesByType("resource").length;
const out = document.createElement("pre"); out.id = "probe"; out.textContent = JSON.stringify(seen); document.body.append(out);
</script></body>`
	file := filepath.Join(folder, "probe.html")
	if err := os.WriteFile(file, bytes.Replace(first, []byte("</body>"), []byte(probe), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	phone := filepath.Join(folder, "phone.html") // a window is never so narrow
	if err := os.WriteFile(phone, []byte(`<iframe id=f src=probe.html style="width:360px;height:800px;border:0"></iframe>
<script>f.onload = () => { const p = document.createElement("pre"); p.id = "probe"; p.textContent = `+
		`f.contentDocument.getElementById("probe").textContent; document.body.append(p); }</script>`), 0o600); err != nil {
		t.Fatal(err)
	}
	look := func(file string, flags ...string) map[string]any {
		t.Helper()
		_, text, _ := strings.Cut(apptest.Look(t, browser, file, flags...), `<pre id="probe">`)
		text, _, _ = strings.Cut(text, "</pre>")
		seen := map[string]any{}
		if err := json.Unmarshal([]byte(text), &seen); err != nil {
			t.Fatalf("the page says %q: %v", text, err)
		}
		return seen
	}
	light := look(file)
	for key, want := range map[string]any{"first": "Pause", "playing": true, "scenes": 1.0, "focus": true, "second": "Play",
		"third": "Pause", "fits": true, "loaded": 0.0} {
		if light[key] != want {
			t.Errorf("playing: %s is %v, want %v", key, light[key], want)
		}
	}
	still := look(file, "--force-prefers-reduced-motion", "--blink-settings=preferredColorScheme=0")
	if still["first"] != "Play" || still["playing"] != false || still["scenes"] != float64(len(play)) || still["ink"] == light["ink"] {
		t.Errorf("without motion, in the dark: %v", still)
	}
	if narrow := look(phone); narrow["fits"] != true || narrow["small"].(float64) < 8 {
		t.Errorf("on a phone: %v", narrow)
	}
}
