package lint

import (
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/ir"
	"github.com/skillgate/skillgate/gate/lint/safety"
	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/regular"
)

// Skill is a SKILL.md with its text, frontmatter and the other files of its folder.
type Skill struct {
	catalog.Entry
	Src   *source.File
	Front *Front
	Raw   []byte         // the file's bytes if they are not valid UTF-8, else nil
	Err   error          // why the file could not be read; the other fields are then empty
	Large bool           // longer than catalog.MaxFile; only its head was read
	Dir   string         // the skill's folder; "" for a line of a library file
	Files []string       // sorted paths of the other files, relative to Dir, with slashes; nil without a folder
	IR    *ir.Intent     // contents of intent.yaml, or nil
	IRErr error          // why intent.yaml could not be read
	IRSrc *source.File   // text of intent.yaml
	order int            // index in Library.Skills
	marks []ignoreMark   // skillgate-ignore comments
	extra []*source.File // scripts and Markdown in the folder
	text  *safety.Skill  // input of the safety rules; nil until needed

	part    string   // kind of a file that is not a skill, or ""
	top     string   // folder in which rules may look for files
	outside *outside // records the files outside Dir that rules access
}

// Described reports whether the frontmatter has a description. Without one, the host shows the body's first line.
func (s *Skill) Described() bool {
	k, ok := s.Front.Key("description")
	return ok && s.Front.Closed && (k.Node == nil || strings.TrimSpace(k.Node.Value) != "" || len(k.Node.Content) > 0)
}

// Key returns the place of a frontmatter key, or of the first line if the key is missing.
func (s *Skill) Key(name string) source.Place {
	if k, ok := s.Front.Key(name); ok {
		return s.Src.Span(k.Start, k.End)
	}
	return s.Src.Line(1)
}

// DescriptionPlace returns the place of the description's first words, or of its key if they are not found.
func (s *Skill) DescriptionPlace() source.Place {
	words := strings.Fields(s.Description)
	return s.In("description", strings.Join(words[:min(len(words), 4)], " "))
}

// In returns the place of a phrase in the value of a frontmatter key, or of the key if the phrase is not found.
func (s *Skill) In(key, phrase string) source.Place {
	k, _ := s.Front.Key(key)
	from := k.End
	if m := expr("blockOpens").FindStringIndex(s.Src.Text[from:k.Until]); m != nil {
		from += m[1]
	}
	if start, end, ok := s.Src.Find(phrase, from, k.Until); ok {
		return s.Src.Span(start, end)
	}
	return s.Key(key)
}

// InDescription returns the place of a phrase in description, when_to_use or triggers, or of the key description.
func (s *Skill) InDescription(phrase string) source.Place {
	for _, key := range []string{"description", "when_to_use", "triggers", "trigger"} {
		k, _ := s.Front.Key(key)
		if start, end, ok := s.Src.Find(phrase, k.End, k.Until); ok {
			return s.Src.Span(start, end)
		}
	}
	return s.Key("description")
}

// Text returns the description and when_to_use, which the gate indexes.
func (s *Skill) Text() string {
	if !s.Described() {
		return s.WhenToUse
	}
	return strings.TrimSuffix(s.Description+" "+s.WhenToUse, " ")
}

// BodyText returns the Markdown after the frontmatter.
func (s *Skill) BodyText() string             { return s.Src.Text[min(s.Front.Body, len(s.Src.Text)):] }
func (s *Skill) lines() iter.Seq[source.Line] { return source.EachLine(s.Src.Text, s.Front.Body) }

// Has reports whether the skill's folder contains the file or folder rel. It looks on disk: Files may be incomplete.
func (s *Skill) Has(rel string) bool {
	rel = path.Clean(strings.TrimSuffix(rel, "/"))
	if s.Dir == "" || rel == "SKILL.md" || rel == "." {
		return rel == "SKILL.md" || rel == "."
	}
	_, err := os.Lstat(filepath.Join(s.Dir, filepath.FromSlash(rel)))
	return err == nil && !leaves(rel)
}

// Read returns at most maxBeside bytes of a regular file in the skill's folder. No link may lead out of Reach.
func (s *Skill) Read(rel string) (string, error) {
	if s.Dir == "" {
		return "", fs.ErrNotExist
	}
	file, err := regular.Resolve(s.Reach, filepath.Join(s.Dir, filepath.FromSlash(rel)))
	if err != nil {
		return "", err
	}
	text, err := regular.Head(file, maxBeside)
	return strings.ToValidUTF8(string(text), "�"), err
}

func newSkill(e catalog.Entry, display, text string) *Skill {
	s := unparsed(e, display, text)
	s.Front.parse(s.Src)
	s.marks = readMarks(s.Src, s.Front)
	return s
}

func unparsed(e catalog.Entry, display, text string) *Skill {
	large := len(text) > catalog.MaxFile
	if large {
		text = text[:catalog.MaxFile]
	}
	s := &Skill{Entry: e, Large: large, outside: &outside{states: Outside{}}}
	valid := strings.ToValidUTF8(text, "�")
	if valid != text {
		s.Raw = []byte(text)
	}
	s.Src = source.New(display, valid)
	s.Front = findFront(s.Src)
	s.Entry.Body = s.BodyText()
	for _, field := range []*string{&s.Entry.Description, &s.Entry.WhenToUse, &s.Entry.Capability} {
		*field = strings.ToValidUTF8((*field)[:min(len(*field), maxRead)], "")
	}
	return s
}

const maxRead = 16 << 10

func (s *Skill) beside(dir string) {
	s.Dir = dir
	s.Files = listFiles(dir, s.Source != catalog.Library)
	if !s.Has(ir.File) {
		return
	}
	text, err := s.Read(ir.File)
	if err != nil {
		s.IRErr = err
		return
	}
	s.IRSrc = source.New(path.Join(path.Dir(s.Src.Path), ir.File), text)
	s.IR, s.IRErr = ir.Parse([]byte(text))
}
