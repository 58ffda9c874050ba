package report

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/internal/markup"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/replay"
)

// pageHTML is the style and the script, with a mark where the body comes.
//
//go:embed report.html
var pageHTML string

// writer writes the body.
type writer struct {
	*bufio.Writer
	zone *time.Location
}

// put writes markup, with what it is given escaped.
func (w writer) put(format string, args ...any) { markup.Fprintf(w, format, args...) }

// both is a text in both languages, of which the page shows one; what is in backquotes is code.
func both(en, ko string) markup.Text {
	text := markup.Sprintf(`<span data-t="en" lang="en">%s</span><span data-t="ko" lang="ko">%s</span>`, en, ko)
	return markup.Text(code.ReplaceAllString(string(text), "<code>$1</code>"))
}

var code = regexp.MustCompile("`([^`]+)`")

// bothf is both with the same values in the two texts.
func bothf(en, ko string, args ...any) markup.Text {
	return both(fmt.Sprintf(en, args...), fmt.Sprintf(ko, args...))
}

func (w writer) date(t time.Time) string { return t.In(w.zone).Format(time.DateOnly) }

func rate(r *outcome.Rate) string {
	if r == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f%% (%.0f–%.0f)", 100*r.Value, 100*r.Low, 100*r.High)
}

// heading is the head of a table's column; class is "n" where it holds numbers.
type heading struct {
	class  string
	en, ko string
}

// table writes a table that can be sorted, in a place that scrolls if id is not empty.
func (w writer) table(id string, columns []heading, rows func()) {
	w.put(`<table class="sort"`)
	if id != "" {
		w.put(` id="%s"`, id)
	}
	w.put("><thead><tr>")
	for _, c := range columns {
		if c.class != "" {
			w.put(`<th class="%s">%s</th>`, c.class, both(c.en, c.ko))
			continue
		}
		w.put("<th>%s</th>", both(c.en, c.ko))
	}
	w.put("</tr></thead><tbody>\n")
	rows()
	w.put("</tbody></table>")
}

// section writes a section with a head and, where one is given, a note under it.
func (w writer) section(class string, head, note markup.Text, body func()) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	w.put("<section%s><h2>%s</h2>\n", markup.Text(class), head)
	if note != "" {
		w.put(`<p class="soft">%s</p>`+"\n", note)
	}
	body()
	w.put("</section>\n")
}

// Write writes the page, which needs no network.
func (p *Page) Write(out io.Writer) error {
	w := writer{bufio.NewWriter(out), p.zone}
	before, after, _ := strings.Cut(pageHTML, "<!-- body -->\n")
	w.put(`<!DOCTYPE html>
<html lang="%s" data-lang="%s">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; `+
		`script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>skillgate</title>
%s<header>
<div>
<h1>skillgate</h1>
<p class="soft">%s</p>
</div>
<button id="lang" type="button">한국어 / English</button>
</header>
<main>
`, p.Lang, p.Lang, markup.Text(before), both(p.Span, p.SpanKo))
	p.writeAnswers(w)
	p.writeTiles(w)
	p.writeTrends(w)
	p.writeChanges(w)
	p.writeCounts(w)
	p.writeSkills(w)
	w.put("</main>\n%s", markup.Text(after))
	return w.Flush()
}

// firstRegressions is how many regressions stand in the first screen; where there are more, all stand below.
const firstRegressions = 2

func (p *Page) writeAnswers(w writer) {
	w.put(`<div class="wide answers">
<section id="help"><h2>%s</h2>
<p class="word">%s</p><p>%s</p></section>
<section id="sure"><h2>%s</h2>
%s<p>%s</p></section>
<section id="next"><h2>%s</h2>
`, both("Does it help?", "도움이 되나?"), both(p.Help.Word, p.Help.WordKo), both(p.Help.Why, p.Help.WhyKo),
		both("How sure is that?", "얼마나 확실한가?"), p.Help.Plot, both(p.Help.Sure, p.Help.SureKo),
		both("What next?", "다음에 할 일"))
	if len(p.Proposals) == 0 {
		w.put("<p>%s</p>\n", both(p.Help.Next, p.Help.NextKo))
	} else {
		w.put("<ol>")
		for i, x := range p.Proposals[:min(3, len(p.Proposals))] {
			w.put("<li>%s<br><code>skillgate advise apply %d</code></li>", x.Text, i+1)
		}
		w.put("</ol>\n")
	}
	if p.Again != nil {
		list := p.Again.Regressions
		for _, r := range list[:min(firstRegressions, len(list))] {
			w.put(`<p class="small"><b>%s</b> `+
				`%s</p>`, r.Skill, bothf("is no longer named where it was used (prompts: %d): %s",
				"사용했던 곳에서 더는 추천되지 않는다(프롬프트 %d개): %s", len(r.Prompts), r.Cause))
		}
		if more := len(list) - firstRegressions; more > 0 {
			w.put(`<p class="small"><a href="#regressions">%s</a></p>`, bothf("all %d, %d more below", "전체 %d건, 아래에 %d건 더",
				len(list), more))
		}
	}
	w.put("</section>\n</div>\n")
}

func (p *Page) writeTiles(w writer) {
	s := &p.Stats
	w.put(`<section class="wide tiles">
<div>%s<b id="decisions">%d</b></div>
<div>%s<b id="sessions">%d</b></div>
<div>%s<b><span id="injected">%d</span> <small class="soft">%.1f%%</small></b></div>
<div>%s<b><span id="followed">%d</span> <small class="soft">%s</small></b></div>
<div>%s<b id="missed">%d</b></div>
<div>%s<b><span id="p50">%.1f</span> / <span id="p95">%.1f</span> / <span id="p99">%.1f</span> <small `+
		`class="soft">ms</small></b></div>
</section>
`, both("decisions", "판단"), s.Decisions, both("sessions", "세션"), s.Sessions,
		both("named a skill", "스킬 추천"), s.Injected, 100*s.InjectionRate,
		both("followed", "추천대로 사용"), s.Follow.Followed, bothf("of %d ended turns", "끝난 %d건 중", s.Follow.Known),
		both("used, not named", "놓친 사용"), s.Missed,
		both("time p50 / p95 / p99", "소요 시간 p50 / p95 / p99"), s.Ms.P50, s.Ms.P95, s.Ms.P99)
}

// writeTrends writes the weeks, which are the newest prompts only where the page says so.
func (p *Page) writeTrends(w writer) {
	if p.Weeks == "" {
		return
	}
	note := both("in front: with a hint", "앞쪽: 추천을 보여 준 프롬프트")
	if p.Judged > 0 {
		note += "; " + bothf("the newest %d prompts", "최근 프롬프트 %d개", p.Judged)
	}
	w.section("", both("Prompts by week", "주별 프롬프트"), note, func() { w.put("%s", p.Weeks) })
	w.section("", both("Followed by week", "주별 추천대로 사용한 비율"),
		both("0 to 100 %, with 95 % intervals", "0 ~ 100 %, 95 % 신뢰 구간"), func() { w.put("%s", p.Follow) })
}

// writeChanges writes what is no longer named, experiments, what this machine does to past prompts, proposals
// and what came of those that were applied.
func (p *Page) writeChanges(w writer) {
	if p.Again != nil && len(p.Again.Regressions) > firstRegressions {
		w.section("wide", both("No longer named where they were used", "사용했던 곳에서 더는 추천되지 않는 스킬"), "", func() {
			w.put(`<div class="scroll" id="regressions">`)
			w.table("", []heading{{"", "skill", "스킬"}, {"n", "prompts", "프롬프트"}, {"", "cause", "원인"}}, func() {
				for _, r := range p.Again.Regressions {
					w.put(`<tr><td>%s</td><td class="n">%d</td><td>%s</td></tr>`, r.Skill, len(r.Prompts), r.Cause)
				}
			})
			w.put("</div>")
		})
	}
	if len(p.Experiments) > 0 {
		w.section("wide", both("Experiments", "실험"), "", func() {
			for _, x := range p.Experiments {
				time := w.date(x.Plan.Started)
				if x.Plan.Ended != nil {
					time += " – " + w.date(*x.Plan.Ended)
				}
				w.put(`<p><span class="soft">%s</span> %s</p>%s`, time, x.Text, x.Plot)
				w.besides(x.Besides)
			}
		})
	}
	if p.Now != nil {
		w.put(`<section class="wide" id="now"><h2>%s</h2>
<p>%s</p>`, both("Replay of past prompts", "지난 프롬프트 재현"), both(p.Now.Text, p.Now.TextKo))
		if p.Now.Plot != "" {
			w.put(`<p class="soft">%s</p>%s`, both("blue, prompts that become better; red, worse",
				"파란색은 나아진 프롬프트, 빨간색은 나빠진 프롬프트"), p.Now.Plot)
		}
		w.put("</section>\n")
	}
	for _, r := range p.Saved {
		p.writeSaved(w, r)
	}
	if len(p.Proposals) > 0 {
		w.section("wide", both("Proposals, replayed on past prompts", "제안과 지난 프롬프트 재현 결과"),
			both("on sessions that they were not chosen on: blue, prompts that become better; red, worse; "+
				"all on one scale",
				"고르는 데 쓰지 않은 세션에서: 파란색은 나아진 프롬프트, 빨간색은 나빠진 프롬프트. 모두 같은 눈금"), func() {
				w.put("<ol>")
				for i, x := range p.Proposals {
					w.put(`<li>%s <code>skillgate advise apply %d</code><p class="soft small">%s. %s.</p>`,
						x.Text, i+1, x.Evidence, x.Risk)
					w.put(`<p class="small">%s</p>%s</li>`, x.effect(), x.Plot)
				}
				w.put("</ol>")
			})
	}
	if len(p.Applied) > 0 {
		w.section("wide", both("Applied, and measured again", "적용한 제안과 다시 잰 결과"), "", func() {
			w.put(`<div class="scroll">`)
			w.table("", []heading{{"", "date", "날짜"}, {"", "change", "변경"}, {"", "before", "이전"}, {"", "since", "이후"},
				{"", "verdict", "결과"}}, func() {
				for _, x := range p.Applied {
					w.put(`<tr><td>%s</td><td>%s</td><td class="n">%s</td><td class="n">%s</td><td>%s</td></tr>`,
						x.Date, x.Text, rate(x.Before), rate(x.After), x.Verdict)
				}
			})
			w.put("</div>")
		})
	}
}

// besides writes what else an experiment compared.
func (w writer) besides(list []arms.Comparison) {
	if !slices.ContainsFunc(list, func(c arms.Comparison) bool { return c.Difference != nil }) {
		return
	}
	w.put(`<div class="scroll">`)
	w.table("", []heading{{"", "besides, not tested", "그 밖에(검정하지 않음)"}, {"n", "with a hint", "추천 있음"},
		{"n", "without", "추천 없음"}, {"", "difference in points, 95 % interval", "차이(포인트), 95 % 신뢰 구간"}}, func() {
		share := func(r *outcome.Rate) string { return fmt.Sprintf("%.0f %%, %d / %d", 100*r.Value, r.Hits, r.N) }
		for _, c := range list {
			if d := c.Difference; d != nil {
				w.put(`<tr><td>%s</td><td class="n">%s</td><td class="n">%s</td><td>%s</td></tr>`, c.Name, share(c.Hinted),
					share(c.Held), pointsPlot(d[0], d[1], d[2]))
			}
		}
	})
	w.put("</div>")
}

// effect says what a proposal does to prompts of sessions that it was not chosen on.
func (x *proposal) effect() markup.Text {
	if x.Effect == nil {
		return markup.Sprintf("%s", x.Guess)
	}
	e := x.Effect.HeldOut
	return bothf("of %d prompts %d get the skill that they needed, %d lose it; "+
		"%d are spared a hint, %d get a needless one",
		"프롬프트 %d개 중 필요한 스킬이 새로 추천됨 %d, 사라짐 %d; 불필요한 추천이 없어짐 %d, 새로 생김 %d", e.Prompts, e.Caught, e.Lost,
		e.Spared, e.Bothers)
}

// writeSaved writes a replay that was saved: what changed, and by how much each measure differs.
func (p *Page) writeSaved(w writer, r *replay.Summary) {
	w.section("wide", bothf("Replay: %s → %s", "재현: %s → %s", r.A, r.B),
		bothf("%d of %d prompts change", "달라지는 프롬프트: %d개 (전체 %d개)", r.Compared-r.Changes[replay.Unchanged], r.Compared),
		func() {
			w.table("", []heading{{"", "change", "변경"}, {"n", "prompts", "프롬프트"}}, func() {
				for _, c := range replay.Changes {
					w.put(`<tr><td>%s</td><td class="n">%d</td></tr>`, strings.ReplaceAll(string(c), "_", " "), r.Changes[c])
				}
			})
			percent := func(x *replay.Rate) string {
				if x == nil {
					return "–"
				}
				return fmt.Sprintf("%.1f %% (%.1f … %.1f), n = %d", 100*x.Value, 100*x.Low, 100*x.High, x.N)
			}
			w.table("", []heading{{"", "measure", "지표"}, {"n", "before", "이전"}, {"n", "after", "이후"},
				{"", "difference in points, 95 % interval", "차이(포인트), 95 % 신뢰 구간"}}, func() {
				for _, m := range r.Measures {
					var plot markup.Text
					if d := m.Delta; d != nil {
						end := max(math.Abs(d.Low), math.Abs(d.High), 0.01)
						plot = intervalPlot(d.Value, d.Low, d.High, -end, end, "%+.1f", 0)
					}
					w.put(`<tr><td>%s</td><td class="n">%s</td><td class="n">%s</td><td>%s</td></tr>`,
						m.Measure, percent(m.A), percent(m.B), plot)
				}
			})
		})
}

// writeCounts writes how often what was decided.
func (p *Page) writeCounts(w writer) {
	draw := func(chart markup.Text) func() { return func() { w.put("%s\n", chart) } }
	w.section("wide", both("Decisions by day", "날짜별 판단"),
		both("in front: a skill was named", "앞쪽: 스킬을 추천한 판단"), draw(p.Days))
	if len(p.Stats.Positions) > 0 {
		w.section("", both("Followed by place in the hint", "추천 순서별 사용 비율"),
			both("of ended turns, the first, second and further skills that were named, with 95 % intervals",
				"끝난 턴에서 첫째, 둘째, 그다음으로 추천된 스킬이 사용된 비율과 95 % 신뢰 구간"),
			draw(placeChart(p.Stats.Positions)))
	}
	w.section("", both("Score of the best candidate", "1순위 후보의 점수"),
		bothf("line: score_min %.4g", "선: score_min %.4g", p.ScoreMin), draw(p.Scores))
	w.section("", both("Need", "필요도(need)"), bothf("line: need_min %.4g", "선: need_min %.4g", p.NeedMin), draw(p.Needs))
	counts := func(class markup.Text, list []store.Count) {
		for _, c := range list {
			w.put(`<tr><td%s>%s</td><td class="n">%d</td></tr>`, class, c.Name, c.Count)
		}
		w.put("\n")
	}
	count := heading{"n", "count", "건수"}
	var note markup.Text
	if n := p.Stats.Unreadable; n > 0 {
		note = bothf("lines of the log that could not be read and count nowhere: %d", "기록에서 %d줄을 읽지 못해 어떤 수치에도 넣지 않았다", n)
	}
	w.section("", both("Verdicts and reasons", "판정과 이유"), note, func() {
		w.table("", []heading{{"", "verdict", "판정"}, count}, func() {
			counts("", p.Stats.ByVerdict)
			counts(` class="soft"`, p.Stats.ByReason)
		})
	})
	w.section("", both("Languages", "언어"), "", func() {
		w.table("", []heading{{"", "language", "언어"}, count}, func() { counts("", p.Stats.ByLang) })
	})
}

// writeSkills writes what is known of each skill, and those that nothing is known of.
func (p *Page) writeSkills(w writer) {
	skill := heading{"", "skill", "스킬"}
	missed := heading{"n", "used, not named", "놓친 사용"}
	list := func(head, note markup.Text, class, id string, n int, columns []heading, rows func()) {
		w.section(class, head, note, func() {
			if n == 0 {
				w.put("<p>%s</p>\n", both("none", "없음"))
				return
			}
			w.put(`<div class="scroll">`)
			w.table(id, columns, rows)
			w.put("</div>\n")
		})
	}
	list(both("Skills", "스킬"), both("follow rate: of the ended turns whose answer named this skill, those in which "+
		"the model used it, with a 95 % interval. By week: dark, named and used; light, named and not used; "+
		"red, used and not named. `skillgate stats NAME` has its numbers.",
		"추천대로 사용한 비율: 이 스킬을 추천한 뒤 끝난 턴 가운데 모델이 실제로 사용한 비율과 95 % 신뢰 구간. "+
			"주별: 진한 색은 추천되어 사용됨, 옅은 색은 추천되었으나 사용되지 않음, 빨간색은 추천 없이 사용됨. 수치는 `skillgate stats 이름`."),
		"wide", "skills", len(p.Skills), []heading{skill, {"n", "named", "추천"}, {"n", "ended", "끝난 턴"},
			{"n", "followed", "사용됨"}, {"n", "follow rate", "비율"}, missed, {"", "by week", "주별"}}, func() {
			for _, s := range p.Skills {
				value := -1.0 // sorts first
				if s.Rate != nil {
					value = s.Rate.Value
				}
				w.put(`<tr><td>%s</td><td class="n">%d</td><td class="n">%d</td><td class="n">%d</td>`+
					`<td class="n" data-v="%v">%s</td><td class="n">%d</td><td>%s</td></tr>`+"\n",
					s.Name, s.Named, s.Known, s.Followed, value, rate(s.Rate), s.Missed, s.Plot)
			}
		})
	note := both("The model used these skills though they had not been named. "+
		"`skillgate advise` proposes what to change. Of the newest 20,000 decisions.",
		"추천하지 않았는데 모델이 사용한 스킬. 무엇을 바꿀지는 `skillgate advise`가 제안한다. 최근 판단 20,000건 기준.")
	if k := p.Stats.Kept; k.Terms+k.Gone > 0 {
		note += " " + bothf("what log.prompts costs: of %d prompts %d are kept as terms, which are shown, and %d not at all",
			"log.prompts 설정 때문에 프롬프트 %d개 가운데 %d개는 단어로만, %d개는 전혀 남아 있지 않다.", k.Prompts, k.Terms, k.Gone)
	}
	list(both("Misses", "놓친 사용"), note,
		"wide", "misses", len(p.Misses), []heading{{"", "time", "시각"}, skill, {"", "prompt", "프롬프트"},
			{"", "decision", "판정"}}, func() {
			for _, m := range p.Misses {
				w.put("<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n", m.Time, m.Skill, m.Prompt, m.Verdict)
			}
		})
	list(both("Collisions", "충돌"), both("pairs that come first and second within 5% of each other's score, "+
		"of the newest 20,000 decisions", "점수 차이가 5% 이내인 1·2순위 쌍, 최근 판단 20,000건 기준"), "", "collisions",
		len(p.Collisions), []heading{skill, {"", "and", "상대"}, {"n", "times", "횟수"}}, func() {
			for _, c := range p.Collisions {
				w.put(`<tr><td>%s</td><td>%s</td><td class="n">%d</td></tr>`+"\n", c.A, c.B, c.Count)
			}
		})
	w.put(`<section>
<details><summary>%s <span id="dead">%d</span></summary>
<p class="soft small">%s </p></details>
</section>
`, bothf("%d installed skills, of which so far neither named nor used:",
		"설치된 스킬 %d개 가운데 아직 추천도 사용도 되지 않은 것:", p.Stats.Installed), len(p.Stats.NeverUsed),
		strings.Join(p.Stats.NeverUsed, " "))
}
