package lint

import (
	"net/url"
	"path"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
)

type link struct {
	target     string // relative path without an anchor
	start, end int    // offsets of the target in the text
	mention    bool   // it is no link, but said in passing
	read       bool   // a mention that says to read it, and of a skill not to run it
}

var markdownLink = lazy(`\]\(\s*<?([^()<>\s]+(?:\([^()\s]*\)[^()<>\s]*)?)>?(?:\s+["'(][^)]*)?\s*\)`)

func (s *Skill) links() []link { return linksOf(s.Src.Text, s.Front.Body) }

func linksOf(text string, from int) []link {
	var out []link
	depth := 0 // of code fences, from one on that holds a page of Markdown
	source.EachLine(text, from, func(l source.Line) bool {
		depth = pageDepth(depth, l)
		l.Code = l.Code || depth > 0
		if !l.Code && strings.Contains(l.Text, "](") {
			plain := blankCode(l.Text)
			for _, m := range markdownLink.get().FindAllStringSubmatchIndex(plain, -1) {
				if t, ok := localTarget(l.Text[m[2]:m[3]]); ok && (path.Ext(t) != "" || !numbered(l.Text[:m[0]])) {
					out = append(out, link{target: t, start: l.Start + m[2], end: l.Start + m[3]})
				}
			}
		}
		return true
	})
	return out
}

// templated reports whether the lines up to the one at offset at have places to fill in, such as [Description].
func (s *Skill) templated(at int) bool {
	n, found := s.Src.LineAt(at), 0
	for i := max(1, n-farLines/2); i <= n+1 && i <= s.Src.Lines(); i++ {
		found += len(fillIn.get().FindAllString(s.Src.LineText(i), 3))
	}
	return found > 1
}

var fillIn = lazy(`\[[A-Za-z][^\[\]()]{2,}\](?:[^(\[:]|$)|\{\{?\w+\}?\}|<[a-z]+(?:[-_ ][a-z]+)+>`)

// pageDepth returns in how many code fences the lines behind l are, the first of which holds a page of Markdown.
// A fence with a language in it opens another there, though for a strict reader the next bare one ends the page.
func pageDepth(depth int, l source.Line) int {
	said := info(l.Text)
	switch {
	case source.FenceMark(l.Text) == "":
	case depth == 0 && l.Fence && !l.Code && (said == "markdown" || said == "md"), depth > 0 && said != "":
		return depth + 1
	case depth > 0:
		return depth - 1
	}
	return depth
}

func numbered(line string) bool {
	short := line[max(0, len(line)-40):]
	return strings.Trim(short[strings.LastIndexByte(short, '[')+1:], "0123456789-,. ") == ""
}

func blankCode(line string) string {
	if strings.IndexByte(line, '`') < 0 {
		return line
	}
	b := []byte(line)
	for i := 0; i < len(b); i++ {
		if b[i] != '`' {
			continue
		}
		n := 1
		for i+n < len(b) && b[i+n] == '`' {
			n++
		}
		end := strings.Index(line[i+n:], line[i:i+n])
		if end < 0 {
			break
		}
		for j := i; j < i+n+end+n; j++ {
			b[j] = ' '
		}
		i += n + end + n - 1
	}
	return string(b)
}

func localTarget(t string) (string, bool) {
	if t == "" || strings.HasPrefix(t, "#") || strings.Contains(t, "://") || strings.HasPrefix(t, "//") {
		return "", false
	}
	if i := strings.IndexByte(t, ':'); i > 0 && !strings.Contains(t[:i], "/") {
		return "", false // mailto:, tel:, skill:
	}
	t, _, _ = strings.Cut(t, "#")
	t, _, _ = strings.Cut(t, "?")
	if strings.ContainsAny(t, "{}$*|<>") || strings.Contains(t, "...") || strings.HasPrefix(t, "path/to/") {
		return "", false // a template
	}
	if u, err := url.PathUnescape(t); err == nil {
		t = u
	}
	t = strings.TrimPrefix(t, "./")
	if t == "" || t == "." {
		return "", false
	}
	return t, true
}

func leaves(t string) bool {
	clean := path.Clean(t)
	return clean == ".." || strings.HasPrefix(clean, "../") || strings.HasPrefix(clean, "/") ||
		strings.HasPrefix(clean, "~")
}
