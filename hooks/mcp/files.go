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

// Limits for a skill that is served with all its files. Every client of the Skills extension
// must accept skills of this size.
const (
	maxFiles = 512
	maxBytes = 16 << 20
)

// folder is the folder of a skill. Files outside it are never read, not even through links.
type folder struct {
	*os.Root
	skillFile string // base name of the SKILL.md, or of an agent's file
}

func openFolder(file string) (folder, error) {
	root, err := os.OpenRoot(filepath.Dir(file))
	return folder{root, filepath.Base(file)}, err
}

// files returns the paths, with slashes, of the skill's regular files outside hidden folders, SKILL.md first.
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
			return fmt.Errorf("the skill has more than %d files or %d bytes", maxFiles, maxBytes)
		}
		return nil
	})
	return out, err
}

// read returns the content of a file as the server returns it: text without secret keys, other content unchanged.
func (f folder) read(name string) (content []byte, isText bool, err error) {
	in, err := f.OpenFile(name, os.O_RDONLY|system.NonBlock, 0) // opening a pipe must not block
	if err != nil {
		return nil, false, errors.New("the skill has no such file")
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false, errors.New("the path does not name a regular file")
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
		return nil, "The other files of the skill are not listed: " + err.Error() + "."
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
