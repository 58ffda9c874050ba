package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	installed "github.com/skillgate/skillgate/cmd/skillgate/internal/client"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/golden"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/listing"
)

var skillCounts = []int{12, 60, 100, 400, 1228, 5000}

func writeLibrary(t *testing.T, folder string, n int) {
	t.Helper()
	verbs := []string{"check", "write", "plan", "clean", "compare", "translate", "measure", "draft"}
	nouns := []string{"harbour", "orchard", "ledger", "kitchen", "bridge", "garden", "museum", "ferry", "atlas"}
	korean := []string{"항구", "과수원", "장부", "부엌", "다리", "정원", "박물관", "나룻배", "지도"}
	for i := range n {
		name := fmt.Sprintf("%s-%s-%d", verbs[i%8], nouns[i%9], i)
		text := fmt.Sprintf("%ss the %s report number %d. ", verbs[i%8], nouns[i%9], i) + strings.Repeat("It adds a table. ", i*7%29)
		if i%3 == 1 {
			text = fmt.Sprintf("%s 보고서를 %d번째 양식에 맞게 작성한다. ", korean[i%9], i) + strings.Repeat("표와 그림을 넣는다. ", i*7%23)
		}
		if i%11 == 5 {
			text += strings.Repeat("It is long. ", 150)
		}
		file := filepath.Join(folder, name, "SKILL.md")
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte("---\nname: "+name+"\ndescription: "+strings.TrimSpace(text)+"\n---\nDo it.\n"), 0o600))
	}
}

type figures struct{ skills, total, tokens int }

func near(got, want int) bool { return 50*max(got-want, want-got) <= want }

func TestListingFigures(t *testing.T) {
	home := t.TempDir()
	getenv := func(name string) string { return map[string]string{"HOME": home}[name] }
	d, err := dirs.FromEnv(getenv, hooks.Places)
	require.NoError(t, err)
	s := hostfile.Session{Dirs: d, Cwd: filepath.Join(home, "work"), Getenv: getenv}
	versions, err := os.ReadDir(recorded(""))
	require.NoError(t, err)
	for _, n := range skillCounts[:4] { // the larger libraries take long to write
		writeLibrary(t, filepath.Join(home, ".claude", "skills"), n)
		for _, v := range versions {
			own, all := readFigures(t, v.Name())
			host, of := hooks.Claude, *hooks.Claude.Listing
			host.Listing, of.Own = &of, own
			for model, f := range all {
				for _, f := range f {
					if f.skills != n {
						continue
					}
					got, err := listing.Compute(t.Context(), &host, s, gate.Settings{}, listing.Options{Model: model}, time.Now())
					t.Logf("%s, %s, %d skills: computed %d characters, %d tokens; sent %d, %d", v.Name(), model, n, got.Total, got.Tokens, f.total, f.tokens)
					if err != nil || got.Total != f.total || f.tokens > 0 && !near(got.Tokens, f.tokens) {
						t.Errorf("%s, %s, %d skills: computed %d characters, %d tokens, %v; want %d, and %d within 2 %%",
							v.Name(), model, n, got.Total, got.Tokens, err, f.total, f.tokens)
					}
				}
			}
		}
	}
	newest, _ := readFigures(t, versions[len(versions)-1].Name())
	if fmt.Sprint(newest) != fmt.Sprint(hooks.Claude.Listing.Own) {
		t.Errorf("hooks.Claude has the host's own skills %v, the newest client lists %v", hooks.Claude.Listing.Own, newest)
	}
}

func TestOwnSkillsOfEveryClientAreKnown(t *testing.T) {
	versions, err := os.ReadDir(recorded(""))
	require.NoError(t, err)
	for _, v := range versions {
		own, _ := readFigures(t, v.Name())
		for _, s := range own {
			if !hooks.Claude.Listing.Comes(s.Name) {
				t.Errorf("%s lists %s, which hooks.Claude does not know: its uses would count as missed", v.Name(), s.Name)
			}
		}
	}
}

func readFigures(t *testing.T, version string) (own []hooks.OwnSkill, all map[string][]figures) {
	t.Helper()
	text := readFile(t, filepath.Join(recorded(version), "listing.txt"))
	all = map[string][]figures{}
	for line := range strings.Lines(string(text)) {
		var o hooks.OwnSkill
		var f figures
		var model string
		if _, err := fmt.Sscanf(line, "own %s %d %d", &o.Name, &o.Chars, &o.Breaks); err == nil {
			own = append(own, o)
		} else if _, err := fmt.Sscanf(line, "%d skills, %s %d characters, %d tokens", &f.skills, &model, &f.total, &f.tokens); err == nil {
			model = strings.TrimSuffix(model, ":")
			all[model] = append(all[model], f)
		} else {
			t.Fatalf("%s: line %q: %v", version, line, err)
		}
	}
	return own, all
}

func TestEndToEndListing(t *testing.T) { eachClient(t, listed) }

func listed(t *testing.T, m *machine) {
	skills := filepath.Join(m.home, ".claude", "skills")
	require.NoError(t, os.RemoveAll(skills))
	var record strings.Builder
	send := func(t *testing.T, args ...string) (string, apiRequest) {
		t.Helper()
		m.ask(t, "hello there", args...)
		r := m.api.await(t, "hello there")
		return listingOf(r), r
	}
	text, _ := send(t)
	for _, s := range ownSkills(text) {
		fmt.Fprintf(&record, "own %s %d %d\n", s.Name, s.Chars, s.Breaks)
	}
	tax := func(t *testing.T, args ...string) (r listing.Tax) {
		t.Helper()
		out, _ := m.skillgate(append([]string{"tax", "--json"}, args...)...)
		err := json.Unmarshal(out, &r)
		require.NoError(t, err, "skillgate tax %v = %q: %v", args, out, err)
		return r
	}
	for _, n := range skillCounts {
		writeLibrary(t, skills, n)
		for _, args := range [][]string{nil, {"--model", "claude-sonnet-4-5"}} {
			t.Run(fmt.Sprint(n, " skills ", strings.Join(args, " ")), func(t *testing.T) {
				text, r := send(t, args...)
				got, want := tax(t, args...), clip.UTF16(text)
				tokens := m.contextTokens(t, args...)
				if !near(got.Total, want) || !near(got.Tokens, tokens) {
					t.Errorf("tax computes %d characters and %d tokens, the client sent %d and counts %d", got.Total, got.Tokens, want, tokens)
				}
				fmt.Fprintf(&record, "%d skills, %s: %d characters, %d tokens\n", n, r.Model, want, tokens)
			})
		}
	}
	if *golden.Update {
		require.NoError(t, os.WriteFile(filepath.Join(recorded(m.claude.version), "listing.txt"), []byte(record.String()), 0o644))
	}
	t.Run("skills that are used", func(t *testing.T) {
		var known map[string]any
		text, err := os.ReadFile(filepath.Join(m.home, ".claude.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &known))
		now := time.Now().UnixMilli()
		known["skillUsage"] = map[string]any{
			"write-orchard-1":  map[string]any{"usageCount": 3, "lastUsedAt": now},
			"write-harbour-9":  map[string]any{"usageCount": 9, "lastUsedAt": now - (20 * 24 * time.Hour).Milliseconds()},
			"plan-garden-4994": map[string]any{"usageCount": 1, "lastUsedAt": now},
		}
		text, err = json.Marshal(known)
		require.NoError(t, err)
		m.write(".claude.json", string(text))
		sent, _ := send(t, "--settings", `{"skillListingBudgetFraction":0.06}`)
		m.write(".claude/settings.json", `{"skillListingBudgetFraction":0.06}`)
		if got, want := tax(t), clip.UTF16(sent); !near(got.Total, want) || got.Described == 0 {
			t.Errorf("tax computes %d characters, %d described, the client sent %d", got.Total, got.Described, want)
		}
	})
	require.NoError(t, os.RemoveAll(skills))
	writeLibrary(t, skills, 60)
	m.write(".claude/settings.json", `{}`)
	t.Run("the list cut", func(t *testing.T) {
		whole, _ := send(t)
		m.write(".claude/settings.json", `{"skillListingBudgetFraction":0.0001}`)
		cut, _ := send(t)
		if got := tax(t); !near(got.Total, clip.UTF16(cut)) || got.Described != 0 || strings.Contains(cut, "- write-harbour-9: ") {
			t.Errorf("tax computes %d characters, %d skills described; the cut list has %d: %q", got.Total, got.Described, clip.UTF16(cut), cut)
		}
		assert.GreaterOrEqual(t, len(whole)-len(cut), 10000)
		m.write(".claude/settings.json", `{}`)
	})
	t.Run("skills of a plugin", func(t *testing.T) {
		writeLibrary(t, filepath.Join(m.home, "shop", "harbour", "skills"), 40)
		m.installHarbour(t)
		sent, _ := send(t)
		if got, want := tax(t), clip.UTF16(sent); !near(got.Total, want) || !strings.Contains(sent, "\n- harbour:write-harbour-9") {
			t.Errorf("tax computes %d characters, the client sent %d", got.Total, want)
		}
	})
	t.Run("what the module saves", func(t *testing.T) {
		if v, err := installed.Parse(m.claude.version); err != nil || v.Before(installed.Modules) {
			return
		}
		m.must("index")
		sent, _ := send(t)
		at := slices.IndexFunc(tax(t).Savings, func(s listing.Saving) bool { return strings.Contains(s.Change, "install --listing") })
		if at < 0 {
			t.Fatalf("tax says nothing of the module: %+v", tax(t).Savings)
		}
		saving := tax(t).Savings[at].Chars
		m.must("install", "--listing", "--yes")
		defer m.must("uninstall", "--yes")
		short, _ := send(t)
		if saved := clip.UTF16(sent) - clip.UTF16(short); !near(saving, saved) {
			t.Errorf("tax says that the module saves %d characters, it saves %d of %d", saving, saved, clip.UTF16(sent))
		}
	})
}

func listingOf(r apiRequest) string {
	text := r.answer().text
	_, after, _ := strings.Cut(text, "skills are available for use with the Skill tool:\n\n")
	for _, end := range []string{"\n\n", "\n</system-reminder>"} {
		after, _, _ = strings.Cut(after, end)
	}
	return strings.TrimRight(after, "\n")
}

func ownSkills(text string) []hooks.OwnSkill {
	var out []hooks.OwnSkill
	for line := range strings.SplitSeq(text, "\n") {
		if name, text, ok := strings.Cut(strings.TrimPrefix(line, "- "), ": "); ok && strings.HasPrefix(line, "- ") {
			out = append(out, hooks.OwnSkill{Name: name, Chars: clip.UTF16(text)})
		} else {
			out[len(out)-1].Chars += clip.UTF16(line) + 1
			out[len(out)-1].Breaks++
		}
	}
	return out
}

func (m *machine) contextTokens(t *testing.T, args ...string) int {
	t.Helper()
	out, err := m.command(m.claude.path, append([]string{"-p", "/context"}, args...)...).Output()
	require.NoError(t, err, string(out))
	tokens := 0.0
	for line := range strings.Lines(string(out)) {
		var rest string
		if n, _ := fmt.Sscanf(line, "| Skills | %f%s", &tokens, &rest); n == 2 {
			if strings.HasPrefix(rest, "k") {
				tokens *= 1000
			}
			return int(tokens)
		}
	}
	t.Fatalf("claude -p /context = %s, want a line of skills", out)
	return 0
}
