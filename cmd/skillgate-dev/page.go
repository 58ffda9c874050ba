package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/mod/modfile"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/figure"
	"github.com/skillgate/skillgate/gate/disk"
)

func newPageCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "page FOLDER",
		Short: "Build the project's web page from this checkout",
		Long: `page writes a static page about the project to FOLDER: what skillgate does, its
figures (from testdata/figures) and a recording of a terminal. For the recording it
builds skillgate and runs it in a temporary home folder with the skills of
testdata/skills-e2e. Run it in the root of a checkout.`,
		Example: "  go run ./cmd/skillgate-dev page /tmp/page",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := filepath.Join(a.Absolute(args[0]), "index.html")
			if err := writePage(cmd.Context(), a.Cwd, file); err != nil {
				return err
			}
			_, err := fmt.Fprintln(a.Stdout, file)
			return err
		},
	}
}

var (
	//go:embed page.html style.css
	pageFiles embed.FS
	pageHTML  = template.Must(template.ParseFS(pageFiles, "page.html"))
	// shownFigure matches a row of the README's table of figures. It captures the measure, the figure's name and value.
	shownFigure = regexp.MustCompile(`(?m)^\| (.+?) \| <!-- figure: (.+?) -->(.+?)<!-- end --> \|.*$`)
	localLink   = regexp.MustCompile(`href="([^":]+)"`)
	// Tables and code of some sections are cut out, because the page shows them in another form.
	htmlTable = regexp.MustCompile(`(?s)<table>.*?</table>\n?`)
	htmlCode  = regexp.MustCompile(`(?s)<pre>.*?</pre>\n?`)
	lineBlock = regexp.MustCompile("(?s)\n```\n(❯ .*?)\n```\n")
)

type pageFigure struct{ Value, Between, Of string }

type pageContent struct {
	Style                                    template.CSS
	Source                                   string // start of the URLs of files in the repository
	Lead, Korean, Problem, Measured, Install template.HTML
	Figures                                  []pageFigure
	Line                                     string // line that Claude Code shows below a prompt
	Scenes                                   []scene
}

func writePage(ctx context.Context, repo, file string) error {
	files := os.DirFS(repo)
	c, err := newPageContent(files)
	if err != nil {
		return err
	}
	if c.Scenes, err = record(ctx, repo); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := pageHTML.Execute(&b, c); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return disk.Write(file, b.Bytes(), disk.Options{Shared: true})
}

func newPageContent(repo fs.FS) (*pageContent, error) {
	module, err := fs.ReadFile(repo, "go.mod")
	if err != nil {
		return nil, fmt.Errorf("%w; run `skillgate-dev page` in the root of a skillgate checkout", err)
	}
	style, err := pageFiles.ReadFile("style.css")
	if err != nil {
		return nil, err
	}
	c := &pageContent{Style: template.CSS(style), //nolint:gosec // our own file
		Source: "https://" + modfile.ModulePath(module) + "/blob/main/"}
	readme, err := fs.ReadFile(repo, "README.md")
	if err != nil {
		return nil, err
	}
	plugin, err := fs.ReadFile(repo, "hooks/plugin/README.md")
	if err != nil {
		return nil, err
	}
	line := lineBlock.FindSubmatch(plugin)
	if line == nil {
		return nil, errors.New("hooks/plugin/README.md has no example of the line that names suggested skills below a prompt")
	}
	c.Line = string(line[1])
	for _, part := range []struct {
		into          *template.HTML
		file, heading string
	}{
		{&c.Lead, "README.md", ""}, {&c.Korean, "cmd/skillgate/README.ko.md", ""},
		{&c.Problem, "README.md", "The problem"}, {&c.Measured, "README.md", "How well it works"},
		{&c.Install, "README.md", "Install"},
	} {
		if *part.into, err = c.section(repo, part.file, part.heading); err != nil {
			return nil, err
		}
	}
	c.Measured = template.HTML(htmlTable.ReplaceAllString(string(c.Measured), "")) //nolint:gosec // section drops raw HTML
	c.Problem = template.HTML(htmlCode.ReplaceAllString(string(c.Problem), ""))    //nolint:gosec // section drops raw HTML
	way := htmlCode.FindStringIndex(string(c.Install))
	if way == nil {
		return nil, errors.New("the section Install of README.md has no code block")
	}
	c.Install = c.Install[:way[1]]
	for _, row := range shownFigure.FindAllStringSubmatch(string(readme), -1) {
		value, err := figure.Of(repo, strings.Split(row[2], " / "))
		if err != nil {
			return nil, err
		}
		value, between, _ := strings.Cut(value, " (")
		c.Figures = append(c.Figures, pageFigure{Value: value, Between: strings.TrimSuffix(between, ")"), Of: row[1]})
	}
	if len(c.Figures) != 4 {
		return nil, fmt.Errorf("README.md shows %d figures; the page needs 4", len(c.Figures))
	}
	return c, nil
}

// section renders the section of a document with a heading of level 2, or its first paragraph if
// heading is empty. Relative links lead to the repository.
func (c *pageContent) section(repo fs.FS, file, heading string) (template.HTML, error) {
	text, err := fs.ReadFile(repo, file)
	if err != nil {
		return "", err
	}
	start, end := "\n\n", "\n\n"
	if heading != "" {
		start, end = "\n## "+heading+"\n", "\n## "
	}
	_, found, _ := strings.Cut(string(text), start)
	found, _, _ = strings.Cut(found, end)
	if strings.TrimSpace(found) == "" {
		return "", fmt.Errorf("%s has no section %q", file, heading)
	}
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(found), &b); err != nil {
		return "", err
	}
	html := localLink.ReplaceAllStringFunc(b.String(), func(link string) string {
		to := localLink.FindStringSubmatch(link)[1]
		if strings.HasPrefix(to, "#") {
			return `href="` + c.Source + file + to + `"`
		}
		return `href="` + c.Source + path.Join(path.Dir(file), to) + `"`
	})
	return template.HTML(html), nil //nolint:gosec // goldmark leaves raw HTML out
}
