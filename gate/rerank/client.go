package rerank

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/system"
)

// Silence is how long a helper may say nothing before it counts as dead, and the
// budget for reaching it. The hook's promise of 25 ms hangs on it.
const Silence = 20 * time.Millisecond

// margin is kept of the budget for the way back and the blending.
const margin = 3 * time.Millisecond

// Client talks to the helper on one socket.
type Client struct {
	Place Place
	Want  string // settings the helper must have, see Config.Want
	UID   int    // of the user whose helper is trusted

	Silence time.Duration // after which a helper counts as dead; 0: the constant Silence
}

// Rerank scores docs against query within ctx's deadline; without one, within a
// second. It may score only the first few. Errors wrap ErrNoHelper where nobody
// listens, and name in one line why there is no score.
func (c *Client) Rerank(ctx context.Context, query string, docs []Doc) (Result, error) {
	if len(docs) < 2 {
		return Result{}, nil
	}
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(time.Second)
	}
	budget := time.Until(deadline) - margin
	if budget <= 0 || ctx.Err() != nil {
		return Result{}, errors.New("no time left to rerank")
	}
	req := Request{Op: OpRank, BudgetMs: float64(budget.Microseconds()) / 1000, Query: clip.Bytes(query, maxQuery),
		Docs: make([]Doc, len(docs))}
	for i, d := range docs {
		req.Docs[i] = Doc{Name: clip.Bytes(d.Name, maxText), Description: clip.Bytes(d.Description, maxText),
			Contract: clip.Bytes(d.Contract, maxText), Passage: clip.Bytes(d.Passage, maxText)}
	}
	reach := time.Now().Add(c.silence())
	if deadline.Before(reach) {
		reach = deadline
	}
	conn, err := c.send(req, reach)
	if err != nil {
		return Result{}, err
	}
	defer conn.Close()
	r := NewReader(conn)
	for {
		reply, err := c.receive(conn, r, deadline)
		if err != nil {
			return Result{}, err
		}
		switch reply.Kind {
		case Accepted, Alive:
		case Scores:
			return check(reply, len(docs))
		default:
			return Result{}, fmt.Errorf("rerank helper sent %q", reply.Kind)
		}
	}
}

func (c *Client) silence() time.Duration {
	if c.Silence > 0 {
		return c.Silence
	}
	return Silence
}

// Status asks a helper about itself, whatever settings it has.
func (c *Client) Status(limit time.Duration) (Status, error) {
	reply, err := c.ask(OpStatus, limit)
	if err != nil {
		return Status{}, err
	}
	if reply.Status == nil {
		return Status{}, errors.New("rerank helper sent no status")
	}
	return *reply.Status, nil
}

// Stop makes a helper leave and returns once it has closed its socket.
func (c *Client) Stop(limit time.Duration) error {
	_, err := c.ask(OpStop, limit)
	if err != nil {
		return err
	}
	for until := time.Now().Add(limit); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Lstat(c.Place.Socket()); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return fmt.Errorf("rerank helper still there after %v", limit)
}

func (c *Client) ask(op string, limit time.Duration) (Reply, error) {
	deadline := time.Now().Add(limit)
	conn, err := c.send(Request{Op: op}, deadline)
	if err != nil {
		return Reply{}, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(deadline); err != nil {
		return Reply{}, err
	}
	var reply Reply
	if err := Read(NewReader(conn), &reply); err != nil {
		return Reply{}, fmt.Errorf("rerank helper: %w", err)
	}
	return reply, nil
}

// dial never waits: a local socket accepts at once or not at all. Unlike net.Dial, it links no resolver of host
// names into the program.
func (p Place) dial() (*net.UnixConn, error) {
	return net.DialUnix("unix", nil, &net.UnixAddr{Name: p.Socket(), Net: "unix"})
}

// send connects, makes sure that the helper is this user's, and sends req, all
// until the given time.
func (c *Client) send(req Request, until time.Time) (*net.UnixConn, error) {
	conn, err := c.Place.dial()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOTSOCK):
		return nil, c.absent()
	case timedOut(err):
		return nil, c.late()
	case err != nil:
		return nil, fmt.Errorf("reach rerank helper: %w", err)
	}
	uid, err := system.PeerUID(conn)
	if err == nil && uid != c.UID {
		err = fmt.Errorf("socket %s belongs to user %d, want %d", c.Place.Socket(), uid, c.UID)
	}
	if err == nil {
		err = conn.SetDeadline(until)
	}
	if err == nil {
		req.V, req.Want = Version, c.Want
		err = Write(conn, req)
	}
	if err != nil {
		conn.Close()
		if timedOut(err) {
			return nil, c.late()
		}
		return nil, fmt.Errorf("reach rerank helper: %w", err)
	}
	return conn, nil
}

func timedOut(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

func (c *Client) late() error { return fmt.Errorf("rerank helper silent for %v", c.silence()) }

// absent is ErrNoHelper with the reason why none can listen, or why the last one did
// not start, if any.
func (c *Client) absent() error {
	if err := c.Place.Check(c.UID); err != nil {
		return fmt.Errorf("%w: %w", ErrNoHelper, err)
	}
	if a, _, ok := c.Place.LastAttempt(c.Want); ok {
		return fmt.Errorf("%w: %s", ErrNoHelper, clip.Bytes(a.Reason, 300))
	}
	return ErrNoHelper
}

// receive reads one reply, for which the helper has Silence.
func (c *Client) receive(conn *net.UnixConn, r *bufio.Reader, deadline time.Time) (Reply, error) {
	until, late := time.Now().Add(c.silence()), c.late()
	if deadline.Before(until) {
		until, late = deadline, errors.New("rerank helper too slow for the deadline")
	}
	var reply Reply
	err := conn.SetDeadline(until)
	if err == nil {
		err = Read(r, &reply)
	}
	switch {
	case timedOut(err):
		return reply, late
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return reply, errors.New("rerank helper went away")
	case err != nil:
		return reply, fmt.Errorf("rerank helper: %w", err)
	case reply.Kind == Refused:
		return reply, fmt.Errorf("rerank helper refused: %s", clip.Bytes(reply.Reason, 300))
	case reply.V != Version:
		return reply, fmt.Errorf("rerank helper speaks version %d, want %d", reply.V, Version)
	}
	return reply, nil
}

func check(reply Reply, docs int) (Result, error) {
	if len(reply.Scores) < 2 || len(reply.Scores) > docs {
		return Result{}, fmt.Errorf("rerank helper sent %d scores for %d documents", len(reply.Scores), docs)
	}
	for _, s := range append(reply.Scores, reply.Scale) {
		if math.IsNaN(s) || math.Abs(s) > 1e9 {
			return Result{}, fmt.Errorf("rerank helper sent the score %v", s)
		}
	}
	return Result{Scores: reply.Scores, Scale: reply.Scale}, nil
}
