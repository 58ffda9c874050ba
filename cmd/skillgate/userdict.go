package main

import (
	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/synonyms/source"
)

// userDictFile is the user's own dictionary, which need not exist.
func userDictFile(d dirs.Dirs) string { return workspace.DictFile(d) }

// compileDictFile is workspace.CompileDict with a hint.
func compileDictFile(file string) ([]byte, error) {
	data, err := workspace.CompileDict(file)
	return data, app.OpenError(err)
}

// readUserDict is workspace.ReadDict with a hint.
func readUserDict(file string) (*source.Dictionary, error) {
	dict, err := workspace.ReadDict(file)
	return dict, app.OpenError(err)
}

// readUserDictFile is workspace.ReadDictText with a hint.
func readUserDictFile(file string) ([]byte, error) {
	text, err := workspace.ReadDictText(file)
	return text, app.OpenError(err)
}
