// Package plugin is skillgate as a plugin of Claude Code: the folder of this package, which
// a marketplace may list as it is. What it holds beside the registration of the settings is a
// module, hooks/register.ts, that shortens the client's listing of skills, gives subagents
// their hints and shows a line under the prompt.
//
// hooks/skillgate finds the program on the machine. Where skillgate writes the plugin itself,
// it is named in that one's place.
package plugin

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed .claude-plugin .mcp.json README.md commands hooks skills
var files embed.FS

const (
	// ID is what Claude Code calls the plugin once it is installed.
	ID = Name + "@" + Marketplace
	// Name is the plugin's.
	Name = "skillgate"
	// Marketplace is the name of the marketplace that Write writes.
	Marketplace = "skillgate"

	launcher = "hooks/skillgate"
)

// Write replaces dir by the plugin, which is its own marketplace. Its hooks run binary.
func Write(dir, binary string) error {
	quoted, err := json.Marshal(binary)
	if err != nil {
		return fmt.Errorf("write plugin: %w", err)
	}
	named := strings.NewReplacer(`"${CLAUDE_PLUGIN_ROOT}/`+launcher+`"`, string(quoted))
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("write plugin: %w", err)
	}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if entry.IsDir() {
			return os.MkdirAll(path, 0o700)
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		if name == launcher {
			quoted := "'" + strings.ReplaceAll(binary, "'", `'\''`) + "'"
			return os.WriteFile(path, []byte("#!/bin/sh\nexec "+quoted+" \"$@\"\n"), 0o700)
		}
		if filepath.Ext(name) == ".json" {
			text = []byte(named.Replace(string(text)))
		}
		return os.WriteFile(path, text, 0o600)
	})
	if err != nil {
		return fmt.Errorf("write plugin: %w", err)
	}
	return nil
}
