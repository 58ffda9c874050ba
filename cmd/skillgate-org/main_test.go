package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/jackc/pgx/v5"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgrestest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"skillgate-org": main})
}

func inProcess(t *testing.T) string {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// debian starts the registry of Debian's package docker-registry.
func debian(t *testing.T) string {
	program, err := exec.LookPath("docker-registry")
	if err != nil {
		t.Skip("docker-registry is not installed")
	}
	host := freeAddress(t)
	dir := t.TempDir()
	config := filepath.Join(dir, "config.yml")
	text := fmt.Sprintf("version: 0.1\nstorage: {filesystem: {rootdirectory: %s}}\nhttp: {addr: '%s'}\n", dir, host)
	require.NoError(t, os.WriteFile(config, []byte(text), 0o600))
	cmd := exec.Command(program, "serve", config)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if answer, err := http.Get("http://" + host + "/v2/"); err == nil {
			answer.Body.Close()
			return host
		}
		if time.Now().After(end) { // not earlier, because the program is still writing
			require.FailNow(t, "docker-registry does not answer", out.String())
		}
	}
}

var (
	consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	shBlock      = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	yamlBlock    = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")
	varying      = regexp.MustCompile(`(sha256:)[0-9a-f]{64}|(ed25519:)[0-9A-Za-z+/=]{44}|(blobs \()[0-9]+`)
)

func programs(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	out, err := exec.Command("go", "run", "-exec", "cp", "../skillgate", bin).CombinedOutput() // unlike go build, it caches the program
	require.NoError(t, err, string(out))
	self, err := exec.LookPath("skillgate-org")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(bin, "skillgate-org")))
	return bin
}

// shell runs commands in a home folder after replacing addresses in them.
type shell struct {
	home string
	env  []string // without HOME
	here *strings.Replacer
}

func (s *shell) start(t *testing.T, command string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command("sh", "-c", s.here.Replace(command))
	cmd.Dir, cmd.Env = s.home, append([]string{"HOME=" + s.home}, s.env...)
	out := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	require.NoError(t, cmd.Start())
	return cmd, out
}

func (s *shell) run(t *testing.T, command, want string) string {
	t.Helper()
	cmd, out := s.start(t, command)
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), want) {
		t.Errorf("%s: %v, and prints\n%s\nwant %q in it", command, err, out, want)
	}
	return strings.TrimSpace(out.String())
}

// freeAddress returns an address of this machine at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer free.Close()
	return free.Addr().String()
}

// ended waits until no process with this home is left. A refresh outlives the hook that started it and writes into the
// folder that the test removes.
func ended(t *testing.T, home string) {
	t.Helper()
	running := func() string {
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range files {
			text, _ := os.ReadFile(file)
			if slices.Contains(strings.Split(string(text), "\x00"), "HOME="+home) {
				return filepath.Dir(file)
			}
		}
		return ""
	}
	for end := time.Now().Add(2 * time.Minute); running() != ""; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("%s still runs", running())
			return
		}
	}
}

func TestReadme(t *testing.T) {
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	bin := programs(t)
	for name, start := range map[string]func(*testing.T) string{"go-containerregistry": inProcess, "docker-registry": debian} {
		t.Run(name, func(t *testing.T) {
			host, home := start(t), t.TempDir()
			t.Cleanup(func() { ended(t, home) })
			skills, err := filepath.Abs("../../testdata/skills-e2e")
			require.NoError(t, err)
			sh := func(command string) string {
				t.Helper()
				cmd := exec.Command("sh", "-c", strings.ReplaceAll(command, "registry.example.com", host))
				cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH")}
				out, err := cmd.CombinedOutput()
				assert.NoError(t, err, "%s: %v\n%s", command, err, out)
				return strings.ReplaceAll(string(out), host, "registry.example.com")
			}
			require.NoError(t, os.CopyFS(filepath.Join(home, "skills"), os.DirFS(skills)))
			sh("openssl genpkey -algorithm ed25519 -out skills.key")
			key, blocks := "", 0
			for _, block := range consoleBlock.FindAllSubmatch(page, -1) {
				blocks++
				for _, step := range strings.Split("\n"+string(block[1]), "\n$ ")[1:] {
					command, want, _ := strings.Cut(step, "\n")
					out := strings.TrimSuffix(sh(command), "\n")
					if found := regexp.MustCompile(`ed25519:[0-9A-Za-z+/=]{44}`).FindString(out); found != "" && key == "" {
						key = found
					}
					got := varying.ReplaceAllString(out, "$1$2$3…")
					assert.Equal(t, strings.TrimSuffix(want, "\n"), got, "%s prints\n%s\nwant\n%s", command, got, want)
				}
				if blocks == 1 {
					settings := string(yamlBlock.FindSubmatch(page)[1])
					settings = strings.NewReplacer("registry.example.com", host, "ed25519:…", key).Replace(settings)
					file := filepath.Join(home, ".config", "skillgate", "skillgate.yaml")
					require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
					require.NoError(t, os.WriteFile(file, []byte(settings), 0o600))
				}
			}
			assert.Equal(t, 2, blocks)
			const ref = "registry.example.com/team/skills:stable"
			again := sh("skillgate-org library push ./skills " + ref + " --key skills.key")
			assert.Contains(t, again, "sent 0 blobs")
			sh("echo more >>skills/csv-cleaner/SKILL.md && skillgate-org library push ./skills " + ref + " --key skills.key")
			assert.Contains(t, sh("skillgate-org library refresh"), "0 added, 1 changed, 0 removed")
			if out := sh("skillgate-org library list"); !strings.Contains(out, "changed under the same tag") || !strings.Contains(out, "signed by "+key) {
				t.Errorf("list: %s", out)
			}
			sh("skillgate-org library pull " + ref + " --to out && cmp out/csv-cleaner/SKILL.md skills/csv-cleaner/SKILL.md")
			// The hook suggests it with the path of its file.
			hook := sh(`skillgate index >/dev/null && echo ` +
				`'{"hook_event_name":"UserPromptSubmit","session_id":"a","prompt":"Review this pull request for security ` +
				`problems"}' | skillgate hook`)
			assert.Contains(t, hook, "/current/skills/")
			// A machine with the same settings fetches it in the background.
			other := t.TempDir()
			t.Cleanup(func() { ended(t, other) })
			require.NoError(t, os.CopyFS(filepath.Join(other, ".config"), os.DirFS(filepath.Join(home, ".config"))))
			sh("export HOME=" + other + `
				echo '{"hook_event_name":"SessionStart","session_id":"a","cwd":"/"}' | skillgate observe
				for i in $(seq 600); do
					skillgate query "Review this pull request for security problems" | grep '^- pr-security-review' && exit
					sleep 0.1
				done
				exit 1`)
		})
	}
}

func TestReadmeOfRegistry(t *testing.T) {
	database := postgrestest.New(t).Address()
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(page), "\n## A registry")
	section, _, _ = strings.Cut(section, "\n## ")
	var commands []string
	for _, block := range shBlock.FindAllStringSubmatch(section, -1) {
		commands = append(commands, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	require.Len(t, commands, 7)
	host := freeAddress(t)
	home := t.TempDir()
	setting := strings.Replace(commands[0], "postgres://localhost/skills", "'"+database+"'", 1) + "\n"
	shell := shell{home, []string{"USER=ann", "PATH=" + os.Getenv("PATH")}, strings.NewReplacer("localhost:8080", host)}
	sh := func(command, want string) string { t.Helper(); return shell.run(t, setting+command, want) }
	require.NoError(t, os.CopyFS(filepath.Join(home, "skills"), os.DirFS("../../testdata/skills-e2e")))
	sh(commands[1], "acme/base: 60 new revisions, 0 unchanged")
	sh(commands[1], "acme/base: 0 new revisions, 60 unchanged")
	shell.env = append(shell.env, "KEY="+sh("skillgate-org pool key acme ann", "skg_"))
	serving, said := shell.start(t, setting+"exec "+commands[2]+" --poll 200ms")
	t.Cleanup(func() {
		_ = serving.Process.Kill()
		_ = serving.Wait()
	})
	sh("for i in $(seq 600); do "+commands[3]+" && exit; sleep 0.1; done; exit 1", `"name":"pr-security-review","pool":"skill","fits":true`)
	sh("skillgate-org pool withdraw acme/base pr-security-review --why 'too old'", "")
	sh("for i in $(seq 600); do "+commands[3]+" | grep pr-security-review || exit 0; sleep 0.1; done; exit 1", "")
	sh("skillgate-org pool list acme", "base: 60 skills, 59 offered, 0 awaiting approval, visible to everybody")
	sh("skillgate-org pool approve acme/base pr-security-review", "")
	sh("skillgate-org pool list acme --json", `"offered": 60`)

	settings := strings.ReplaceAll(yamlBlock.FindStringSubmatch(section)[1], "localhost:8080", host)
	file := filepath.Join(home, ".config", "skillgate", "skillgate.yaml")
	require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(settings), 0o600)))
	sh(commands[6]+" || echo failed with $?", "failed with 1")
	sh(commands[4]+"; "+commands[5]+"; "+commands[6], "60 skills, not signed")
	here := "cat .cache/skillgate/fetched/*/current/skills/csv-cleaner/SKILL.md"
	sh(here, "name: csv-cleaner")
	sh("skillgate-org pool withdraw acme/base csv-cleaner && "+commands[6], "59 skills, 0 added, 0 changed, 1 removed")
	sh(here+" || echo gone", "gone")
	sh("skillgate-org pool approve acme/base csv-cleaner && "+commands[6], "60 skills, 1 added, 0 changed, 0 removed")
	sh("skillgate-org pool audit acme --limit 1000 | grep -c 'sent to a client'", "60") // each skill once, because the returned one was still here
	sh("skillgate-org pool tenant acme --source nowhere && "+commands[6], "0 skills, not signed, no skills available")
	sh(here+" || echo gone", "gone")
	sh("skillgate-org pool tenant acme", "")
	sh("skillgate-org pool import acme/payments ./skills/csv-cleaner/.. --role payments --source git --database ''", "acme/payments: 60 new")
	sh("skillgate-org pool tenant acme --source git && skillgate-org pool list acme", "base: 60 skills, 0 offered")
	require.NoError(t, serving.Process.Signal(syscall.SIGTERM))
	assert.NoError(t, serving.Wait(), said)
	sh("skillgate-org pool audit acme", "ann lookup  base/pr-security-review")
	sh("skillgate-org pool audit acme", "cli:ann withdraw base pr-security-review too old")
	sh("skillgate-org pool withdraw acme/base nothing || echo failed with $?", "failed with 3")
	sh("skillgate-org pool import acme ./skills || echo failed with $?", "does not have the form TENANT/POOL")
	sh("skillgate-org pool list nosuch || echo failed with $?", "failed with 3")
	sh("skillgate-org pool audit nosuch || echo failed with $?", "failed with 3")
	sh("skillgate-org pool audit acme --limit -1 || echo failed with $?", "must be 1 or more")
	sh("skillgate-org pool import new/base nothing-here || skillgate-org pool list new || echo failed with $?", "failed with 3")
	sh("skillgate-org pool revoke acme ann", "keys of ann revoked: 2")
	sh("skillgate-org pool revoke acme ann || echo failed with $?", "failed with 3")
	sh("skillgate-org pool audit acme", "cli:ann revoke   ann, keys: 2")
	sh("skillgate-org serve --issuer http://login.example.com || echo failed with $?", "must use https")
	sh("skillgate-org serve --poll 2m || echo failed with $?", "at most 60s")
}

func org(home, database string, args ...string) *exec.Cmd {
	cmd := exec.Command("skillgate-org", args...)
	cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "USER=ann", "PATH=" + os.Getenv("PATH"), "SKILLGATE_DATABASE=" + database}
	return cmd
}

func TestTablesOfTheFuture(t *testing.T) {
	s, home := postgrestest.New(t), t.TempDir()
	run := func(args ...string) (string, int) {
		t.Helper()
		cmd := org(home, s.Address(), args...)
		out, err := cmd.CombinedOutput()
		require.True(t, err == nil || cmd.ProcessState != nil, err)
		return string(out), cmd.ProcessState.ExitCode()
	}
	require.NoError(t, os.CopyFS(filepath.Join(home, "skills"), os.DirFS("../../testdata/skills-e2e")))
	run("pool", "import", "acme/base", "skills")
	db, err := pgx.Connect(t.Context(), s.Address())
	require.NoError(t, err)
	defer db.Close(context.Background())
	// all returns every row of every table.
	all := func() (text string) {
		t.Helper()
		err := db.QueryRow(t.Context(), `SELECT string_agg(schemaname || '.' || tablename || query_to_xml(format(
				'SELECT md5(string_agg(x::text, '','' ORDER BY x::text)) FROM %I.%I x', schemaname, tablename),
				true, false, '')::text, ',' ORDER BY schemaname, tablename)
			FROM pg_tables WHERE schemaname LIKE 'skillgate%'`).Scan(&text)
		require.NoError(t, err)
		return text
	}
	_, err = db.Exec(t.Context(), `COMMENT ON SCHEMA skillgate_registry IS 'skillgate registry 2'`)
	require.NoError(t, err)
	before := all()
	require.Contains(t, before, "skillgate_registry.skill")
	for _, args := range [][]string{
		{"pool", "import", "acme/base", "skills"}, {"pool", "import", "new/base", "skills"},
		{"pool", "tenant", "acme", "--review"}, {"pool", "tenant", "new"}, {"pool", "key", "acme", "ann"},
		{"pool", "revoke", "acme", "ann"}, {"pool", "list", "acme"}, {"pool", "audit", "acme"},
		{"pool", "approve", "acme/base", "csv-cleaner"}, {"pool", "withdraw", "acme/base", "csv-cleaner"},
		{"serve", "--listen", "127.0.0.1:0"},
	} {
		out, code := run(args...)
		require.Equal(t, 3, code, args)
		require.Contains(t, out, " 2\", but this program needs \"skillgate ", args)
		assert.Contains(t, out, "install that version", args)
	}
	assert.Equal(t, before, all())
}

func TestReplicaKilled(t *testing.T) {
	database, home := postgrestest.New(t).Address(), t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		out, err := org(home, database, args...).CombinedOutput()
		require.NoError(t, err, "%q: %v\n%s", args, err, out)
		return strings.TrimSpace(string(out))
	}
	run("pool", "tenant", "acme")
	require.NoError(t, os.CopyFS(filepath.Join(home, "skills"), os.DirFS("../../testdata/skills-e2e")))
	serve := func(cache string) (*exec.Cmd, string) {
		t.Helper()
		cmd := org(home, database, "serve", "--listen", "127.0.0.1:0", "--poll", "200ms", "--cache", cache)
		said, err := cmd.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		return cmd, listening(t, said)
	}
	first, a := serve("a")
	_, b := serve("b")
	key := run("pool", "key", "acme", "ann")
	names := func(url, prompt, want string) {
		t.Helper()
		for end := time.Now().Add(3 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
			req, err := http.NewRequest("POST", url+"/v1/lookup", strings.NewReader(`{"prompt":"`+prompt+`"}`))
			require.NoError(t, err)
			req.Header.Set("Authorization", "Bearer "+key)
			answer, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			text, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK && strings.Contains(string(text), `"name":"`+want+`"`) {
				return
			}
			require.False(t, time.Now().After(end), "%s names %s, want %s", url, text, want)
		}
	}
	run("pool", "import", "acme/base", "skills")
	names(a, "Review this pull request for security problems", "pr-security-review")
	names(b, "Review this pull request for security problems", "pr-security-review")
	require.NoError(t, first.Process.Kill())
	names(b, "Review this pull request for security problems", "pr-security-review")
	err := os.WriteFile(filepath.Join(home, "more.jsonl"),
		[]byte(`{"id":"x","name":"wombat-census","description":"Counts wombats in gardens."}`+"\n"), 0o600)
	require.NoError(t, err)
	run("pool", "import", "acme/more", "more.jsonl")
	names(b, "count the wombats in our gardens", "wombat-census")
}

// listening returns the address at which a service says that it listens, and discards the rest of its output.
func listening(t testing.TB, said io.Reader) string {
	t.Helper()
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), "msg=listening address="); ok {
			go func() {
				for lines.Scan() {
				}
			}()
			return "http://" + at
		}
	}
	t.Fatal("it does not listen")
	return ""
}

func TestCommandsAreFew(t *testing.T) {
	apptest.AreFew(t, newRoot(apptest.New(t).App), 21, 30)
}
