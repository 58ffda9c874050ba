package main

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/stretchr/testify/require"
)

var hostCommand = regexp.MustCompile(`\{type:"(?:local|local-jsx|prompt)",name:"([a-z][a-z0-9-]*)"`)

var (
	hostAliases = regexp.MustCompile(`aliases:\[([^\]]*)\]`)
	quoted      = regexp.MustCompile(`"([^"]+)"`)
)

func TestEndToEndCommands(t *testing.T) {
	eachClient(t, func(t *testing.T, m *machine) {
		program, err := os.ReadFile(m.claude.path)
		require.NoError(t, err)
		found := hostCommand.FindAllSubmatchIndex(program, -1)
		if len(found) < 40 {
			t.Fatalf("found %d commands in %s, want 40 or more", len(found), m.claude.path)
		}
		for _, at := range found {
			rest := program[at[1]:min(at[1]+700, len(program))]
			if next := hostCommand.FindIndex(rest); next != nil {
				rest = rest[:next[0]]
			}
			hidden := bytes.Contains(rest, []byte("isHidden:!0")) || bytes.Contains(rest, []byte("isEnabled:()=>!1"))
			if hidden {
				continue
			}
			names := []string{string(program[at[2]:at[3]])}
			if aliases := hostAliases.FindSubmatch(rest); aliases != nil {
				for _, alias := range quoted.FindAllSubmatch(aliases[1], -1) {
					names = append(names, string(alias[1]))
				}
			}
			for _, name := range names {
				if !catalog.HostCommand(name) {
					t.Errorf("%s has the command /%s, which HostCommand does not know", m.claude.version, name)
				}
			}
		}
	})
}
