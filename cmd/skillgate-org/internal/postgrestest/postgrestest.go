// Package postgrestest runs a PostgreSQL server for a test.
package postgrestest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// Server is a PostgreSQL server on a Unix socket that a test may stop and start.
type Server struct {
	t        testing.TB
	postgres string   // path of the postgres program
	dir      string   // folder of the socket and the data
	as       []string // command prefix that switches to another user, because PostgreSQL refuses to run as root
	running  *exec.Cmd
	ended    chan struct{} // closed once running has ended
}

var (
	once    sync.Once
	cluster []byte // data of a new server as a tar file; unpacking it takes a tenth of the time of initdb
)

// New starts a server, which ends with the test, or skips the test if PostgreSQL is not installed.
func New(t testing.TB) *Server {
	t.Helper()
	programs, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	initdb, err := exec.LookPath("initdb")
	if err != nil && len(programs) > 0 {
		initdb, err = filepath.Join(programs[len(programs)-1], "initdb"), nil
	}
	if err != nil {
		t.Skip("PostgreSQL is not installed")
	}
	initdb, err = filepath.EvalSymlinks(initdb)
	require.NoError(t, err)
	dir, err := os.MkdirTemp("/tmp", "skillgate-pg-") // the path of a socket has at most 107 characters
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &Server{t: t, postgres: filepath.Join(filepath.Dir(initdb), "postgres"), dir: dir}
	if os.Getuid() == 0 {
		if _, err := exec.LookPath("setpriv"); err != nil {
			t.Skip("PostgreSQL cannot run as root, and setpriv is not installed")
		}
		nobody, err := user.Lookup("nobody")
		require.NoError(t, err)
		s.as = []string{"setpriv", "--reuid=" + nobody.Uid, "--regid=" + nobody.Gid, "--clear-groups"}
		uid, _ := strconv.Atoi(nobody.Uid)
		require.NoError(t, os.Chown(dir, uid, -1))
	}
	once.Do(func() {
		const create = `"$0" -D data -U skillgate -A trust --no-sync -E UTF8 --locale=C >&2 && tar -c data && rm -r data`
		cluster, err = s.command("sh", "-c", create, initdb).Output()
	})
	unpack := s.command("tar", "-x")
	unpack.Stdin = bytes.NewReader(cluster)
	require.NoError(t, errors.Join(err, unpack.Run()))
	s.Start()
	t.Cleanup(func() { s.Stop(syscall.SIGQUIT) })
	return s
}

func (s *Server) command(program string, args ...string) *exec.Cmd {
	words := append(append(slices.Clone(s.as), program), args...)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = s.dir
	return cmd
}

// Start starts the server, on the same data as before Stop, and waits until it answers.
func (s *Server) Start() {
	s.t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if s.running == nil {
			s.running = s.command(s.postgres, "-D", "data", "-k", s.dir, "-c", "listen_addresses=", "-c", "fsync=off")
			require.NoError(s.t, s.running.Start())
			s.ended = make(chan struct{})
			go func(cmd *exec.Cmd, ended chan struct{}) { _ = cmd.Wait(); close(ended) }(s.running, s.ended)
		}
		if c, err := pgx.Connect(s.t.Context(), s.Address()); err == nil {
			c.Close(s.t.Context())
			return
		}
		select {
		case <-s.ended: // try again: child processes of a killed server still use the data
			s.running = nil
		default:
		}
	}
	s.t.Fatal("PostgreSQL did not start")
}

// Stop sends the server a signal and waits until it has ended. SIGTERM, SIGINT and SIGQUIT mean smart, fast and
// immediate shutdown; SIGKILL simulates a crash.
func (s *Server) Stop(how syscall.Signal) {
	if s.running == nil {
		return
	}
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", s.running.Process.Pid))
	_ = s.running.Process.Signal(how)
	<-s.ended
	s.running = nil
	if how != syscall.SIGKILL {
		return
	}
	for field := range strings.FieldsSeq(string(children)) { // child processes still answer for a moment
		pid, _ := strconv.Atoi(field)
		if child, err := os.FindProcess(pid); err == nil {
			_ = child.Kill()
		}
		for {
			stat, err := os.ReadFile(filepath.Join("/proc", field, "stat"))
			if err != nil || strings.Contains(string(stat), ") Z ") {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// Address returns the server's connection string.
func (s *Server) Address() string {
	return fmt.Sprintf("host=%s user=skillgate dbname=postgres", s.dir)
}
