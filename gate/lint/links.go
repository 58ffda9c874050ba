package lint

import (
	"iter"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/skillgate/skillgate/gate/lint/source"
)

type link struct {
	target     string // relative path without the anchor; "" means the page itself
	anchor     string
	start, end int  // offsets of the target in the text
	mention    bool // named in the text without a link
	read       bool // the text says to use the target file, or only to read the target skill
}

type document struct {
	src         *source.File
	from, until int    // offsets in src of the part to check
	rel         string // path relative to the skill's folder
	fill        func() []filled
}

func (s *Skill) page() document { return newDocument(s.Src, s.Front.Body, len(s.Src.Text), skillFile) }

func (s *Skill) pages() []document {
	out := []document{s.page()}
	for _, key := range []string{"hooks", "allowed-tools"} {
		if k, ok := s.Front.Key(key); ok {
			out = append(out, newDocument(s.Src, k.Start, k.Until, skillFile))
		}
	}
	if s.aboutSkills() {
		return out // in a skill about skills, links in other files are examples
	}
	for _, src := range s.besides() {
		rel := strings.TrimPrefix(src.Path, path.Dir(s.Src.Path)+"/")
		read := strings.HasPrefix(rel, "reference") ||
			strings.Contains(s.Src.Text, rel) && !expr("forOthers").MatchString(rel)
		if read && isMarkdown(rel) && !expr("exampleFile").MatchString(path.Base(rel)) {
			out = append(out, newDocument(src, 0, len(src.Text), rel))
		}
	}
	return out
}

const mostLinks = 2000

func (p document) links() []link {
	var out []link
	for l, plain := range p.prose() {
		if !strings.ContainsAny(plain, "]<") {
			continue
		}
		for _, re := range []string{"markdownLink", "angleLink", "definedLink", "taggedLink"} {
			for _, m := range findAll(re, plain, -1) {
				to := link{start: l.Start + m[2], end: l.Start + m[3], read: true}
				said, ok := l.Text[m[2]:m[3]], false
				_, to.anchor, _ = strings.Cut(said, "#")
				if to.target, ok = localTarget(said); !ok && (said[0] != '#' || to.anchor == "") {
					continue
				}
				if strings.Count(plain[:m[0]], `"`)%2 == 1 || expr("planned").MatchString(plain[m[1]:]) {
					continue // inside quotation marks, or planned
				}
				before := strings.TrimRight(l.Text[:m[0]], "-0123456789,. ")
				number := before == "" || strings.HasSuffix(before, "[")
				if len(out) < mostLinks && (path.Ext(to.target) != "" || !ok || !number) {
					out = append(out, to)
				}
			}
		}
	}
	return out
}

// templated reports whether the text at an offset belongs to a template: up to the offset, its paragraph contains two
// placeholders, or two nearby lines of the same kind (prose or code) contain one each.
func (p document) templated(at int) bool {
	lines, n := p.fill(), p.src.LineAt(at)-1
	found, together := lines[n].places, true
	for i := n - 1; i >= max(0, n-farLines/2); i-- {
		together = together && strings.TrimSpace(p.src.LineText(i+1)) != ""
		switch l := lines[i]; {
		case l.code != lines[n].code:
		case together:
			found += l.places
		default:
			found += min(l.places, 1)
		}
	}
	return found > 1
}

type filled struct {
	code   bool
	places int
}

func newDocument(src *source.File, from, until int, rel string) document {
	return document{src, from, until, rel, sync.OnceValue(func() []filled {
		out := make([]filled, 0, src.Lines())
		for l := range source.EachLine(src.Text, 0) {
			one := filled{code: l.Code || l.Fence}
			if strings.ContainsAny(l.Text, "[{<") {
				one.places = len(expr("fillIn").FindAllString(nearAfter(l.Text, 0), 3))
			}
			out = append(out, one)
		}
		return append(out, filled{})
	})}
}

// pageDepth returns the number of code fences around the lines after l, counted from a fence that holds Markdown.
// Inside such a page a fence with a language opens a nested one, although CommonMark would not nest it.
func pageDepth(depth int, l source.Line) int {
	if source.FenceMark(l.Text) == "" {
		return depth
	}
	switch said := info(l.Text); {
	case depth == 0 && l.Fence && !l.Code && (said == "markdown" || said == "md"), depth > 0 && said != "":
		return depth + 1
	case depth > 0:
		return depth - 1
	}
	return depth
}

// prose yields the lines outside code fences and fenced Markdown pages, and the same with blanks for code.
func (p document) prose() iter.Seq2[source.Line, string] {
	return func(yield func(l source.Line, plain string) bool) {
		depth := 0 // nesting of code fences inside a fenced Markdown page
		for l := range source.EachLine(p.src.Text[:p.until], p.from) {
			if depth = pageDepth(depth, l); !l.Code && depth == 0 && !yield(l, blankCode(l.Text)) {
				return
			}
		}
	}
}

func blankCode(line string) string {
	return expr("codeSpan").ReplaceAllStringFunc(line, func(code string) string { return strings.Repeat(" ", len(code)) })
}

func localTarget(t string) (string, bool) {
	if t == "" || strings.HasPrefix(t, "#") || strings.Contains(t, "://") || strings.HasPrefix(t, "//") {
		return "", false
	}
	if i := strings.IndexByte(t, ':'); i > 0 && !strings.Contains(t[:i], "/") {
		return "", false // the target has another scheme, such as mailto: or skill:
	}
	t, _, _ = strings.Cut(t, "#")
	t, _, _ = strings.Cut(t, "?")
	if strings.ContainsAny(t, "{}$*|<>") || strings.Contains(t, "...") || strings.HasPrefix(t, "path/to/") {
		return "", false // the target is a template
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
	return clean == ".." || hasAnyPrefix(clean, "../", "/", "~")
}
