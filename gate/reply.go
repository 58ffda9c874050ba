package gate

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/neutral"
	"github.com/skillgate/skillgate/gate/secret"
)

const (
	maxContext  = 2000 // UTF-16 units; the host truncates at 10,000, and the text stays in the conversation
	maxEvidence = 3    // number of matched words shown per candidate
	maxPath     = 400  // maximum length of a shown path, in characters
)

const replyHead = "Skills that match this prompt"

// HasReply reports whether text already contains skillgate's reply. A subagent's task may contain one.
func HasReply(text string) bool { return strings.Contains(text, "\n\n"+replyHead+" (") }

// context returns the text for the model and the IDs of the skills in it. The text is a list like the host's own, or
// one line of names if d is brief or lean. Text from skills is neutralised and redacted.
func (g *Gate) context(all []candidate, d *Decision, byPath bool) (text string, listed map[string]bool) {
	listed = map[string]bool{}
	switch {
	case d.Brief:
		return names("Skills that may match this prompt, if one is needed: ", all, byPath, listed), listed
	case d.Lean:
		return names(replyHead+": ", all, byPath, listed), listed
	}
	var skills, agents []candidate
	steps := 0
	for _, c := range all {
		switch {
		case !c.Injected:
		case c.doc.Flags&index.IsAgent != 0:
			agents = append(agents, c)
		default:
			skills = append(skills, c)
			steps = max(steps, c.Step)
		}
	}
	load, run := " the Skill tool loads one;", " (the Agent tool runs it)"
	if byPath {
		load, run = "", ""
	}
	header := func(n int) string {
		return fmt.Sprintf(replyHead+" (%d of %s installed;%s where none fits, none is needed):\n",
			n, thousands(g.snapshot.Distinct), load)
	}
	left := maxContext
	var list []string
	if len(skills) > 0 {
		left -= clip.UTF16(header(len(skills)))
	}
	for i, c := range skills {
		line := g.line(c, left, byPath, steps > 1, i > 0 && c.Score > 0 && c.Score > 0.95*skills[i-1].Score &&
			c.Step == skills[i-1].Step)
		if line == "" {
			continue
		}
		listed[c.ID] = true
		list = append(list, line)
		left -= clip.UTF16(line)
	}
	if len(list) > 0 {
		list = append([]string{header(len(list))}, list...)
	}
	for _, c := range agents {
		head := "Agent that matches this prompt" + run + ":\n"
		if line := g.line(c, left-clip.UTF16(head), byPath, false, false); line != "" {
			listed[c.ID] = true
			list = append(list, head, line)
			left -= clip.UTF16(head) + clip.UTF16(line)
		}
	}
	return strings.TrimRight(strings.Join(list, ""), "\n"), listed
}

func (d *Decision) leave(names []string, req Request) {
	if len(names) == 0 {
		return
	}
	if d.Verdict == Silent {
		d.Reason = UserOnly
	}
	line := "Only the user can start /" + strings.Join(names, ", /") + ", by typing it."
	if all := strings.TrimPrefix(d.Context+"\n"+line, "\n"); !req.NoContext && clip.UTF16(all) <= maxContext {
		d.Context, d.Chars = all, clip.UTF16(all)
	}
}

func names(head string, all []candidate, byPath bool, listed map[string]bool) string {
	text := head
	for _, c := range all {
		if !c.Injected {
			continue
		}
		name := c.Name
		if c.doc.Flags&index.IsAgent != 0 {
			name += " (agent)"
		}
		if c.Path != "" && (byPath || c.doc.Flags&index.IsLibrary != 0) {
			name += " (" + read(c.Path) + ")"
		}
		if len(listed) > 0 {
			name = ", " + name
		}
		if clip.UTF16(text)+clip.UTF16(name) > maxContext {
			continue
		}
		text += name
		listed[c.ID] = true
	}
	return text
}

// line returns the line for candidate c in at most left UTF-16 units. If the line is too long, it returns only the
// name, and if even the name is too long, "".
func (g *Gate) line(c candidate, left int, byPath, step, near bool) string {
	var tail []string
	if step && c.Step > 0 {
		tail = append(tail, fmt.Sprintf("step %d", c.Step))
	}
	if e := evidence(c.Matched); e != "" {
		tail = append(tail, "matched "+e)
	}
	if near {
		tail = append(tail, "close to the previous one")
	}
	if c.forced {
		tail = append(tail, "named in the prompt")
	}
	end := ""
	if len(tail) > 0 {
		end = " (" + strings.Join(tail, "; ") + ")"
	}
	name := c.Name
	switch {
	case byPath && c.Path != "":
		end += "; " + read(c.Path)
	case c.doc.Flags&index.IsLibrary != 0:
		end += "; not in the Skill tool"
		if c.Path != "" {
			end += ", " + read(c.Path)
		}
	}
	text := "- " + name
	if c.Loaded {
		end += "; loaded earlier in this session"
	} else if c.Described {
		end += "; described earlier in this session"
	} else if d := description(&c.doc); d != "" {
		text += ": " + d
	}
	text += end
	if clip.UTF16(text) >= left {
		text = "- " + name
		if clip.UTF16(text) >= left {
			return ""
		}
	}
	return text + "\n"
}

func description(d *index.Doc) string {
	if d.Flags&index.Clean != 0 {
		return neutral.Shorten(d.Description, neutral.MaxDescription)
	}
	return neutral.Text(secret.Redact(d.Description), neutral.MaxDescription)
}

// read returns an instruction to read the file at path. It does not show paths that must be neutralised, because folder
// names are untrusted and a changed path would not work.
func read(path string) string {
	if !neutral.Survives(path, maxPath) {
		return "its path cannot be shown"
	}
	return "read " + path
}

// evidence returns the words with the highest scores, in the prompt's form and the skill's, such as "리뷰→review, PR".
func evidence(matched []Match) string {
	var out []string
	seen := map[string]bool{}
	for _, m := range matched {
		if m.Score <= 0 || m.Field == index.Expansion.String() || m.Term == "" || seen[m.Term] ||
			strings.HasPrefix(m.Term, "=") {
			continue
		}
		seen[m.Term] = true
		word := m.Term
		if m.Via != "" && m.Via != m.Term {
			word += "→" + m.Via
		}
		// Both words together may read like an instruction; then only the prompt's word is shown.
		if shown := cmp.Or(neutral.Text(word, 40), neutral.Text(m.Term, 40)); shown != "" {
			out = append(out, shown)
		}
		if len(out) == maxEvidence {
			break
		}
	}
	return strings.Join(out, ", ")
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
