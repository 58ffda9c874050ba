package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/skillgate/internal/observe"
	commands "github.com/skillgate/skillgate/cmd/skillgate/internal/past"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
)

func (p *past) event(name, session, fields string) {
	p.now = p.now.Add(time.Second)
	observe.Run(p.process(fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"cwd":%q%s}`, name, session, p.cwd, fields)),
		func(string, ...string) {})
}

type tally struct{ named, known, followed, early, unknown int }

func (t *tally) add(followed, over bool) {
	t.named++
	switch {
	case over:
		t.known++
		t.followed += one(followed)
	case followed:
		t.early++
	default:
		t.unknown++
	}
}

func tallyOf(t outcome.Tally) tally { return tally{t.Named, t.Known, t.Followed, t.Early, t.Unknown} }

type counted struct {
	decisions, injected, over, missed, typed, withUse, caught, misses int
	given, held                                                       int // hints given and withheld by the experiment
	givenUsed, heldUsed                                               int // uses in finished turns
	sessions                                                          map[string]bool
	verdicts, reasons                                                 map[string]int
	follow                                                            tally
	skills                                                            map[string]*tally
	missedBy, typedBy, usedBy                                         map[string]int
}

func (c *counted) skill(name string) *tally {
	if c.skills[name] == nil {
		c.skills[name] = &tally{}
	}
	return c.skills[name]
}

func count(t *testing.T, log, experiment string) *counted {
	t.Helper()
	c := &counted{sessions: map[string]bool{}, verdicts: map[string]int{}, reasons: map[string]int{},
		skills: map[string]*tally{}, missedBy: map[string]int{}, typedBy: map[string]int{}, usedBy: map[string]int{}}
	for line := range strings.Lines(log) {
		var e struct {
			Session, Source string
			Over            bool
			Decision        struct {
				Verdict, Reason string
				Candidates      []struct {
					Name                   string
					Injected, Kept, Loaded bool
				}
				Trial *struct {
					Experiment string
					Held       bool
				}
			}
			Outcomes []struct {
				Tool, Skill string
				Success     bool
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		if e.Source != "" {
			continue // not a prompt of a session
		}
		c.decisions++
		c.over += one(e.Over)
		c.sessions[e.Session] = true
		c.verdicts[e.Decision.Verdict]++
		if e.Decision.Reason != "" {
			c.reasons[e.Decision.Reason]++
		}
		c.injected += one(e.Decision.Verdict == "inject" || e.Decision.Verdict == "force")
		used, typed, skills := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, u := range e.Outcomes {
			switch {
			case !u.Success:
			case u.Tool == "typed":
				typed[u.Skill] = true
			default:
				used[u.Skill] = true
				skills[u.Skill] = u.Tool != "agent"
			}
		}
		followed, named, kept, caught, withUse := false, false, false, false, false
		for _, skill := range skills {
			withUse = withUse || skill
		}
		open := maps.Clone(used) // used without a suggestion
		for _, x := range e.Decision.Candidates {
			x.Kept = x.Kept || x.Injected && x.Loaded
			x.Injected = x.Injected && !x.Loaded
			if x.Injected || x.Kept {
				delete(open, x.Name)
				caught = caught || skills[x.Name]
			}
			kept = kept || x.Kept && used[x.Name]
			if x.Injected {
				named, followed = true, followed || used[x.Name]
				c.skill(x.Name).add(used[x.Name], e.Over)
			}
		}
		if named {
			c.follow.add(followed, e.Over)
		}
		if trial := e.Decision.Trial; trial == nil || trial.Experiment != experiment {
		} else if trial.Held {
			c.held++
			c.heldUsed += one(e.Over && kept)
		} else {
			c.given++
			c.givenUsed += one(e.Over && (followed || kept))
		}
		c.withUse += one(withUse)
		c.caught += one(caught)
		c.missed += one(len(open) > 0)
		c.misses += len(open)
		c.typed += one(len(typed) > 0)
		for name := range open {
			c.missedBy[name]++
		}
		for name := range typed {
			c.typedBy[name]++
		}
		for name := range used {
			c.usedBy[name]++
		}
	}
	return c
}

const (
	sessions = 6 // number of sessions in worked
	secret   = "AKIAIOSFODNN7EXAMPQR"
)

func worked(t *testing.T, prefix string, days int) (p *past, prompts, used int) {
	t.Helper()
	p = newPast(t)
	p.ids = prefix
	p.now = p.now.AddDate(0, 0, 7)
	agent := filepath.Join(p.home, ".claude", "agents", "night-watch.md")
	const watch = "---\nname: night-watch\ndescription: Sits by the harbour lamp and listens.\n---\nListen.\n"
	require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(agent), 0o700), os.WriteFile(agent, []byte(watch), 0o600)))
	p.must("index")
	p.must("experiment", "start", "--share", "40", "--seed", "5")
	uses := map[string]string{
		"loaded": `"tool_name":"Skill","tool_input":{"skill":%q}`,
		"read":   `"tool_name":"Read","tool_input":{"file_path":"` + p.home + `/.claude/skills/%s/SKILL.md"}`,
		"served": `"tool_name":"mcp__skillgate__skill_load","tool_input":{"name":%q}`,
		"agent":  `"tool_name":"Agent","tool_input":{"subagent_type":%q}`,
	}
	turns := []struct {
		prompt string
		typed  string
		uses   []string // kind of use and skill
	}{
		{"review pull request %d for security problems", "", []string{"loaded pr-security-review"}},
		{"review pull request %d for security problems", "", nil},
		{"이 풀 리퀘스트 %d번을 보안 관점에서 리뷰해줘", "", []string{"read pr-security-review", "loaded pr-security-review"}},
		{"쿠버네티스 매니페스트 %d번 점검해줘", "", []string{"served k8s-manifest-check"}},
		{"쿠버네티스 매니페스트 %d번 점검해줘", "", []string{"loaded unit-test-writer"}},
		{"an angry wolpertinger is awake %s", "", []string{"loaded oncall-runbook"}},
		{"an angry wolpertinger is asleep %s", "", []string{"served oncall-runbook"}},
		{"an angry wolpertinger is gone %s", "", []string{"agent night-watch"}},
		{"an angry wolpertinger is hungry %s", "", []string{"failed oncall-runbook"}},
		{"/release-notes %d", "release-notes", nil},
		{"use the newsletter-editor skill for issue %d", "", []string{"loaded newsletter-editor"}},
		{"make slow SQL query %d faster, the key is " + secret, "", []string{"loaded sql-query-tuner"}},
		{"고마워요", "", nil},
		{"clean this CSV file %d of duplicate rows", "", nil},
		{"write release notes for version %d from the merged pull requests", "", []string{"loaded release-notes"}},
	}
	latest := p.now
	for i := range sessions {
		session := fmt.Sprint(prefix, "s", i)
		watched := i%3 != 2 // otherwise only the hook and uses are seen
		if watched {
			p.event("SessionStart", session, `,"source":"startup"`)
		}
		for n, turn := range turns {
			if i == sessions/2 && n == 3 {
				p.now = p.now.AddDate(0, 0, days)
			}
			// Numbers make prompts distinct; letters make them variants of the same request.
			prompt := strings.NewReplacer("%d", fmt.Sprint(100*i+n), "%s", strings.Repeat("x", i+1)).Replace(turn.prompt)
			if turn.typed != "" { // the host reports it before the prompt
				p.event("UserPromptExpansion", session,
					fmt.Sprintf(`,"prompt_id":"%sp%d","command_name":%q`, prefix, p.prompts+1, turn.typed))
				used++
			}
			id := p.ask(session, prompt)
			prompts++
			for k, use := range turn.uses {
				how, what, _ := strings.Cut(use, " ")
				event := "PostToolUse"
				if how == "failed" {
					event, how = "PostToolUseFailure", "loaded"
				}
				p.event(event, session, fmt.Sprintf(`,"prompt_id":%q,"tool_use_id":"%s-%d",`+uses[how], id, id, k, what))
				used++
			}
			if last := n == len(turns)-1; watched && !(last && i%3 == 1) { // some sessions end in the middle of a turn
				p.event("Stop", session, fmt.Sprintf(`,"prompt_id":%q`, id))
			}
			if p.now.After(latest) {
				latest = p.now
			}
		}
	}
	p.now = latest
	mcp := journal.New(journal.KindDecision, p.now)
	mcp.Source, mcp.Decision = journal.SourceMCP, &gate.Decision{Verdict: gate.Inject,
		Candidates: []gate.Candidate{{Name: "csv-cleaner", Pool: "skill", Injected: true}}}
	require.NoError(t, journal.Append(filepath.Join(p.home, ".local", "state", "skillgate"), mcp))
	p.append("{\"v\":1,\"id\":\"torn\nnoise\n")
	return p, prompts, used
}

func (p *past) append(lines string) {
	p.Helper()
	file := filepath.Join(p.home, ".local", "state", "skillgate", journal.File)
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.WriteString(lines)
	}
	require.NoError(p, errors.Join(err, f.Close()))
}

func TestCommandsAgree(t *testing.T) {
	t.Parallel()
	t.Run("of two machines", func(t *testing.T) {
		other, prompts, used := worked(t, "other-", 7)
		p, n, m := worked(t, "", 7)
		p.append(other.must("log", "export"))
		agree(t, p, prompts+n, used+m)
	})
	t.Run("of a clock that was set back", func(t *testing.T) {
		p, prompts, used := worked(t, "", -3)
		agree(t, p, prompts, used)
	})
}

func agree(t *testing.T, p *past, prompts, used int) {
	var trial arms.Arms
	require.NoError(t, json.Unmarshal([]byte(p.must("experiment", "--json")), &trial))
	all := p.must("log", "--json", "--last", "0")
	c := count(t, all, trial.Plan.ID)
	assert.Equal(t, used, strings.Count(all, `"tool":"`))
	assert.Equal(t, prompts, c.decisions)
	for what, n := range map[string]int{"followed": c.follow.followed,
		"not followed": c.follow.known - c.follow.followed, "followed early": c.follow.early, "unknown": c.follow.unknown,
		"missed": c.missed, "typed": c.typed, "given": c.given, "held back": c.held, "forced": c.verdicts["force"],
		"skipped": c.verdicts["skip"]} {
		assert.GreaterOrEqual(t, n, 1, "the log has no case of %s: %+v", what, c)
	}
	same := func(what string, got, want any) {
		t.Helper()
		assert.Equal(t, want, got, what)
	}
	read := func(into any, args ...string) {
		t.Helper()
		out, code := p.run(args...)
		err := json.Unmarshal([]byte(out), into)
		require.NoError(t, err, "%v = %d, %s: %v", args, code, out, err)
		assert.NotContains(t, out, secret, args)
	}

	var s store.Stats
	read(&s, "stats", "--json")
	same("stats: decisions", s.Decisions, c.decisions)
	same("stats: sessions", s.Sessions, len(c.sessions))
	same("stats: injected", s.Injected, c.injected)
	same("stats: follow", tallyOf(s.Follow), c.follow)
	same("stats: missed", s.Missed, c.missed)
	same("stats: typed", s.Typed, c.typed)
	same("stats: unreadable", s.Unreadable, 2)
	same("stats: verdicts", byName(s.ByVerdict), c.verdicts)
	same("stats: reasons", byName(s.ByReason), c.reasons)
	perDay, places := 0, tally{}
	for _, day := range s.PerDay {
		perDay += day.Decisions
	}
	same("stats: decisions by day", perDay, c.decisions)
	for _, place := range s.Positions {
		places.named += place.Named
	}
	stats, bySkill := map[string]store.SkillStats{}, 0
	for _, k := range s.Skills {
		stats[k.Name] = k
		bySkill += k.Named
		want := c.skills[k.Name]
		if want == nil {
			want = &tally{}
		}
		same("stats: "+k.Name, tallyOf(k.Tally), *want)
		same("stats: missed "+k.Name, k.Missed, c.missedBy[k.Name])
		same("stats: typed "+k.Name, k.Typed, c.typedBy[k.Name])
	}
	same("stats: names in all places", places.named, bySkill)
	for name := range c.skills {
		same("stats tells of "+name, stats[name].Name, name)
	}
	for _, used := range s.TopLoaded {
		same("stats: uses of "+used.Name, used.Count, c.usedBy[used.Name])
	}

	rows := func(args ...string) int {
		return strings.Count(p.must(append([]string{"log", "--json", "--last", "0"}, args...)...), "\n")
	}
	same("log --followed yes", rows("--followed", "yes"), c.follow.followed+c.follow.early)
	same("log --followed no", rows("--followed", "no"), c.follow.known-c.follow.followed)
	for reason, n := range c.reasons {
		same("log --reason "+reason, rows("--reason", reason), n)
	}
	table := p.must("log", "--last", "0")
	same("log: prompts with a miss", strings.Count(table, "missed "), c.missed)
	same("log: prompts that were typed", strings.Count(table, "typed "), c.typed)
	same("log: a secret", strings.Contains(table, secret), false)

	for name := range stats {
		var of store.Stats
		read(&of, "stats", name, "--json")
		for _, k := range of.Skills {
			if k.Name == name {
				same("stats "+name, k, stats[name])
			}
		}
	}

	r, _ := p.replay()
	same("replay: prompts", r.Prompts, c.decisions)
	same("replay: compared", r.Compared, c.decisions)
	same("replay: with a known use", r.Known, c.withUse)
	for _, m := range r.Measures {
		switch m.Measure {
		case "injections":
			same("replay: prompts", m.A.N, c.decisions)
			same("replay: injections", m.A.Value, float64(c.injected)/float64(c.decisions))
		case "caught":
			same("replay: caught", m.A.Value, float64(c.caught)/float64(c.withUse))
		case "follow_rate":
			same("replay: follow rate", outcome.Rate{Value: m.A.Value, Low: m.A.Low, High: m.A.High, N: m.A.N,
				Hits: c.follow.followed}, *s.Follow.Rate)
		}
	}
	var advice commands.Advice
	read(&advice, "advise", "--json")
	same("advise: prompts", []int{advice.Prompts, advice.Ended}, []int{c.decisions, c.over})
	proposed := false
	for _, x := range advice.Proposals {
		if x.Skill == "oncall-runbook" {
			proposed = true
			same("advise: prompts behind "+x.Text, len(x.Prompts), c.missedBy["oncall-runbook"])
		}
	}
	same("advise proposes something for what is missed", proposed, true)

	same("experiment: hints", []int{trial.Hinted, trial.Held}, []int{c.given, c.held})
	same("experiment: used with their hint", trial.Test.Hinted.Hits, c.givenUsed)
	same("experiment: used without", trial.Test.Held.Hits, c.heldUsed)
	same("experiment: ended", trial.Test.Hinted.N+trial.Test.Held.N, trial.Hinted+trial.Held-trial.Unknown)

	page := p.must("report")
	number := func(id string) int {
		found := regexp.MustCompile(` id="` + id + `">(\d+)<`).FindStringSubmatch(page)
		require.NotNil(t, found, "the report has no number of %s", id)
		n, _ := strconv.Atoi(found[1])
		return n
	}
	for id, want := range map[string]int{"decisions": c.decisions, "sessions": len(c.sessions), "injected": c.injected,
		"followed": c.follow.followed, "missed": c.missed, "dead": len(s.NeverUsed)} {
		same("report: "+id, number(id), want)
	}
	page = regexp.MustCompile(` class="[^"]*"`).ReplaceAllString(page, "")
	for name, k := range stats {
		row := fmt.Sprintf(`<td>%s</td><td>%d</td><td>%d</td><td>%d</td>`,
			name, k.Named, k.Known, k.Followed)
		same("report: "+row, strings.Contains(page, row), true)
	}
	for _, list := range []map[string]int{c.verdicts, c.reasons} {
		for name, n := range list {
			row := fmt.Sprintf(`>%s</td><td>%d</td>`, name, n)
			same("report: "+row, strings.Contains(page, row), true)
		}
	}
	_, table, _ = strings.Cut(page, `id="misses"`)
	table, _, _ = strings.Cut(table, "</table>")
	same("report: rows of misses", strings.Count(table, "<tr><td>"), c.misses)
	same("report: a secret", strings.Contains(page, secret), false)
}

func byName(list []store.Count) map[string]int {
	out := map[string]int{}
	for _, c := range list {
		out[c.Name] = c.Count
	}
	return out
}
