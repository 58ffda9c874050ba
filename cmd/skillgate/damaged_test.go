package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/hot"
)

func TestCommandsWithADamagedIndex(t *testing.T) {
	t.Parallel()
	p := newPast(t)
	library := filepath.Join(p.home, ".claude", "skills")
	for i, prompt := range []string{securityPrompt, "write a runbook for the engineers on call", "CSV 파일을 정리해 줘"} {
		p.load("s1", p.ask(fmt.Sprint("s", i), prompt), "pr-security-review")
	}
	prompts := filepath.Join(p.home, "prompts.jsonl")
	err := os.WriteFile(prompts, []byte(`{"id":"1","lang":"en","query":"`+securityPrompt+
		`","gold":["pr-security-review"]}`+"\n"), 0o600)
	require.NoError(t, err)
	intended := filepath.Join(library, "pr-security-review")
	p.must("ir", "init", "--write", intended)
	lookup := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"skill_lookup",` +
			`"arguments":{"prompt":"` + securityPrompt + `"}}}`,
	}
	commands := []struct {
		args  []string
		stdin string
		times int
	}{
		{args: []string{"hook"}, stdin: payload(securityPrompt), times: 60},
		{args: []string{"query", securityPrompt}, times: 3},
		{args: []string{"query", "--explain", "--json", securityPrompt}, times: 3},
		{args: []string{"query", "--library", library, securityPrompt}, times: 3},
		{args: []string{"replay", "--set", "need_min=0.6"}, times: 3},
		{args: []string{"replay"}, times: 3},
		{args: []string{"lint"}, times: 3},
		{args: []string{"lint", library}, times: 3},
		{args: []string{"advise"}, times: 3},
		{args: []string{"report", "--quick"}, times: 3},
		{args: []string{"report"}, times: 3},
		{args: []string{"stats", "pr-security-review"}, times: 3},
		{args: []string{"doctor"}, times: 3},
		{args: []string{"tax"}, times: 3},
		{args: []string{"synonyms", "explain", securityPrompt}, times: 3},
		{args: []string{"bench", "--library", library, "--prompts", prompts}, times: 3},
		{args: []string{"ir", "check", intended}, times: 3},
		{args: []string{"index"}, times: 3},
		{args: []string{"mcp"}, stdin: strings.Join(lookup, "\n") + "\n", times: 10},
	}
	for _, c := range commands {
		if code := p.command(c.stdin, c.args...); p.stderr.Len() > 0 { // the first run builds the index
			t.Fatalf("skillgate %s: status %d\n%s", strings.Join(c.args, " "), code, p.stderr.String())
		}
	}
	whole := generations(t, p.home)
	random := rand.New(rand.NewPCG(11, 1))
	for _, c := range commands {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			for range c.times {
				what := damage(t, random, whole)
				if code := p.command(c.stdin, c.args...); code != 0 && code != 1 && code != 3 {
					t.Errorf("%s: status %d\n%s", what, code, p.stderr.String())
				}
			}
		})
	}
}

func (p *past) command(stdin string, args ...string) int {
	p.stdout.Reset()
	p.stderr.Reset()
	if args[0] == "hook" {
		return hot.Hook(p.process(stdin))
	}
	a := p.app(stdin, args...)
	return a.Run(newRoot(a))
}

func generations(t *testing.T, home string) map[string][]byte {
	t.Helper()
	pointers, err := filepath.Glob(filepath.Join(home, ".cache", "skillgate", "index", "*", "CURRENT"))
	require.NoError(t, err, home)
	require.NotEmpty(t, pointers, home)
	out := map[string][]byte{}
	for _, pointer := range pointers {
		name := readFile(t, pointer)
		files, err := filepath.Glob(filepath.Join(filepath.Dir(pointer), strings.TrimSpace(string(name)), "*"))
		require.NoError(t, err)
		for _, file := range append(files, pointer) {
			out[file], err = os.ReadFile(file)
			require.NoError(t, err)
		}
	}
	return out
}

func damage(t *testing.T, random *rand.Rand, whole map[string][]byte) string {
	t.Helper()
	files := slices.Sorted(maps.Keys(whole))
	for _, file := range files {
		replaceFile(t, file, whole[file])
	}
	file := files[random.IntN(len(files))]
	text := bytes.Clone(whole[file])
	at := random.IntN(len(text))
	if random.IntN(3) == 0 {
		replaceFile(t, file, text[:at])
		return fmt.Sprintf("%s cut to %d bytes", filepath.Base(file), at)
	}
	n := 1 + random.IntN(8)
	for range n {
		text[random.IntN(len(text))] ^= byte(1 + random.IntN(255))
	}
	replaceFile(t, file, text)
	return fmt.Sprintf("%s with %d bytes turned", filepath.Base(file), n)
}

func replaceFile(t *testing.T, file string, text []byte) {
	t.Helper()
	_ = os.Remove(file)
	require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text, 0o600)))
}
