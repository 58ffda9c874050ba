package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFirstHint measures the time from an empty home folder, through npm's packages, to the first hint that
// Claude Code sends to the model. RELEASE is the folder of the packages and SKILLS that of the skills; without
// SKILLS most of the 1,228 skills are generated and short.
func TestFirstHint(t *testing.T) {
	release := os.Getenv("RELEASE")
	if release == "" {
		t.Skip("no packages: set RELEASE to a folder that .ci/release made")
	}
	eachClient(t, func(t *testing.T, m *machine) {
		if skills := os.Getenv("SKILLS"); skills == "" {
			m.makeSkills(1228)
		} else if err := os.CopyFS(filepath.Join(m.home, ".claude", "skills"), os.DirFS(skills)); err != nil {
			t.Fatal(err)
		}
		registry := exec.Command("node", filepath.Join("..", "..", ".ci", "npm", "registry.js"), release)
		out, err := registry.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, registry.Start())
		t.Cleanup(func() {
			registry.Process.Kill()
			registry.Wait()
		})
		port, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		prefix := filepath.Join(m.home, "prefix")
		m.binary = filepath.Join(prefix, "bin", "skillgate")

		start := time.Now()
		last := start
		said := func(step string) {
			t.Logf("%6.1f s  %s", time.Since(last).Seconds(), step)
			last = time.Now()
		}
		npm := m.command("npm", "install", "-g", "--no-audit", "--no-fund", "--prefix", prefix,
			"--registry", "http://127.0.0.1:"+strings.TrimSpace(port), "skillgate")
		npm.Env = append(npm.Env, "PATH="+os.Getenv("PATH"))
		if out, err := npm.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", npm.Args, err, out)
		}
		said("npm install -g skillgate")
		install := m.command(m.binary, "install", "--yes")
		install.Env = append(install.Env, "PATH="+os.Getenv("PATH"))
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("skillgate install: %v\n%s", err, out)
		}
		said("skillgate install")
		const prompt = "Review this pull request for security problems such as injection and leaked secrets"
		got := m.ask(t, prompt)
		said("the first prompt, by " + m.claude.version)
		t.Logf("%6.1f s  from nothing to the first hint", time.Since(start).Seconds())
		got.untouched(t, prompt)
		if !got.names("pr-security-review") {
			t.Errorf("the first prompt was given the context %q, want pr-security-review in it", got.context)
		}
	})
}
