package gate

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/lang/vocab"
	"github.com/skillgate/skillgate/triage"
)

// needFile holds the need model and the default thresholds, one "name value" pair
// a line; "#" starts a comment. `skillgate tune need` writes it.
//
//go:embed need.txt
var needFile string

// needModel is a logistic regression: the probability that a skill helps is
// 1/(1+exp(−(bias + Σ weight·feature))).
type needModel struct {
	bias    float64
	weights [numFeatures]float64
}

var need = sync.OnceValue(parseNeed)

// Feature is one input of the need model.
type Feature int

// The features. Shares are 0 to 1; scores are BM25F scores.
const (
	TopScore      Feature = iota // log(1 + best score)
	MeanScore                    // log(1 + mean of the best five)
	Gap                          // share by which the best score is above the sixth
	Coverage                     // share of the prompt's weight that the best one's text holds
	HeadCover                    // the same, in its name, description, triggers or expansions
	HeadTerms                    // log(1 + terms it meets there)
	NameShare                    // share of its score from its name
	TriggerPart                  // share of its score from triggers
	BodyShare                    // share of its score from its body alone
	Expanded                     // share of its score from expansions
	Length                       // log(1 + index terms of the prompt)
	Concepts                     // log(1 + informative concepts of the prompt)
	Code                         // log(1 + paths, identifiers and code marks)
	Question                     // 1 when the prompt asks about something rather than for something
	KoreanText                   // 1 for a Korean prompt
	MixedText                    // 1 for a mixed one
	Composite                    // 1 for a request of several steps
	Library                      // log(number of skills)
	Lines                        // log(lines of the prompt)
	AtHand                       // share of the prompt's concepts that are work on the code at hand
	AtHandTerms                  // log(1 + their number)
	Density                      // log(best score) less log(length): what a word of the prompt finds
	ScoreByLen                   // top_score × length
	CoverByLen                   // head_cover × length
	CoverByTop                   // head_cover × top_score
	LongTail                     // length beyond 40 terms, logarithmic
	Enriched                     // share of the best five that have an expansion: their scores are higher
	EnrichedTop                  // enriched × top_score
	EnrichedCover                // enriched × head_cover
	EnrichedLen                  // enriched × length
	numFeatures
)

var featureNames = [numFeatures]string{
	"top_score", "mean_score", "gap", "coverage", "head_cover", "head_terms", "name_share", "trigger_share", "body_share",
	"expanded", "length", "concepts", "code", "question", "korean", "mixed", "composite", "library", "lines",
	"at_hand", "at_hand_terms", "density", "score_by_length", "cover_by_length", "cover_by_score", "long_tail",
	"enriched", "enriched_score", "enriched_cover", "enriched_length",
}

// Features is one prompt as the need model sees it.
type Features [numFeatures]float64

// Names returns the features' names, in order.
func (Features) Names() []string { return featureNames[:] }

// probability is the model's estimate.
func (m *needModel) probability(x Features) float64 {
	z := m.bias
	for i, w := range m.weights {
		z += w * x[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// features computes the need model's inputs for a searched prompt.
func (g *Gate) features(p triage.Prompt, res *rank.Result, skills []candidate) Features {
	var x Features
	var met, head, all float64
	informative, headTerms, hand := 0, 0, 0
	for i := range res.Query.Concepts {
		c := &res.Query.Concepts[i]
		mass := c.Weight * c.IDF()
		if mass == 0 {
			continue
		}
		all += mass
		if vocab.CodeWork.Has(c.Text) {
			hand++
		}
		if !c.Generic {
			informative++
		}
		if len(skills) == 0 {
			continue
		}
		inText, inHead := false, false
		for j := range c.Alts {
			if post, ok := c.Alts[j].Posting(skills[0].num); ok && !post.Freq.Only(index.Not) {
				inText = true
				inHead = inHead || !post.Freq.Only(index.Body)
			}
		}
		if inText {
			met += mass
		}
		if inHead {
			head += mass
			if !c.Generic {
				headTerms++
			}
		}
	}
	if len(skills) > 0 && all > 0 {
		best := skills[0]
		sum := 0.0
		five := skills[:min(5, len(skills))]
		for _, c := range five {
			sum += c.Score
			if c.doc.Lengths[index.Expansion] > 0 || c.lent != nil {
				x[Enriched] += 1 / float64(len(five))
			}
		}
		x[TopScore] = math.Log1p(best.Score)
		x[MeanScore] = math.Log1p(sum / 5)
		if len(skills) > 5 {
			x[Gap] = 1 - skills[5].Score/best.Score
		} else {
			x[Gap] = 0.5 // nothing to compare with
		}
		x[Coverage], x[HeadCover] = met/all, head/all
		x[HeadTerms] = math.Log1p(float64(headTerms))
		for _, m := range best.Matched {
			switch m.Field {
			case index.Name.String():
				x[NameShare] += m.Score / best.Score
			case index.Triggers.String():
				x[TriggerPart] += m.Score / best.Score
			case index.Body.String():
				x[BodyShare] += m.Score / best.Score
			case index.Expansion.String():
				x[Expanded] += m.Score / best.Score
			}
		}
	}
	x[Length] = math.Log1p(float64(res.Query.Tokens))
	x[AtHandTerms] = math.Log1p(float64(hand))
	x[AtHand] = float64(hand) / float64(max(len(res.Query.Concepts), 1))
	x[Density] = x[TopScore] - x[Length]
	x[ScoreByLen] = x[TopScore] * x[Length]
	x[CoverByLen] = x[HeadCover] * x[Length]
	x[CoverByTop] = x[HeadCover] * x[TopScore]
	x[LongTail] = math.Log1p(max(float64(res.Query.Tokens)-40, 0))
	x[EnrichedTop], x[EnrichedCover], x[EnrichedLen] = x[Enriched]*x[TopScore], x[Enriched]*x[HeadCover], x[Enriched]*x[Length]
	x[Concepts] = math.Log1p(float64(informative))
	x[Code] = math.Log1p(float64(codeMarks(p.Text)))
	if triage.Mention(p.Text) {
		x[Question] = 1
	}
	switch p.Lang {
	case "ko":
		x[KoreanText] = 1
	case "mixed":
		x[MixedText] = 1
	}
	if len(p.Steps) > 1 {
		x[Composite] = 1
	}
	x[Lines] = math.Log1p(float64(strings.Count(strings.TrimSpace(p.Text), "\n")))
	x[Library] = math.Log(float64(max(g.snapshot.Skills, 1)))
	return x
}

// codeMarks counts what marks a prompt as work on code at hand: paths, file
// names, identifiers, calls and code fences.
func codeMarks(text string) int {
	n := 0
	for _, word := range strings.Fields(text) {
		word = strings.Trim(word, ".,;:!?\"'()[]")
		switch {
		case strings.HasPrefix(word, "http://"), strings.HasPrefix(word, "https://"):
		case strings.Contains(word, "```"), strings.Contains(word, "()"), strings.Contains(word, "::"), strings.Contains(word, "=>"), strings.Contains(word, "!="):
			n++
		case strings.Contains(word, "/") && strings.Contains(word, "."), strings.HasPrefix(word, "./"), strings.HasPrefix(word, "src/"):
			n++
		case strings.Contains(word, "_") && len(word) > 3, isFileName(word), isCamel(word):
			n++
		}
	}
	return n
}

// isFileName reports whether word ends like a source file: "utils.go", "app.test.tsx".
func isFileName(word string) bool {
	dot := strings.LastIndexByte(word, '.')
	if dot < 1 || dot == len(word)-1 || len(word)-dot > 6 {
		return false
	}
	switch strings.ToLower(word[dot+1:]) {
	case "go", "py", "js", "ts", "tsx", "jsx", "java", "kt", "rs", "c", "h", "cc", "cpp", "hpp", "cs", "rb", "php", "swift", "scala", "sh",
		"sql", "css", "scss", "html", "vue", "svelte", "json", "yaml", "yml", "toml", "ini", "env", "lock", "mod", "gradle", "xml", "md", "txt", "proto", "tf":
		return true
	}
	return false
}

// isCamel reports whether word is a lowerCamelCase identifier.
func isCamel(word string) bool {
	if word == "" || word[0] < 'a' || word[0] > 'z' {
		return false
	}
	for i := 1; i < len(word); i++ {
		if word[i] >= 'A' && word[i] <= 'Z' {
			return true
		}
	}
	return false
}

// parseNeed reads the embedded model; a test checks that the file is complete.
func parseNeed() *needModel {
	m := &needModel{bias: needNumber("bias")}
	for i, name := range featureNames {
		m.weights[i] = needNumber("need." + name)
	}
	return m
}

// needNumber returns the value of one name of the file, 0 where it is missing.
func needNumber(name string) float64 {
	for line := range strings.Lines(needFile) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && key == name {
			v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err == nil {
				return v
			}
		}
	}
	return 0
}

// NeedModelText returns a need file: thresholds, bias and weights.
func NeedModelText(scoreMin, needMin, bias float64, weights Features) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s %.4g\n%-20s %.4g\n%-20s %.4f\n", "score_min", scoreMin, "need_min", needMin, "bias", bias)
	for i, name := range featureNames {
		fmt.Fprintf(&b, "%-20s %.4f\n", "need."+name, weights[i])
	}
	return b.String()
}

// needID identifies the checked-in model.
func needID() string {
	sum := sha256.Sum256([]byte(needFile))
	return hex.EncodeToString(sum[:6])
}
