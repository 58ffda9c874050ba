package site

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// document is one of the repository's.
type document struct {
	Path  string // in the repository
	Page  string // in the site
	Title string
	Lang  string
	Body  template.HTML

	root   ast.Node
	source []byte
	files  []string // of the repository, that it links to and the site has as they are
}

// sameFiles are what browsers show as it is.
var sameFiles = map[string]bool{".txt": true, ".png": true, ".svg": true}

// pageOf is where the document at file is in the site.
func pageOf(file string) string {
	if file == "README.md" {
		return "readme.html"
	}
	return strings.ToLower(strings.TrimSuffix(file, ".md")) + ".html"
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// read parses the document at file and has its links lead to the site's pages, where those have a
// page or are files of kinds that browsers show, and else to source, where the repository is.
func read(repo fs.FS, file, source string, pages map[string]bool) (*document, error) {
	raw, err := fs.ReadFile(repo, file)
	if err != nil {
		return nil, err
	}
	d := &document{Path: file, Page: pageOf(file), Title: file, Lang: "en", source: raw}
	if strings.HasSuffix(file, ".ko.md") {
		d.Lang = "ko"
	}
	d.root = markdown.Parser().Parse(text.NewReader(raw), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	titled := false
	err = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Heading:
			if entering && n.Level == 1 && !titled {
				d.Title, titled = plain(n, raw), true
			}
		case *ast.Link:
			if entering {
				n.Destination, err = d.link(repo, string(n.Destination), source, pages)
			}
		case *ast.Image:
			if entering {
				n.Destination, err = d.link(repo, string(n.Destination), source, pages)
			}
		}
		return ast.WalkContinue, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	d.Body, err = d.render(d.root)
	return d, err
}

func (d *document) render(n ast.Node) (template.HTML, error) {
	var b bytes.Buffer
	err := markdown.Renderer().Render(&b, d.source, n)
	return template.HTML(b.String()), err //nolint:gosec // goldmark leaves raw HTML out
}

// link is where a link of the document leads in the site.
func (d *document) link(repo fs.FS, to, source string, pages map[string]bool) ([]byte, error) {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Path == "" {
		return []byte(to), nil
	}
	target := path.Join(path.Dir(d.Path), u.Path)
	if _, err := fs.Stat(repo, target); err != nil {
		return nil, fmt.Errorf("a link leads to %s, which is not there", to)
	}
	switch {
	case pages[target]:
		u.Path = d.up() + pageOf(target)
	case sameFiles[path.Ext(target)]:
		d.files = append(d.files, target)
		u.Path = d.up() + target
	default:
		return []byte(source + target), nil
	}
	return []byte(u.String()), nil
}

// up leads from the document's page to the site's folder.
func (d *document) up() string { return strings.Repeat("../", strings.Count(d.Page, "/")) }

// section renders what follows the heading of this text and level 2, without it, for the first
// page.
func (d *document) section(heading string) (template.HTML, error) {
	var b strings.Builder
	within := false
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level <= 2 {
			within = plain(h, d.source) == heading
			continue
		}
		if !within {
			continue
		}
		html, err := d.render(n)
		if err != nil {
			return "", err
		}
		b.WriteString(string(html))
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("%s has no section %q", d.Path, heading)
	}
	return template.HTML(strings.ReplaceAll(b.String(), `href="#`, `href="`+d.Page+`#`)), nil //nolint:gosec // as render's
}

// lead renders the first paragraph.
func (d *document) lead() (template.HTML, error) {
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindParagraph {
			return d.render(n)
		}
	}
	return "", fmt.Errorf("%s has no paragraph", d.Path)
}

// plain is the text of n's leaves.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
			continue
		}
		b.WriteString(plain(c, source))
	}
	return b.String()
}

// anchors names headings as GitHub does, in every script.
type anchors map[string]int

// Generate returns the anchor of a heading.
func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(string(value))) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsNumber(r):
			b.WriteRune(r)
		}
	}
	id := b.String()
	a[id]++
	if n := a[id]; n > 1 {
		id = fmt.Sprintf("%s-%d", id, n-1)
	}
	return []byte(id)
}

// Put notes an anchor that the text has by itself.
func (a anchors) Put(value []byte) { a[util.BytesToReadOnlyString(value)]++ }
