package rank

import (
	"slices"
	"testing"

	"github.com/skillgate/skillgate/gate/catalog"
)

func TestCarry(t *testing.T) {
	r := over(t, []catalog.Entry{skill("glass", "Blows bottles of glass.", "")})
	q := r.Parse("the same for the beehive")
	before := len(q.Concepts)
	r.Carry(&q, []string{"glass", "beehiv"}, 0.5)
	at := slices.IndexFunc(q.Concepts, func(c Concept) bool { return c.Text == "glass" })
	if at < 0 || q.Concepts[at].Weight != 0.5 || len(q.Concepts) != before+1 {
		t.Errorf("Carry gives %+v, want glass at half weight beside the prompt's own words", q.Concepts)
	}
}

func TestTopic(t *testing.T) {
	r := over(t, []catalog.Entry{skill("glass", "Blows bottles of glass.", ""), skill("bees", "Looks after a beehive in winter.", "")})
	res, err := r.Search(t.Context(), r.Parse("please blow some bottles and look after the beehive"))
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Query.Topic(8); !slices.Contains(got, "bottl") || slices.Contains(got, "pleas") {
		t.Errorf("Topic = %q, want the telling words", got)
	}
	if got := res.Query.Topic(1); len(got) != 1 {
		t.Errorf("Topic(1) = %q", got)
	}
}

func TestTopicOfMarks(t *testing.T) {
	r := over(t, []catalog.Entry{skill("minutes", "Writes the minutes of a meeting.", ""), skill("sharp", "Formats C# sources.", "")})
	res, err := r.Search(t.Context(), r.Parse("회의록을 c# 코드로"))
	if err != nil {
		t.Fatal(err)
	}
	got := res.Query.Topic(8)
	if !slices.Contains(got, "c#") || !slices.Contains(got, "회의록") || slices.Contains(got, "회의록#minut") {
		t.Errorf("Topic = %q, want c# and 회의록, without what the second word of its sense adds", got)
	}
	q := r.Parse("the same again")
	r.Carry(&q, got, 0.5)
	if !slices.ContainsFunc(q.Concepts, func(c Concept) bool { return c.Text == "c#" && c.Weight == 0.5 }) {
		t.Errorf("Carry gives %+v, want c# at half weight", q.Concepts)
	}
}
