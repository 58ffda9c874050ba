package rerank

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// helper listens in a new folder and calls do for each connection.
func helper(t *testing.T, do func(conn net.Conn, r *bufio.Reader)) *Client {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "sgr") // the path of a socket must be short
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := &Client{Place: Place{dir}, Want: "w", UID: os.Getuid(), Silence: time.Minute} // a busy machine is silent for long
	if do == nil {
		return c
	}
	l, err := net.Listen("unix", c.Place.Socket())
	require.NoError(t, err)
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop); l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				do(conn, bufio.NewReader(conn))
				<-stop
			}()
		}
	}()
	return c
}

var twoDocs = []Doc{{Name: "a"}, {Name: "b"}}

func say(conn net.Conn, lines ...string) {
	for _, l := range lines {
		fmt.Fprintln(conn, l)
	}
}

const (
	accepted = `{"v":1,"kind":"accepted"}`
	alive    = `{"v":1,"kind":"alive"}`
)

func TestClientOutlivesItsHelper(t *testing.T) {
	// On a busy machine a working helper may seem silent. So silence and deadline are short only in tests of them;
	// the error tells which of them was exceeded.
	const short, long = 150 * time.Millisecond, time.Minute
	tests := []struct {
		name              string
		do                func(net.Conn, *bufio.Reader)
		silence, deadline time.Duration
		want              string
	}{
		{"absent", nil, long, long, "no rerank helper is running"},
		{"hung before it answers", func(net.Conn, *bufio.Reader) {}, Silence, long, "the rerank helper sent no reply within 20ms"},
		{"hung after it accepted", func(c net.Conn, _ *bufio.Reader) { say(c, accepted) }, Silence, long, "the rerank helper sent no reply within 20ms"},
		{"alive for ever", func(c net.Conn, _ *bufio.Reader) {
			say(c, accepted)
			for {
				if _, err := fmt.Fprintln(c, alive); err != nil {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}, long, short, "did not reply before the deadline"},
		{"flood", func(c net.Conn, _ *bufio.Reader) {
			for {
				if _, err := fmt.Fprintln(c, alive); err != nil {
					return
				}
			}
		}, long, short, "did not reply before the deadline"},
		{"killed in between", func(c net.Conn, r *bufio.Reader) { r.ReadString('\n'); say(c, accepted); c.Close() }, long, long, "closed the connection"},
		{"refuses", func(c net.Conn, _ *bufio.Reader) { say(c, `{"v":1,"kind":"refused","reason":"too slow here"}`) },
			long, long, "refused the request: too slow here"},
		{"other version", func(c net.Conn, _ *bufio.Reader) { say(c, `{"v":2,"kind":"accepted"}`) }, long, long, "uses protocol version 2"},
		{"garbage", func(c net.Conn, _ *bufio.Reader) { say(c, "\x00\xff{") }, long, long, "invalid character"},
		{"endless line", func(c net.Conn, _ *bufio.Reader) { c.Write(make([]byte, MaxLine+1)) }, long, long, "message is too long"},
		{"NaN", func(c net.Conn, _ *bufio.Reader) { say(c, `{"v":1,"kind":"scores","scores":[NaN,1]}`) }, long, long, "invalid character"},
		{"too large to be a score", func(c net.Conn, _ *bufio.Reader) { say(c, `{"v":1,"kind":"scores","scores":[1e300,1]}`) }, long, long, "sent the invalid score"},
		{"too many scores", func(c net.Conn, _ *bufio.Reader) { say(c, `{"v":1,"kind":"scores","scores":[1,2,3]}`) }, long, long, "3 scores for 2 documents"},
		{"one score", func(c net.Conn, _ *bufio.Reader) { say(c, `{"v":1,"kind":"scores","scores":[1]}`) }, long, long, "1 scores for 2 documents"},
		{"unknown kind", func(c net.Conn, _ *bufio.Reader) { say(c, `{"v":1,"kind":"hm"}`) }, long, long, `sent the unexpected reply "hm"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := helper(t, tt.do)
			c.Silence = tt.silence
			ctx, cancel := context.WithTimeout(t.Context(), tt.deadline)
			defer cancel()
			res, err := c.Rerank(ctx, "q", twoDocs)
			if err == nil || len(res.Scores) > 0 || strings.Contains(err.Error(), "\n") {
				t.Fatalf("Rerank = %v, %v, want a reason in one line", res, err)
			}
			assert.ErrorContains(t, err, tt.want)
		})
	}
}

func TestClientReturnsScores(t *testing.T) {
	c := helper(t, func(conn net.Conn, r *bufio.Reader) {
		var req Request
		if err := Read(r, &req); err != nil || req.V != Version || req.Want != "w" || req.Query != "q" || len(req.Docs) != 2 || req.BudgetMs < 100 {
			t.Errorf("helper got %+v, %v", req, err)
		}
		say(conn, accepted, alive, alive, `{"v":1,"kind":"scores","scores":[-1.5,2],"scale":3}`)
	})
	res, err := c.Rerank(context.Background(), "q", twoDocs)
	if err != nil || len(res.Scores) != 2 || res.Scores[1] != 2 || res.Scale != 3 {
		t.Errorf("Rerank = %+v, %v, want scores -1.5 and 2, scale 3", res, err)
	}
}

func TestClientRefusesAnotherUsersHelper(t *testing.T) {
	c := helper(t, func(conn net.Conn, r *bufio.Reader) {
		line, err := r.ReadString('\n')
		assert.Error(t, err, "a stranger got %q", line)
	})
	c.UID++
	_, err := c.Rerank(context.Background(), "secret", twoDocs)
	assert.ErrorContains(t, err, "belongs to user")
	time.Sleep(10 * time.Millisecond)
}

func TestClientSaysWhyNoHelperRuns(t *testing.T) {
	c := helper(t, nil)
	require.NoError(t, c.Place.SetAttempt(Attempt{Want: "w", Reason: "no usable libonnxruntime"}))
	_, err := c.Rerank(context.Background(), "q", twoDocs)
	require.ErrorIs(t, err, ErrNoHelper)
	assert.ErrorContains(t, err, "no usable libonnxruntime")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(c.Place.Dir, link))
	linked := &Client{Place: Place{link}, Want: "other", UID: c.UID}
	if _, err := linked.Rerank(context.Background(), "q", twoDocs); !errors.Is(err, ErrNoHelper) || !strings.Contains(err.Error(), "not a folder") {
		t.Errorf("Rerank in a folder that is a link = %v, want ErrNoHelper with that reason", err)
	}
	stale := helper(t, func(net.Conn, *bufio.Reader) {})
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(stale.Place.Dir, "old")})
	require.NoError(t, err)
	l.SetUnlinkOnClose(false)
	l.Close()
	require.NoError(t, os.Rename(filepath.Join(stale.Place.Dir, "old"), stale.Place.Socket()))
	_, err = stale.Rerank(context.Background(), "q", twoDocs)
	assert.ErrorIs(t, err, ErrNoHelper)
}

func TestStartIsTriedOnceAndDetached(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "sgr")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	c := Config{Place: Place{filepath.Join(dir, "cache", inCache)}, Models: "m"}
	program := filepath.Join(dir, "helper")
	script := "#!/bin/sh\n[ -t 0 ] || echo \"$$ $(ps -o sid= -p $$) $*\" >> " + filepath.Join(dir, "out") + "\n"
	require.NoError(t, os.WriteFile(program, []byte(script), 0o700))
	now := time.Now()
	require.NoError(t, Start(c, program, now, false))
	assert.ErrorContains(t, Start(c, program, now.Add(time.Minute), false), Starting)
	assert.NoError(t, Start(c, program, now.Add(time.Hour), false))
	require.NoError(t, c.Place.SetAttempt(Attempt{Want: c.Want(), Reason: "no program", Missing: true}))
	assert.NoError(t, Start(c, program, now.Add(time.Minute), false))
	var lines []string
	for range 6000 { // a minute
		b, _ := os.ReadFile(filepath.Join(dir, "out"))
		if lines = strings.Split(strings.TrimSpace(string(b)), "\n"); len(lines) == 3 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Len(t, lines, 3)
	f := strings.Fields(lines[0])
	if len(f) < 3 || f[0] != f[1] || f[2] != "serve" {
		t.Errorf("helper reports %q, want process = session and serve", lines[0])
	}
	assert.NoError(t, owned(c.Place.Dir, os.Getuid()))
}

func TestLocate(t *testing.T) {
	runtime := t.TempDir()
	require.NoError(t, os.Chmod(runtime, 0o700))
	open := t.TempDir()
	require.NoError(t, os.Chmod(open, 0o755))
	uid := os.Getuid()
	long := "/" + strings.Repeat("d", 120)
	tests := []struct {
		name, xdg, cache, want string
	}{
		{"the session's own folder", runtime, "/c", filepath.Join(runtime, "skillgate")},
		{"none", "", "/c", "/c/run"},
		{"one that others can read", open, "/c", "/c/run"},
		{"one that is not there", "/nowhere", "/c", "/c/run"},
		{"a relative one", "run", "/c", "/c/run"},
		{"a path too long for a socket", "", long, fmt.Sprintf("/tmp/skillgate-%d-", uid)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Locate(func(string) string { return tt.xdg }, tt.cache, uid)
			if !strings.HasPrefix(got.Dir, tt.want) || len(got.Socket()) > maxSocket {
				t.Errorf("Locate(%q, %q) = %s, want %s", tt.xdg, tt.cache, got.Dir, tt.want)
			}
		})
	}
}

func TestPlaceRefusesAFolderOfOthers(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(dir, link))
	shared := filepath.Join(dir, "shared")
	require.NoError(t, os.Mkdir(shared, 0o700))
	require.NoError(t, syscall.Chmod(shared, 0o770))
	foreign := filepath.Join(dir, "foreign")
	require.NoError(t, errors.Join(os.Mkdir(foreign, 0o700), os.WriteFile(filepath.Join(foreign, "notes"), nil, 0o600)))
	for path, want := range map[string]string{
		link: "not a folder", shared: "must be 0700", foreign: "it contains notes", filepath.Join(foreign, inCache): "it contains notes",
	} {
		assert.ErrorContains(t, (Place{path}).Make(os.Getuid()), want, path)
	}
	assert.ErrorContains(t, (Place{filepath.Join(dir, "new")}).Make(os.Getuid()+1), "another user")
}

func FuzzRead(f *testing.F) {
	f.Add(`{"v":1,"kind":"scores","scores":[1,2]}` + "\n")
	f.Add("\n{")
	f.Fuzz(func(t *testing.T, text string) {
		r := NewReader(strings.NewReader(text))
		for range 10 {
			var reply Reply
			if err := Read(r, &reply); err != nil {
				return
			}
			_, _ = check(reply, 5)
		}
	})
}
