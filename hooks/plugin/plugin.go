// Package plugin is skillgate's plugin for Claude Code. The folder of this package is the plugin,
// and a marketplace can list it unchanged. Besides the hooks, it has the module
// hooks/register.ts, which shortens the client's skill list, adds suggestions to the tasks of subagents
// and shows a line under the prompt.
//
// The script hooks/skillgate finds the program on the machine. Write replaces it with a script
// that contains the path of a program.
package plugin

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
)

//go:embed .claude-plugin .mcp.json README.md commands hooks skills
var files embed.FS

const (
	// ID is Claude Code's name for the installed plugin.
	ID = Name + "@" + Marketplace
	// Name is the plugin's name and the prefix of its skills and commands, as in "skillgate:why".
	Name = "skillgate"
	// Marketplace is the name of the marketplace that Write creates.
	Marketplace = "skillgate"

	launcher = "hooks/skillgate"
)

// Write replaces dir with the plugin, which is also a marketplace. The plugin's hooks run binary.
func Write(dir, binary string) error {
	if err := write(dir, binary); err != nil {
		return fmt.Errorf("write plugin: %w", err)
	}
	return nil
}

func write(dir, binary string) error {
	folder, err := disk.Make(filepath.Dir(dir), disk.Plugins)
	if err != nil {
		return err
	}
	defer folder.Close()
	made, err := disk.NewTemp(filepath.Dir(dir), ".new-")
	if err != nil {
		return err
	}
	err = each(binary, func(name string, text []byte, mode fs.FileMode) error {
		path := filepath.Join(made.Path, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return err
		}
		_, err = out.Write(text)
		return errors.Join(err, out.Close())
	})
	if err != nil {
		return errors.Join(err, made.Remove())
	}
	return folder.Replace(made, filepath.Base(dir))
}

// Remove removes the plugin that Write wrote to dir.
func Remove(dir string) error {
	folder, err := disk.Open(filepath.Dir(dir), disk.Plugins)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.RemoveFolder(filepath.Base(dir))
}

// Changed returns the files of dir that differ from those that Write would write for binary.
func Changed(dir, binary string) (names []string, err error) {
	err = each(binary, func(name string, text []byte, _ fs.FileMode) error {
		if there, err := regular.Read(filepath.Join(dir, name), 1<<20); err != nil || !bytes.Equal(there, text) {
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// each calls f for every file of the plugin whose hooks run binary.
func each(binary string, f func(name string, text []byte, mode fs.FileMode) error) error {
	quoted, err := json.Marshal(binary)
	if err != nil {
		return err
	}
	named := strings.NewReplacer(`"${CLAUDE_PLUGIN_ROOT}/`+launcher+`"`, string(quoted))
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o600)
		switch {
		case name == launcher:
			quoted := "'" + strings.ReplaceAll(binary, "'", `'\''`) + "'"
			text, mode = []byte("#!/bin/sh\nexec "+quoted+" \"$@\"\n"), 0o700
		case filepath.Ext(name) == ".json":
			text = []byte(named.Replace(string(text)))
		}
		return f(filepath.FromSlash(name), text, mode)
	})
}
