package catalog

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/regular"
)

// Read reads and parses f, a file of root. It fails only if the file cannot be read; other faults are in the entry's
// Problems.
func Read(root Root, f File) (Entry, error) {
	path, err := regular.Resolve(root.Within, f.Path)
	if err != nil {
		return Entry{}, fmt.Errorf("catalog: %w", err)
	}
	text, err := regular.Head(path, MaxFile+1)
	if err != nil {
		return Entry{}, fmt.Errorf("catalog: %w", err)
	}
	return Parse(root, f, text), nil
}

// Told returns the entry of a skill of Source Listed. text is the host's description of it, which may be "".
func Told(name, text string) Entry {
	sum := sha256.Sum256([]byte(text))
	e := Entry{
		ID: string(Listed) + "/" + name, Name: name, Folder: name, Pool: Skill, Source: Listed,
		Hash: hex.EncodeToString(sum[:]), ModelInvocable: true,
	}
	e.describe(text, nil)
	return e
}

// HostMax is the size above which the host skips a skill or agent.
const HostMax = 1_000_000 // bytes; Claude Code 2.1.197

// Parse returns the entry of the file f with the content text. It never fails: a text that is not a SKILL.md becomes
// an entry with a body.
func Parse(root Root, f File, text []byte) Entry {
	e := Entry{
		Pool: root.Pool, Source: root.Source, Plugin: root.Plugin,
		Path: f.Path, Reach: root.Within, Size: f.Size, ModTime: f.ModTime, ModelInvocable: true,
	}
	switch {
	case root.Within != "":
		e.Within = root.Within
	case root.Source != Personal:
		e.Within = root.Path // the folder may contain links that the user did not create
	}
	e.ID = root.ID(f)
	var folder string
	switch {
	case root.Pool == Command && path.Base(f.Folder) == SkillMD, f.Folder == "":
		folder = filepath.Base(filepath.Dir(f.Path))
	case root.Pool == Skill:
		folder = path.Base(f.Folder)
	default:
		folder = strings.TrimSuffix(path.Base(f.Folder), ".md")
	}
	e.Folder = clean(folder)

	if len(text) > MaxFile {
		text = text[:MaxFile]
		e.problem(0, "the file has %d bytes (limit %d); the rest is ignored", max(f.Size, MaxFile+1), MaxFile)
	}
	if f.Size > HostMax && root.Source != Library {
		e.ModelInvocable = false
		e.problem(0, "the file has %d bytes, and the host skips files over %d", f.Size, HostMax)
	}
	sum := sha256.Sum256(text)
	e.Hash = hex.EncodeToString(sum[:])

	fm := e.fill(string(trimBOM(text)))
	e.name(root, f, folder, fm["name"])
	return e
}

// ID returns the ID of the entry of f, a file of r, without reading it.
func (r Root) ID(f File) string {
	id := r.Label
	if f.Folder != "" {
		id = strings.TrimPrefix(r.Label+"/"+strings.ToValidUTF8(f.Folder, "\uFFFD"), "/")
	}
	if id == "" {
		return "." // the library's folder is itself the skill
	}
	return id
}

// fill sets everything that comes from the text of the file except the name, and returns the fields of its frontmatter.
func (e *Entry) fill(text string) fields {
	if !strings.Contains(text, "\uFFFD") && strings.ToValidUTF8(text, "") != text {
		e.problem(0, "the text is not valid UTF-8; the invalid bytes are replaced")
	}
	if strings.IndexByte(text, 0) >= 0 {
		e.problem(0, "the text contains NUL bytes, which are replaced by spaces")
	}
	text = plain(text)
	front, at := "", FindFrontmatter(text)
	if at.Closed {
		front = strings.TrimSuffix(text[at.Start:at.End], "\n")
	} else if at.Opened {
		e.problem(1, "the frontmatter has no closing ---, so the whole file is read as the body")
	}
	body := text[at.Body:]
	e.Frontmatter, e.Body = front, body
	fm, problems := readFields(front)
	e.Problems = append(e.Problems, problems...)

	e.ModelInvocable = e.ModelInvocable && !fm["disable-model-invocation"].truth()
	if e.Pool == Skill && e.Source != Plugin { // for other entries the host ignores paths
		e.Paths = globs(fm["paths"])
	}
	e.Headings = headings(body)
	description := fm["description"].text()
	if clean(description) == "" {
		description = firstLine(body)
		if e.Pool == Skill {
			e.problem(fm["description"].line, "there is no description, so the host shows the first line of the body")
		}
	}
	e.describe(description, fm)
	return fm
}

func (e *Entry) describe(description string, fm fields) {
	when := fm.first("when_to_use", "when-to-use").text()
	e.Description, e.WhenToUse = clean(description), clean(when)
	x := extract(clip.Bytes(description, maxExtract), clip.Bytes(when, maxExtract), fm.triggers())
	e.Capability, e.Triggers, e.Boundaries = x.capability, x.triggers, x.boundaries
}

// maxExtract is the maximum number of bytes of a description that are parsed. The host lists only a tenth of that.
const maxExtract = 16 << 10

// name sets Name to the name that the host uses.
//
// A skill is named after its folder, which every version of the host accepts, with its plugin's prefix. Agents, and
// skills that are a plugin's whole folder, have their frontmatter name; commands are named after their file's path.
func (e *Entry) name(root Root, f File, folder string, field value) {
	given := clean(field.text())
	switch {
	case root.Pool == Command:
		file := strings.TrimSuffix(strings.TrimSuffix(clean(f.Folder), SkillMD), ".md")
		e.Name = root.Prefix + cmp.Or(root.As, strings.ReplaceAll(strings.Trim(file, "/"), "/", ":"), e.Folder)
	case root.Pool == Agent:
		e.agentName(root, f, given, field.line)
	case root.Source == Library:
		e.Name = given
	case root.Source == Plugin && f.Folder == "":
		e.Name = root.Prefix + token(cmp.Or(given, e.Folder))
	default:
		if e.Name = e.Folder; root.Source == Plugin {
			e.Name = root.Prefix + token(e.Folder)
		}
		if given != "" && given != e.Folder {
			e.problem(field.line, "name %q differs from the folder %q; some hosts use only the folder's name", given, e.Folder)
		}
		if e.Folder != folder {
			e.ModelInvocable = false
			e.problem(0, "the folder's name contains characters that cannot be typed")
		}
	}
	e.Name = cmp.Or(e.Name, e.Folder)
	if e.Name == "" || e.Name == "." || e.Name == "/" {
		e.Name = "unnamed"
		e.ModelInvocable = false
	}
}

func (e *Entry) agentName(root Root, f File, given string, line int) {
	if root.Source == Plugin {
		given = cmp.Or(given, e.Folder)
		e.Name = root.Prefix
		if dir := path.Dir(f.Folder); dir != "." {
			e.Name += strings.ReplaceAll(clean(dir), "/", ":") + ":"
		}
		e.Name += given
		return
	}
	e.Name = given
	switch {
	case given == "":
		e.ModelInvocable = false
		e.problem(line, "the agent has no name, so the host skips it")
	case strings.HasPrefix(given, "-"):
		e.ModelInvocable = false
		e.problem(line, "the name %q starts with a hyphen, so the host skips the agent", given)
	}
	if front, _ := readFields(e.Frontmatter); clean(front["description"].text()) == "" {
		e.ModelInvocable = false
		e.problem(0, "the agent has no description, so the host skips it")
	}
}

// token returns s with a hyphen for every character except ASCII letters, digits, "-" and "_", as the host does.
func token(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, s)
}

func (e *Entry) problem(line int, format string, args ...any) {
	e.Problems = append(e.Problems, Problem{Line: line, Text: clean(fmt.Sprintf(format, args...))})
}

// firstLine returns the first line of text in a body, without heading marks, as the host shows it if there is no
// description.
func firstLine(body string) string {
	for line := range strings.Lines(body) {
		if s := clean(strings.TrimLeft(strings.TrimSpace(line), "#")); s != "" {
			return clip.Bytes(s, 500)
		}
	}
	return ""
}

func headings(body string) []string {
	var out []string
	fence := ""
	for line := range strings.Lines(body) {
		s := strings.TrimSpace(line)
		if mark := fenceMark(s); mark != "" {
			if fence == "" {
				fence = mark
			} else if strings.HasPrefix(mark, fence) && strings.Trim(s, mark[:1]) == "" {
				fence = ""
			}
			continue
		}
		if fence != "" || !strings.HasPrefix(s, "#") {
			continue
		}
		text := strings.TrimLeft(s, "#")
		if len(s)-len(text) > 6 || text == "" || text[0] != ' ' && text[0] != '\t' {
			continue
		}
		if text = clean(strings.TrimRight(strings.TrimSpace(text), "#")); text != "" {
			out = append(out, text)
		}
	}
	return out
}

func fenceMark(s string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 {
			return s[:n]
		}
	}
	return ""
}

// globs returns the globs of the paths field: a list, or text separated by commas outside braces. It returns nil if
// all of them match everything, because the skill is then unconditional.
func globs(v value) []string {
	var out []string
	narrow := false
	for _, item := range v.items {
		depth, from := 0, 0
		for i := 0; i <= len(item); i++ {
			if i < len(item) {
				switch item[i] {
				case '{':
					depth++
				case '}':
					depth--
				}
				if item[i] != ',' || depth > 0 {
					continue
				}
			}
			if g := clean(item[from:i]); g != "" {
				out = append(out, g)
				narrow = narrow || strings.TrimSuffix(g, "/**") != "**"
			}
			from = i + 1
		}
	}
	if !narrow {
		return nil
	}
	return out
}
