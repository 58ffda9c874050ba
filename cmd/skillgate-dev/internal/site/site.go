// Package site makes the project's page from a checkout: what skillgate does, its figures, a
// recording of a terminal, and the documents. It is static, and nothing of it comes from the network.
package site

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/skillgate/skillgate/cmd/internal/figure"
	"github.com/skillgate/skillgate/gate/disk"
)

var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	styleText string
	//go:embed play.js
	playText string

	page = template.Must(template.New("page").Parse(pageText))
	// shown is a row of the README's table of figures: what is measured, and which figure.
	shown = regexp.MustCompile(`(?m)^\| (.+?) \| <!-- figure: (.+?) -->(.+?)<!-- end --> \|$`)
)

// number is one of the figures: its value, what follows in brackets, and what it measures.
type number struct{ Value, Between, Of string }

// content is what a page shows.
type content struct {
	Style     template.CSS
	Script    template.JS
	Source    string // where the repository is
	Up        string // from the page to the site's folder
	Title     string
	Lang      string
	Documents []*document
	Document  *document // nil on the first page

	Lead, Korean, Problem, Measured, Install template.HTML
	Numbers                                  []number
	Scenes                                   []scene
}

// Write makes the site of the checkout at repo in folder, which need not be there.
func Write(ctx context.Context, repo, folder string) error {
	files := os.DirFS(repo)
	source, err := sourceOf(files)
	if err != nil {
		return err
	}
	documents, err := documentsOf(ctx, repo, files, source)
	if err != nil {
		return err
	}
	first := content{Style: template.CSS(styleText), Script: template.JS(playText), //nolint:gosec // ours
		Source: source, Title: "skillgate", Lang: "en", Documents: documents}
	if err := first.fill(files); err != nil {
		return err
	}
	if first.Scenes, err = record(ctx, repo); err != nil {
		return err
	}
	if err := write(folder, "index.html", first); err != nil {
		return err
	}
	for _, d := range documents {
		c := content{Style: first.Style, Source: source, Up: d.up(), Title: d.Title + " · skillgate", Lang: d.Lang,
			Documents: documents, Document: d}
		if err := write(folder, d.Page, c); err != nil {
			return err
		}
		for _, file := range d.files {
			text, err := fs.ReadFile(files, file)
			if err != nil {
				return err
			}
			if err := save(folder, file, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// sourceOf is the address of the repository's files, which the module is named after.
func sourceOf(repo fs.FS) (string, error) {
	text, err := fs.ReadFile(repo, "go.mod")
	if err != nil {
		return "", fmt.Errorf("%w: want the folder of a checkout of skillgate", err)
	}
	return "https://" + modfile.ModulePath(text) + "/blob/main/", nil
}

// documentsOf reads the Markdown files that git tracks, except skills, commands and test data.
func documentsOf(ctx context.Context, repo string, files fs.FS, source string) ([]*document, error) {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "README.md", "*/README.md", "*/README.ko.md", "gate/*/[A-Z]*.md")
	cmd.Dir = repo
	list, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files in %s: %w", repo, err)
	}
	names := []string{"README.md"}
	pages := map[string]bool{}
	for name := range strings.FieldsSeq(string(list)) {
		if strings.HasPrefix(name, ".") || strings.Contains(name, "testdata/") {
			continue
		}
		if name != "README.md" {
			names = append(names, name)
		}
		pages[name] = true
	}
	var documents []*document
	for _, name := range names {
		d, err := read(files, name, source, pages)
		if err != nil {
			return nil, err
		}
		documents = append(documents, d)
	}
	return documents, nil
}

// fill takes what the first page shows from the documents, and its figures from testdata/figures.
func (c *content) fill(repo fs.FS) error {
	readme := c.Documents[0]
	var err error
	if c.Lead, err = readme.lead(); err != nil {
		return err
	}
	for _, d := range c.Documents {
		if d.Lang == "ko" {
			if c.Korean, err = d.lead(); err != nil {
				return err
			}
		}
	}
	for heading, into := range map[string]*template.HTML{
		"What hurts without it": &c.Problem, "How well it works": &c.Measured, "Install": &c.Install,
	} {
		if *into, err = readme.section(heading); err != nil {
			return err
		}
	}
	c.Measured = template.HTML(tables.ReplaceAllString(string(c.Measured), "")) //nolint:gosec // as the README's
	c.Problem = template.HTML(blocks.ReplaceAllString(string(c.Problem), ""))   //nolint:gosec // the recording shows it
	ways := blocks.FindAllStringIndex(string(c.Install), 2)
	if len(ways) < 2 {
		return errors.New("README.md shows fewer than two ways to install")
	}
	c.Install = c.Install[:ways[1][1]]
	for _, row := range shown.FindAllStringSubmatch(string(readme.source), -1) {
		value, err := figure.Of(repo, strings.Split(row[2], " / "))
		if err != nil {
			return err
		}
		value, between, _ := strings.Cut(value, " (")
		c.Numbers = append(c.Numbers, number{Value: value, Between: strings.TrimSuffix(between, ")"), Of: row[1]})
	}
	if len(c.Numbers) != 3 {
		return fmt.Errorf("README.md shows %d figures, want 3", len(c.Numbers))
	}
	return nil
}

// tables are those of a section, which the page shows in its own way, and blocks its code.
var (
	tables = regexp.MustCompile(`(?s)<table>.*?</table>\n?`)
	blocks = regexp.MustCompile(`(?s)<pre>.*?</pre>\n?`)
)

func write(folder, name string, c content) error {
	var b bytes.Buffer
	if err := page.Execute(&b, c); err != nil {
		return err
	}
	return save(folder, name, b.Bytes())
}

func save(folder, name string, text []byte) error {
	file := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return disk.Write(file, text, disk.Options{Shared: true})
}
