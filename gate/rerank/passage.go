package rerank

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/regular"
)

// Word is an index term (a stem, or a Korean word without endings) of the prompt that a candidate matched. Weight is
// the score of the match.
type Word struct {
	Text   string
	Weight float64
}

const (
	maxBody    = 64 << 10 // bytes read of a file; the best passage of a longer file is near its start
	maxPassage = 600      // bytes; about 128 tokens
)

// Body returns the contract and the best passage of the SKILL.md at path, or "" for both if it cannot read the file.
// See Contract and Passage.
func Body(path string, words []Word) (contract, passage string) {
	if path == "" {
		return "", ""
	}
	b, err := regular.Head(path, maxBody)
	if err != nil {
		return "", ""
	}
	return Contract(string(b)), Passage(string(b), words)
}

// contractKeys are the frontmatter keys for a skill's inputs, outputs, requirements and limits.
var contractKeys = []string{
	"when_to_use", "when-to-use", "not_for", "scope", "limits", "input", "inputs", "output", "outputs", "argument-hint",
	"requires", "requirements", "preconditions", "prerequisites", "platform", "platforms", "compatibility", "version",
}

const maxContract = 400 // bytes; about 80 tokens, which the helper may shorten

// Contract returns the frontmatter lines of a SKILL.md that start with one of contractKeys, and their continuation
// lines. The result has at most maxContract bytes.
func Contract(text string) string {
	front := catalog.FindFrontmatter(text)
	if !front.Closed {
		return ""
	}
	var out []string
	keep := false
	for line := range strings.Lines(text[front.Start:front.End]) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		if line[0] != ' ' && line[0] != '\t' && line[0] != '-' {
			key, _, _ := strings.Cut(trimmed, ":")
			keep = slices.Contains(contractKeys, strings.ToLower(key))
		}
		if keep {
			out = append(out, trimmed)
		}
	}
	return clip.Bytes(strings.Join(out, " "), maxContract)
}

// Passage returns the paragraph of a SKILL.md's body that matches words best, preceded by its heading. This is the
// first paragraph whose words have the greatest total weight; repeated words count once. The result has at most
// maxPassage bytes and is "" if no paragraph contains any of the words.
func Passage(text string, words []Word) string {
	body := text[catalog.FindFrontmatter(text).Body:]
	best, bestScore, bestHeading := "", 0.0, ""
	heading := ""
	for body != "" {
		var block string
		block, body = nextBlock(body)
		if block == "" {
			continue
		}
		if strings.HasPrefix(block, "#") {
			line, rest, _ := strings.Cut(block, "\n")
			heading = strings.TrimSpace(strings.TrimLeft(line, "#"))
			if block = strings.TrimSpace(rest); block == "" {
				continue
			}
		}
		folded := strings.ToLower(block)
		score := 0.0
		for _, w := range words {
			if w.Weight > 0 && holds(folded, w.Text) {
				score += w.Weight
			}
		}
		if score > bestScore {
			best, bestScore, bestHeading = block, score, heading
		}
	}
	if best == "" {
		return ""
	}
	if bestHeading != "" {
		best = clip.Bytes(bestHeading, 120) + ": " + best
	}
	return clip.Bytes(best, maxPassage)
}

// nextBlock splits the first paragraph off body. It ends at an empty line, at a heading or after maxPassage bytes.
func nextBlock(body string) (block, rest string) {
	at := 0
	for at < len(body) {
		line := body[at:]
		end := strings.IndexByte(line, '\n')
		if end < 0 {
			end = len(line) - 1
		}
		line = line[:end+1]
		blank := strings.TrimSpace(line) == ""
		if blank && at > 0 || at > 0 && strings.HasPrefix(line, "#") {
			break
		}
		if at > 0 && at+len(line) > maxPassage {
			break
		}
		at += len(line)
		if blank {
			break
		}
	}
	return strings.TrimSpace(body[:at]), body[at:]
}

// holds reports whether a word of a lower-case text starts with stem. A stem in a script other than Latin may also
// occur inside a word.
func holds(folded, stem string) bool {
	if stem == "" {
		return false
	}
	latin := stem[0] < utf8.RuneSelf
	for at := 0; ; {
		i := strings.Index(folded[at:], stem)
		if i < 0 {
			return false
		}
		i += at
		if !latin || i == 0 || !letter(folded[i-1]) {
			return true
		}
		at = i + len(stem)
	}
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
