package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
)

func reported(t *testing.T) (string, store.Stats) {
	t.Helper()
	j := apptest.New(t)
	for i := range 12 {
		d := apptest.Injected(fmt.Sprintf("이 풀 리퀘스트 %d 리뷰해줘 <script>alert(1)</script>", i), "pr-review",
			"security-review")
		d.Candidates[1].Score = d.Candidates[0].Score * 0.99
		j.Decide(t, time.Duration(i*20)*time.Hour, d, journal.Full, fmt.Sprintf("p%d", i))
	}
	j.Decide(t, time.Hour, apptest.Silent("rename this"), journal.Full, "q0")
	j.Decide(t, time.Hour, gate.Decision{Prompt: "hello", Lang: "en", Verdict: gate.Skip, Reason: gate.Greeting},
		journal.Full, "q1")
	j.Use(t, "p3", "pr-review")
	j.Use(t, "p4", "other-skill")
	j.Use(t, "q0", "refactor-<b>tool</b>")
	page, err := j.Run(New(j.App))
	require.NoError(t, err)
	db, err := logged.Open(context.Background(), j.App)
	require.NoError(t, err)
	defer db.Close()
	s, err := db.Stats(context.Background(), store.Filter{}, store.StatsOptions{Zone: time.UTC})
	require.NoError(t, err)
	return page, s
}

func element(page, id string) string {
	m := regexp.MustCompile(`id="` + id + `"[^>]*>([^<]*)<`).FindStringSubmatch(page)
	if m == nil {
		return "none"
	}
	return m[1]
}

func checkNumbers(t *testing.T, page string, s store.Stats) {
	t.Helper()
	for id, want := range map[string]string{
		"decisions": strconv.Itoa(s.Decisions), "sessions": strconv.Itoa(s.Sessions), "injected": strconv.Itoa(s.Injected),
		"followed": strconv.Itoa(s.Follow.Followed), "missed": strconv.Itoa(s.Missed), "dead": strconv.Itoa(len(s.NeverUsed)),
		"p50": fmt.Sprintf("%.1f", s.Ms.P50), "p95": fmt.Sprintf("%.1f", s.Ms.P95), "p99": fmt.Sprintf("%.1f",
			s.Ms.P99),
	} {
		assert.Equal(t, want, element(page, id), id)
	}
}

func TestReportIsSelfContained(t *testing.T) {
	page, s := reported(t)
	checkNumbers(t, page, s)
	require.Equal(t, 14, s.Decisions)
	assert.Equal(t, 2, s.Missed)
	for _, bad := range []string{"http:", "https:", "src=", "@import", "url(", "<script>alert", "<b>tool"} {
		assert.NotContains(t, page, bad)
	}
	for _, want := range []string{"prefers-color-scheme: dark", "주별 프롬프트", "Prompts by week", "pr-review",
		"<td>security-review</td><td class=\"n\">12</td>", "refactor-&lt;b&gt;"} {
		assert.Contains(t, page, want)
	}
}

func TestReportFile(t *testing.T) {
	j := apptest.New(t)
	if page, err := j.Run(New(j.App)); err != nil || page != "" {
		t.Errorf("report of an empty journal = %q, %v, want nothing, as of log and stats", page, err)
	}
	j.Decide(t, time.Hour, apptest.Silent("rename this"), journal.Full, "p")
	file := filepath.Join(j.Cwd, "report.html")
	if _, err := j.Run(New(j.App), "--output", "report.html"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.True(t, bytes.Contains(text, []byte(`<html lang="en" data-lang="en">`)))
	var exit *app.Error
	if _, err := j.Run(New(j.App), "--output", "report.html"); !errors.As(err, &exit) || exit.Code != 3 {
		t.Errorf("report over a file = %v, want status 3", err)
	}
}

// TestReportInABrowser opens the page and lets its scripts run: nothing is written to the console, the numbers
// are those of stats, tables sort, and the language changes. Without Chromium it is skipped; CHROMIUM_BIN names
// one.
func TestReportInABrowser(t *testing.T) {
	browser := apptest.Chromium(t)
	page, s := reported(t)
	// The probe acts like a user and writes its observations into the page.
	probe := `<script>
addEventListener("error", e => console.error("probe: " + e.message));
const column = (id, n) => [...document.querySelectorAll("#" + id + " tbody tr")].map(r => r.cells[n].textContent).join(",");
const head = (id, n) => document.querySelectorAll("#" + id + " thead button")[n];
const seen = {};
seen.before = column("skills", 0);
head("skills", 0).click(); seen.down = column("skills", 0);
head("skills", 0).click(); seen.up = column("skills", 0);
head("skills", 1).click(); seen.named = column("skills", 1);
const title = document.querySelector("h2 [data-t=ko]");
seen.koHidden = getComputedStyle(title).display === "none";
document.getElementById("lang").click();
seen.koShown = getComputedStyle(title).display !== "none";
seen.bars = [...document.querySelectorAll("svg rect")].filter(r => r.getBoundingClientRect().height > 0).length;
seen.ink = getComputedStyle(document.body).color;
seen.wide = document.documentElement.scrollWidth <= document.documentElement.clientWidth;
const out = document.createElement("pre"); out.id = "probe"; out.textContent = JSON.stringify(seen); document.body.append(out);
</script></body>`
	file := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(page, "</body>", probe, 1)), 0o600))
	look := func(flags ...string) map[string]any {
		shown := apptest.Look(t, browser, file, flags...)
		checkNumbers(t, shown, s)
		var seen map[string]any
		if err := json.Unmarshal([]byte(element(shown, "probe")), &seen); err != nil {
			t.Fatalf("the probe left %q: %v", element(shown, "probe"), err)
		}
		return seen
	}
	seen := look("--window-size=1200,900")
	want := map[string]any{
		"before": "pr-review,security-review,other-skill,refactor-<b>tool</b>",
		"down":   "security-review,refactor-<b>tool</b>,pr-review,other-skill",
		"up":     "other-skill,pr-review,refactor-<b>tool</b>,security-review",
		"named":  "12,12,0,0", "koHidden": true, "koShown": true, "wide": true,
	}
	for key, value := range want {
		got := seen[key]
		if text, ok := got.(string); ok {
			got = strings.NewReplacer("&lt;", "<", "&gt;", ">").Replace(text)
		}
		if got != value {
			t.Errorf("in the browser %s = %v, want %v", key, got, value)
		}
	}
	if n, _ := seen["bars"].(float64); n < 4 {
		t.Errorf("%v bars are drawn, want two a week", seen["bars"])
	}
	dark := look("--window-size=380,800", "--blink-settings=preferredColorScheme=0")
	if dark["ink"] == seen["ink"] || dark["wide"] != true {
		t.Errorf("in the dark on a narrow window: ink %v (light %v), fits %v", dark["ink"], seen["ink"], dark["wide"])
	}
}

func TestReportAnswersFirst(t *testing.T) {
	j := apptest.New(t)
	j.Watch(t)
	for i := range 10 {
		id := fmt.Sprint("p", i)
		j.Decide(t, time.Duration(20-i)*time.Hour, apptest.Injected(fmt.Sprint("review ", i), "pr-review"),
			journal.Full, id)
		if i < 6 {
			j.Use(t, id, "pr-review")
		}
	}
	page, err := j.Run(New(j.App), "--quick")
	require.NoError(t, err)
	for _, want := range []string{"Used in 67 %", "after 6 of 9 suggestions with a finished turn",
		"95 % interval 35 to 88 %.", "Suggestions without a finished turn: 1.",
		"Run <code>skillgate advise</code>", "67 %에서 사용됨", "도움이 되나?", "Follow rate by week"} {
		assert.Contains(t, page, want)
	}
	if a, b := strings.Index(page, `id="help"`), strings.Index(page, `id="decisions"`); a < 0 || a > b {
		t.Error("the answers do not come first")
	}
	p, err := experiment.New(j.Now().AddDate(0, 0, -3), 0.5, experiment.ByPrompt, 7, 0.2, 0, 30)
	require.NoError(t, err)
	require.NoError(t, experiment.Start(j.State, p))
	found := experiment.Test{Found: experiment.Helps, Cases: 240, Hinted: outcome.Wilson(90, 120, 120),
		Held: outcome.Wilson(40, 120, 120), Difference: 0.42, Low: 0.2, High: 0.6}
	require.NoError(t, p.End(j.State, j.Now(), found))
	page, err = j.Run(New(j.App))
	require.NoError(t, err)
	for _, want := range []string{">Yes<", ">그렇다<",
		"An experiment with 240 prompts: +42 points, 95 % interval +20.0 to +60.0.",
		"Check the skills below that are no longer suggested", "<b>pr-review</b>"} { // this skill is not installed
		assert.Contains(t, html.UnescapeString(page), want, j.Err.String())
	}
}
