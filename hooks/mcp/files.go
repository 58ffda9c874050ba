package mcp

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/gate/system"
)

// Bounds of a skill that is served with all its files: what every client of the Skills
// extension must accept.
const (
	maxFiles = 512
	maxBytes = 16 << 20
)

// folder is the folder of a skill's files. No file outside it is read, whatever links say.
type folder struct {
	*os.Root
	skillFile string // in it
}

func openFolder(file string) (folder, error) {
	root, err := os.OpenRoot(filepath.Dir(file))
	return folder{root, filepath.Base(file)}, err
}

// files lists the skill's files, with / between folders and SKILL.md first: regular ones, without
// those in hidden folders.
func (f folder) files() ([]string, error) {
	out := []string{f.skillFile}
	var size int64
	err := fs.WalkDir(f.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.Type().IsRegular() || name == f.skillFile:
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		if out = append(out, name); len(out) > maxFiles || size > maxBytes {
			return fmt.Errorf("more than %d files or %d bytes", maxFiles, maxBytes)
		}
		return nil
	})
	return out, err
}

// read returns a file as it is served: text without keys, or bytes that are not text.
func (f folder) read(name string) (content []byte, isText bool, err error) {
	in, err := f.OpenFile(name, os.O_RDONLY|system.NonBlock, 0) // a pipe does not block
	if err != nil {
		return nil, false, errors.New("no such file of the skill")
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false, errors.New("not a regular file")
	}
	content, err = io.ReadAll(io.LimitReader(in, maxBytes))
	if err != nil || !utf8.Valid(content) || slices.Contains(content, 0) {
		return content, false, err
	}
	return []byte(secret.Keys(string(content))), true, nil
}

func frontmatter(text string) (fields map[string]any, body string) {
	at := catalog.FindFrontmatter(text)
	if !at.Closed {
		return nil, text
	}
	if yaml.Unmarshal([]byte(text[at.Start:at.End]), &fields) != nil {
		return nil, text[at.Body:]
	}
	return fields, text[at.Body:]
}

func beside(f folder) ([]string, string) {
	all, err := f.files()
	if err != nil {
		return nil, "Its other files are not listed: " + err.Error() + "."
	}
	return all[1:], ""
}

func typeOf(name string, isText bool) string {
	switch {
	case path.Ext(name) == ".md":
		return "text/markdown"
	case isText:
		return "text/plain"
	}
	return "application/octet-stream"
}
