package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgrestest"
)

// TestDecoys replaces each folder and file that the commands keep by a link to a decoy and runs all commands. No decoy
// may change, nor the folder for temporary files.
func TestDecoys(t *testing.T) {
	database, registry, top := postgrestest.New(t).Address(), inProcess(t), t.TempDir()
	home, kept, temp := filepath.Join(top, "home"), filepath.Join(top, "kept"), filepath.Join(top, "tmp")
	reference := registry + "/team/skills:stable"
	err := errors.Join(os.MkdirAll(filepath.Join(home, ".config", "skillgate"), 0o700),
		os.MkdirAll(filepath.Join(temp, "skillgate-push-1"), 0o700), os.MkdirAll(filepath.Join(temp, "skillgate-org-2", "x"), 0o700),
		os.WriteFile(filepath.Join(home, ".config", "skillgate", "skillgate.yaml"), []byte("libraries:\n  - "+reference+"\n"), 0o600),
		os.WriteFile(filepath.Join(home, "log.jsonl"), nil, 0o600),
		os.CopyFS(filepath.Join(home, "skills"), os.DirFS("../../testdata/skills-e2e")))
	require.NoError(t, err)
	command := func(line string) *exec.Cmd {
		cmd := org(home, database, strings.Fields(line)...)
		cmd.Env = append(cmd.Env, "TMPDIR="+temp)
		return cmd
	}
	everything := func(t *testing.T, must bool) {
		t.Helper()
		out := t.TempDir()
		for _, line := range []string{
			"library push skills " + reference, "library pull " + reference + " --to " + out + "/to",
			"library refresh", "library list",
			"pool import acme/base skills", "pool tenant acme", "pool list acme", "pool key acme ann", "pool audit acme",
			"pool withdraw acme/base csv-cleaner --why x", "pool approve acme/base csv-cleaner", "pool revoke acme ann",
			"stats log.jsonl", "report log.jsonl -- --output " + out + "/report.html", "export",
		} {
			said, err := command(line).CombinedOutput()
			exit := (*exec.ExitError)(nil)
			if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1 && exit.ExitCode() != 3 ||
				must && line[:4] != "repo" && line[:4] != "stat" && line != "export") {
				t.Errorf("%s: %v, %s", line, err, said)
			}
		}
		host := freeAddress(t)
		serve := command("serve --poll 200ms --listen " + host)
		ended := make(chan error, 1)
		require.NoError(t, serve.Start())
		go func() { ended <- serve.Wait() }()
		key, _ := command("pool key acme bob").Output()
		for serving := true; serving; time.Sleep(50 * time.Millisecond) {
			ask, err := http.NewRequest("POST", "http://"+host+"/v1/lookup", strings.NewReader(`{"prompt":"review this pull request"}`))
			require.NoError(t, err)
			ask.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(key)))
			answer, err := http.DefaultClient.Do(ask)
			if err == nil {
				serving = answer.StatusCode == http.StatusServiceUnavailable
				answer.Body.Close()
			}
			select {
			case err := <-ended:
				if serving, ended = false, nil; must || serve.ProcessState.ExitCode() != 3 {
					t.Errorf("serve: %v", err)
				}
			default:
			}
		}
		if ended != nil {
			_ = serve.Process.Signal(syscall.SIGTERM)
			<-ended
		}
	}
	everything(t, true)
	tops := []string{filepath.Join(home, ".cache", "skillgate"), filepath.Join(home, ".local", "state", "skillgate")}
	test := func(name string, plant func(d *apptest.Decoys, top string)) {
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command("cp", "-a", home, kept).CombinedOutput()
			require.NoError(t, err, string(out))
			d := &apptest.Decoys{TB: t, Outside: filepath.Join(top, "outside")}
			for _, top := range tops {
				if _, err := os.Lstat(top); err == nil {
					plant(d, top)
				}
			}
			require.NotEqual(t, 0, d.Count, "no decoy was made")
			unchanged, temporary := d.Watch(d.Outside), d.Watch(temp)
			everything(t, false)
			unchanged()
			temporary()
			t.Logf("%d decoys", d.Count)
			require.NoError(t, errors.Join(os.RemoveAll(home), os.RemoveAll(d.Outside), os.Rename(kept, home)))
		})
	}
	for level := range 5 {
		test(fmt.Sprint("folders at depth ", level), func(d *apptest.Decoys, top string) { d.Folders(top, level, d.Link) })
	}
	test("files", func(d *apptest.Decoys, top string) { d.Files(top, d.Link) })
	test("files with two names", func(d *apptest.Decoys, top string) { d.Files(top, os.Link) })
}
