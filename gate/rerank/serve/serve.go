// Package serve implements the rerank helper. The helper keeps one model loaded and answers each request within its
// time budget, or refuses it at once.
//
// Each user has one helper: the first process that locks Place.Lock. Others exit with ErrRunning. The helper listens
// before it loads the model, so that hooks learn that it is starting and do not start another one. It exits after
// Config.Idle without a ranking request, on a stop request, when a client needs another configuration, and, through
// Abort, when the model hangs.
//
// Requests are accepted concurrently; the model runs one batch at a time.
package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/tokenizer"
	"github.com/skillgate/skillgate/gate/system"
)

// Model is a loaded cross-encoder.
type Model struct {
	Name      string
	Library   string
	Runtime   string
	Scale     float64 // see rerank.Result.Scale
	MaxTokens int     // maximum length of a pair, in tokens
	Tokenizer *tokenizer.Tokenizer
	// Score returns one logit per row. All rows have the same length.
	Score func(rows []tokenizer.Pair) ([]float64, error)
}

// Config configures a server.
type Config struct {
	Place   rerank.Place
	Want    string // see rerank.Config.Want
	Version string
	UID     int
	Idle    time.Duration
	Start   time.Time
	Load    func() (*Model, error)
	Stuck   time.Duration // time limit for one batch; longer than any caller waits
	Abort   func()        // ends the process; called if a batch exceeds Stuck
	RSS     func() int64
}

// ErrRunning means that another helper of the same user holds the lock.
var ErrRunning = errors.New("another rerank helper is running")

const (
	maxClients  = 32          // concurrent connections; further ones are rejected to limit memory
	readLimit   = time.Second // time limit for receiving a request
	writeLimit  = time.Second // time limit for sending a reply
	loadLimit   = time.Minute // time limit for loading the model, for example 2 GB from a cold disk
	aliveEvery  = rerank.Silence / 4
	maxDocs     = 50 // maximum of the setting rerank.pairs
	minimalIdle = time.Second
)

// Server is a running helper.
type Server struct {
	Config
	listener *net.UnixListener
	run      chan struct{} // holds a token, which a request takes while the model scores it
	stop     chan struct{}
	stopOnce sync.Once

	mu         sync.Mutex
	model      *Model
	failed     string
	loadMs     float64
	msPerToken float64
	lastUse    time.Time
	ranked     int
	refused    int
	lastReason string
}

// Run serves requests until ctx ends or the helper must exit. It fails with ErrRunning if another helper is running.
func Run(ctx context.Context, c Config) error {
	if err := c.Place.Make(c.UID); err != nil {
		return err
	}
	lock, err := disk.OpenLock(ctx, c.Place.Lock(), 0)
	if errors.Is(err, disk.ErrBusy) {
		return ErrRunning
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	s := &Server{Config: c, run: make(chan struct{}, 1), stop: make(chan struct{}), lastUse: time.Now()}
	s.run <- struct{}{}
	if err := s.listen(); err != nil {
		return err
	}
	defer c.Place.ClearSocket()
	defer s.listener.Close()
	failed := make(chan error, 1)
	go s.load(failed)
	go s.accept()
	tick := time.NewTicker(max(min(c.Idle/4, time.Minute), 10*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.stop:
			return nil
		case err := <-failed:
			return err
		case <-tick.C:
			if s.idle() {
				return nil
			}
		}
	}
}

// listen binds the socket. It replaces an existing socket file, which is stale because this process holds the lock.
func (s *Server) listen() error {
	file := s.Place.Socket()
	if err := s.Place.ClearSocket(); err != nil {
		return err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: file, Net: "unix"})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false) // Run removes the socket
	s.listener = l
	return os.Chmod(file, 0o600) // a precaution: other users cannot enter the folder
}

func (s *Server) load(failed chan<- error) {
	stuck := time.AfterFunc(loadLimit, s.Abort)
	m, err := s.Load()
	var perToken float64
	if err == nil {
		perToken, err = measure(m)
	}
	stuck.Stop()
	if err != nil {
		s.mu.Lock()
		s.failed = err.Error()
		s.mu.Unlock()
		_ = s.Place.SetAttempt(rerank.Attempt{Want: s.Want, Reason: err.Error()}) // best effort
		failed <- err
		return
	}
	s.mu.Lock()
	s.model, s.msPerToken = m, perToken
	s.loadMs = float64(time.Since(s.Start).Microseconds()) / 1000
	s.mu.Unlock()
	s.Place.ClearAttempt()
}

// measure runs two pairs twice and returns the time per token of the second run, in milliseconds.
func measure(m *Model) (float64, error) {
	const tokens = 64
	text := make([]int32, 0, tokens)
	for len(text) < tokens/2 {
		text = append(text, m.Tokenizer.Append(nil, "review the release notes and the tests")...)
	}
	half := (min(tokens, m.MaxTokens) - m.Tokenizer.Overhead()) / 2
	if half < 1 {
		return 0, fmt.Errorf("the model accepts only %d tokens, too few for a prompt and a skill together", m.MaxTokens)
	}
	row := m.Tokenizer.Join(text[:half], text[:half])
	rows := []tokenizer.Pair{row, row}
	var took time.Duration
	for range 2 {
		start := time.Now()
		scores, err := m.Score(rows)
		if err == nil {
			err = Finite(scores, len(rows))
		}
		if err != nil {
			return 0, fmt.Errorf("first run of the model: %w", err)
		}
		took = time.Since(start)
	}
	return max(took.Seconds()*1000/float64(2*len(row.IDs)), 1e-5), nil
}

func (s *Server) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.lastUse) > max(s.Idle, minimalIdle)
}

func (s *Server) leave() { s.stopOnce.Do(func() { close(s.stop) }) }

func (s *Server) accept() {
	free := make(chan struct{}, maxClients)
	for {
		conn, err := s.listener.AcceptUnix()
		if err != nil {
			s.leave()
			return
		}
		select {
		case free <- struct{}{}:
			go func() {
				defer func() { <-free }()
				defer conn.Close()
				s.answer(conn)
			}()
		default:
			conn.Close()
		}
	}
}

func (s *Server) answer(conn *net.UnixConn) {
	if uid, err := system.PeerUID(conn); err != nil || uid != s.UID {
		return
	}
	var req rerank.Request
	if conn.SetReadDeadline(time.Now().Add(readLimit)) != nil || rerank.Read(rerank.NewReader(conn), &req) != nil {
		return
	}
	out := &writer{conn: conn}
	switch {
	case req.Op == rerank.OpStatus:
		st := s.status()
		out.send(rerank.Reply{Kind: rerank.State, Status: &st})
	case req.Op == rerank.OpStop:
		out.send(rerank.Reply{Kind: rerank.State})
		s.leave()
	case req.V != rerank.Version:
		out.send(rerank.Reply{Kind: rerank.Refused, Reason: fmt.Sprintf(
			"the client uses protocol version %d, not %d; the helper exits", req.V, rerank.Version)})
		s.leave()
	case req.Want != s.Want:
		out.send(rerank.Reply{Kind: rerank.Refused, Reason: "the helper was started with other settings and now exits"})
		s.leave()
	case req.Op == rerank.OpRank:
		s.rank(req, out)
	default:
		out.send(rerank.Reply{Kind: rerank.Refused, Reason: fmt.Sprintf("unknown operation %q", req.Op)})
	}
}

func (s *Server) status() rerank.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := rerank.Status{
		PID: os.Getpid(), Version: s.Version, Want: s.Want, Ready: s.model != nil, LoadMs: s.loadMs,
		MsPerToken: s.msPerToken, RSS: s.RSS(), Uptime: time.Since(s.Start).Seconds(),
		Ranked: s.ranked, Refused: s.refused, LastReason: s.lastReason,
	}
	if s.model != nil {
		st.Model, st.Library, st.Runtime = s.model.Name, s.model.Library, s.model.Runtime
	}
	return st
}

type writer struct {
	mu   sync.Mutex
	conn *net.UnixConn
	gone bool // the client has disconnected
}

func (w *writer) send(r rerank.Reply) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return
	}
	r.V = rerank.Version
	w.gone = w.conn.SetWriteDeadline(time.Now().Add(writeLimit)) != nil || rerank.Write(w.conn, r) != nil
}

func (w *writer) left() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone
}
