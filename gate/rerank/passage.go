package rerank

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/regular"
)

// Word is a term of the prompt that a candidate matched, in the form of the index (a
// stem, or a Korean word without endings), with the score of the match.
type Word struct {
	Text   string
	Weight float64
}

const (
	maxBody    = 64 << 10 // bytes of a file to read; the best passage of a longer file is near its start
	maxPassage = 600      // bytes, about 128 tokens
)

// Body returns the contract and the best passage of the SKILL.md at path. Both are empty if the
// file cannot be read.
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

// contractKeys are the frontmatter keys for the inputs, outputs, requirements and limits of a skill.
var contractKeys = []string{
	"when_to_use", "when-to-use", "not_for", "scope", "limits", "input", "inputs", "output", "outputs", "argument-hint",
	"requires", "requirements", "preconditions", "prerequisites", "platform", "platforms", "compatibility", "version",
}

const maxContract = 400 // bytes, about 80 tokens; the helper may cut it further

// Contract returns the lines of a SKILL.md's frontmatter with a contract key, including
// continuation lines, at most 400 bytes.
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

// Passage returns the paragraph of a SKILL.md's body whose words have the greatest total
// weight, each counted once, after its heading. Of equal paragraphs it returns the first. It
// is at most 600 bytes long, and empty if no paragraph contains any of the words.
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

// nextBlock splits off the first paragraph of body. It ends at an empty line, before the next
// heading or after maxPassage bytes.
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

// holds reports whether a word of folded starts with stem. A stem in another script than Latin may occur anywhere.
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
