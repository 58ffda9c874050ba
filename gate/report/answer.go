package report

import (
	"fmt"

	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/internal/markup"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/plural"
)

// help answers whether hints help and how sure that is.
type help struct {
	Word, WordKo string // in one or two words
	Why, WhyKo   string
	Sure, SureKo string
	Plot         markup.Text
	Next, NextKo string // what to do next where there is no proposal
}

// proposal is a proposal with its number and a plot of its effect.
type proposal struct {
	advise.Proposal
	Plot markup.Text
}

// trial is an experiment with a plot of what it found.
type trial struct {
	arms.Arms
	Text string
	Plot markup.Text
}

// now is what this machine as it is does to past prompts.
type now struct {
	Text, TextKo string
	Plot         markup.Text
}

// answer fills in the first screen.
func (p *Page) answer(o Options) {
	most := 1
	for _, x := range o.Proposals {
		if x.Effect != nil {
			better, worse := moved(x.Effect.HeldOut)
			most = max(most, better, worse)
		}
	}
	for _, x := range o.Proposals {
		row := proposal{Proposal: x}
		if x.Effect != nil {
			row.Plot = effectPlot(x.Effect.HeldOut, most)
		}
		p.Proposals = append(p.Proposals, row)
	}
	say := o.Say
	if say == nil {
		say = fmt.Sprintf
	}
	for _, x := range o.Experiments {
		p.Experiments = append(p.Experiments, trial{x, x.Plan.Sentence(x.Test, say), differencePlot(&x.Test)})
	}
	if r := o.Replayed; r != nil && r.Prompts > 0 {
		better, worse := moved(*r)
		p.Now = &now{fmt.Sprintf("Answered again by this machine as it is now, %d of the newest %d prompts get a skill "+
			"that was used and "+
			"was not named then, %d lose one; %d are spared a hint that nothing followed, %d get one; %d change otherwise.",
			r.Caught, r.Prompts, r.Lost, r.Spared, r.Bothers, r.Other),
			fmt.Sprintf("지금 상태로 최근 프롬프트 %d개에 다시 답하면, 사용했으나 추천되지 않았던 스킬이 %d개에서 추천되고 %d개에서는 추천이 사라진다. "+
				"쓰이지 않은 추천은 %d개에서 없어지고 %d개에서 새로 생긴다. 그 밖에 %d개가 달라진다.",
				r.Prompts, r.Caught, r.Lost, r.Spared, r.Bothers, r.Other), effectPlot(*r, max(better, worse))}
	}
	h := &p.Help
	var best *arms.Arms
	for i := range o.Experiments {
		x := &o.Experiments[i]
		if x.Test.Found != experiment.Running || best == nil || best.Test.Found == experiment.Running {
			best = x
		}
	}
	if best != nil && best.Test.Hinted.N > 0 && best.Test.Held.N > 0 {
		h.measured(best)
	} else {
		h.followed(&p.Stats.Follow)
	}
	switch {
	case len(p.Proposals) > 0:
	case !o.Advised:
		h.Next, h.NextKo = "`skillgate advise` says what to change.", "무엇을 바꿀지는 `skillgate advise`가 알려 준다."
	case p.Again != nil && len(p.Again.Regressions) > 0:
		h.Next, h.NextKo = "Look at what no longer works; `skillgate stats` counts them.",
			"더는 되지 않는 것부터 살펴본다. 집계는 `skillgate stats`."
	case p.Stats.Follow.Named > 0 && p.Stats.Follow.Known == 0:
		h.Next, h.NextKo = "Nothing to change yet. `skillgate doctor` says whether sessions are watched.",
			"아직 바꿀 것이 없다. 세션이 관찰되고 있는지는 `skillgate doctor`로 알 수 있다."
	case len(o.Experiments) == 0 && p.Stats.Follow.Known >= 20:
		h.Next, h.NextKo = "Nothing to change. `skillgate experiment start` finds out whether hints help.",
			"바꿀 것이 없다. 추천이 도움이 되는지는 `skillgate experiment start`로 알 수 있다."
	default:
		h.Next, h.NextKo = "Nothing to change: go on working.", "바꿀 것이 없다. 그대로 쓰면 된다."
	}
}

// measured answers by an experiment.
func (h *help) measured(x *arms.Arms) {
	t := &x.Test
	switch t.Found {
	case experiment.Helps:
		h.Word, h.WordKo = "Yes", "그렇다"
	case experiment.Hurts:
		h.Word, h.WordKo = "No, it harms", "아니다, 오히려 해롭다"
	case experiment.Nothing:
		h.Word, h.WordKo = "No effect found", "효과를 찾지 못했다"
	default:
		h.Word, h.WordKo = "Not known yet", "아직 알 수 없다"
	}
	h.Why = fmt.Sprintf("With a hint the model used a named skill after %.0f %% of the prompts, without one after %.0f "+
		"%%.", 100*t.Hinted.Value, 100*t.Held.Value)
	h.WhyKo = fmt.Sprintf("추천을 보여 준 프롬프트의 %.0f %%에서 모델이 그 스킬을 사용했고, "+
		"보여 주지 않았을 때는 %.0f %%였다.", 100*t.Hinted.Value, 100*t.Held.Value)
	h.Sure = fmt.Sprintf("An experiment with %d prompts: %+.0f points, 95 %% interval %+.1f to %+.1f.", t.Cases,
		100*t.Difference, 100*t.Low, 100*t.High)
	h.SureKo = fmt.Sprintf("프롬프트 %d개로 한 실험: %+.0f포인트, 95 %% 신뢰 구간 %+.1f ~ %+.1f.", t.Cases, 100*t.Difference,
		100*t.Low, 100*t.High)
	if t.Found == experiment.Running && x.Plan.Ended == nil {
		h.Sure += fmt.Sprintf(" At most %d more prompts are needed.", t.Needed)
		h.SureKo += fmt.Sprintf(" 앞으로 많아야 %d개가 더 필요하다.", t.Needed)
	}
	h.Plot = differencePlot(t)
}

// followed answers by the follow rate, which cannot tell what would have been used anyway.
func (h *help) followed(t *outcome.Tally) {
	if t.Rate == nil {
		h.Word, h.WordKo = "Not known yet", "아직 알 수 없다"
		h.Why, h.WhyKo = "No turn with a hint is known to have ended.", "추천을 보여 준 턴 가운데 끝난 것으로 확인된 것이 없다."
		h.Sure, h.SureKo = plural.Of(t.Named, "hint")+" so far.", fmt.Sprintf("추천은 %d번 있었다.", t.Named)
		return
	}
	h.Word, h.WordKo = fmt.Sprintf("Used in %.0f %%", 100*t.Rate.Value), fmt.Sprintf("%.0f %%에서 사용됨", 100*t.Rate.Value)
	h.Why = fmt.Sprintf("After %d of %d hints whose turn has ended, the model used a named skill. "+
		"Whether it would have anyway, only an experiment tells.", t.Followed, t.Known)
	h.WhyKo = fmt.Sprintf("턴이 끝난 추천 %d건 가운데 %d건에서 모델이 추천된 스킬을 사용했다. "+
		"추천이 없었어도 그랬을지는 실험만이 알려 준다.", t.Known, t.Followed)
	h.Sure = fmt.Sprintf("95 %% interval %.0f to %.0f %%.", 100*t.Rate.Low, 100*t.Rate.High)
	h.SureKo = fmt.Sprintf("95 %% 신뢰 구간 %.0f ~ %.0f %%.", 100*t.Rate.Low, 100*t.Rate.High)
	if more := t.Named - t.Known; more > 0 {
		h.Sure += fmt.Sprintf(" Hints of which no end is known: %d more.", more)
		h.SureKo += fmt.Sprintf(" 나머지 추천 %d건은 끝났는지 알 수 없다.", more)
	}
	h.Plot = intervalPlot(t.Rate.Value, t.Rate.Low, t.Rate.High, 0, 1, "%.0f %%")
}
