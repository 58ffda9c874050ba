package rerank

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/regular"
)

// Word is a term of the prompt that a candidate matched, as the index has it (a
// stem, or a Korean word without its endings), and what it scored.
type Word struct {
	Text   string
	Weight float64
}

const (
	maxBody    = 64 << 10 // read of a body: the best passage of a longer one is near its start
	maxPassage = 600      // bytes; some 128 tokens
)

// Body returns what the SKILL.md at path adds to a description: its contract and
// its best passage; nothing where the file cannot be read.
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

// contractKeys are the frontmatter keys that say what a skill needs, gives and
// does not do.
var contractKeys = []string{
	"when_to_use", "when-to-use", "not_for", "scope", "limits", "input", "inputs", "output", "outputs", "argument-hint",
	"requires", "requirements", "preconditions", "prerequisites", "platform", "platforms", "compatibility", "version",
}

const maxContract = 400 // bytes; some 80 tokens, of which the helper keeps what half a pair holds

// Contract returns the lines of a SKILL.md's frontmatter that hold its contract,
// "key: value" with their continuation lines, at most 400 bytes.
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

// Passage returns the paragraph of a SKILL.md's body, with the heading it stands
// under, that holds the words of most weight, each counted once; the first of
// equals. It is at most 600 bytes long, and "" where no paragraph holds any.
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

// nextBlock cuts the first paragraph off body: up to an empty line, the next
// heading, or maxPassage bytes.
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

// holds reports whether folded has a word that starts with stem. Words of other
// scripts than Latin may start anywhere.
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
