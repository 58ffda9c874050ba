package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgrestest"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
)

// BenchmarkLaptop says what shared skills cost a machine that has none of them yet: the processor time of the
// refresh that brings them and how long it takes, and the processor time of the index command after it, from an OCI
// registry and from a registry of skills.
//
//	LIBRARIES=FOLDER:FOLDER SKILLS=20000 go test -run '^$' -bench Laptop -benchtime 1x -timeout 1h ./cmd/skillgate-org
func BenchmarkLaptop(b *testing.B) {
	folders := filepath.SplitList(os.Getenv("LIBRARIES"))
	if len(folders) == 0 {
		b.Skip("LIBRARIES names no folders of skills")
	}
	n, err := strconv.Atoi(cmp.Or(os.Getenv("SKILLS"), "20000"))
	require.NoError(b, err)
	bin, shelf := b.TempDir(), b.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../skillgate", ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	entries, random := realSkills(b, folders), rand.New(rand.NewPCG(1, 2))
	skills := make([]truth.Skill, n)
	for i := range skills {
		skills[i] = mixed(entries, i, random)
		folder := filepath.Join(shelf, skills[i].Name)
		require.NoError(b, os.Mkdir(folder, 0o700))
		require.NoError(b, os.WriteFile(filepath.Join(folder, "SKILL.md"), skills[i].Text, 0o600))
	}
	// run runs a command of a user and returns its processor time in seconds.
	run := func(b *testing.B, home, stdin string, args ...string) float64 {
		b.Helper()
		cmd := exec.Command(filepath.Join(bin, args[0]), args[1:]...)
		cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH")}
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%q: %v: %s", args, err, out)
		}
		b.Logf("%q: %s", args, out)
		return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	laptop := func(b *testing.B, home, reference string) {
		file := filepath.Join(home, ".config", "skillgate", "skillgate.yaml")
		require.NoError(b, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(b, os.WriteFile(file, fmt.Appendf(nil, "libraries: [%q]\n", reference), 0o600))
		start := time.Now()
		b.ReportMetric(run(b, home, "", "skillgate-org", "library", "refresh"), "cpu-s/refresh")
		b.ReportMetric(time.Since(start).Seconds(), "s/refresh")
		b.ReportMetric(run(b, home, "", "skillgate", "index"), "cpu-s/index")
		run(b, home, "", "skillgate", "query", "Review this pull request for security problems")
	}
	b.Run("oci", func(b *testing.B) {
		server := httptest.NewServer(registry.New())
		defer server.Close()
		at := strings.TrimPrefix(server.URL, "http://") + "/team/skills:stable"
		b.ReportMetric(run(b, b.TempDir(), "", "skillgate-org", "library", "push", shelf, at), "cpu-s/push")
		laptop(b, b.TempDir(), "oci://"+at)
	})
	b.Run("skillgate", func(b *testing.B) {
		database := postgrestest.New(b).Address()
		store, err := truth.Open(b.Context(), database)
		require.NoError(b, err)
		defer store.Close()
		_, err = store.Import(b.Context(), "bench", "acme", "base", nil, func(yield func(truth.Skill, error) bool) {
			for _, k := range skills {
				if !yield(k, nil) {
					return
				}
			}
		})
		require.NoError(b, err)
		_, url := serveFor(b, filepath.Join(bin, "skillgate-org"), database)
		for built := 0; built == 0; time.Sleep(100 * time.Millisecond) {
			require.NoError(b, store.DB.QueryRow(b.Context(), `SELECT count(*) FROM generation`).Scan(&built))
		}
		who := truth.Who{Tenant: "acme", Subject: "bench"}
		key, err := store.NewKey(b.Context(), "bench", who, time.Now().Add(time.Hour))
		require.NoError(b, err)
		home := b.TempDir()
		run(b, home, key, "skillgate-org", "library", "login", strings.TrimPrefix(url, "http://"))
		laptop(b, home, "skillgate+"+url)
	})
}
