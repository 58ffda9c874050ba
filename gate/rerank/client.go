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

// Silence is the time without a reply after which a helper counts as dead, and the timeout for connecting. The
// guarantee that a hook loses at most 25 ms depends on it.
const Silence = 20 * time.Millisecond

// margin is the part of the time limit that is reserved for the reply and for blending.
const margin = 3 * time.Millisecond

// Client sends requests to the helper at one socket.
type Client struct {
	Place Place
	Want  string // configuration that the helper must have; see Config.Want
	UID   int    // user to whom the helper must belong

	Silence time.Duration // if not 0, replaces the constant Silence
}

// Rerank scores docs against query before ctx's deadline, or within one second if ctx has none. It may score only the
// first docs. Its errors state the reason in one line and wrap ErrNoHelper if no helper is listening.
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
			return Result{}, fmt.Errorf("the rerank helper sent the unexpected reply %q", reply.Kind)
		}
	}
}

func (c *Client) silence() time.Duration {
	if c.Silence > 0 {
		return c.Silence
	}
	return Silence
}

// Status returns the status of the running helper, whatever its configuration. limit is the timeout.
func (c *Client) Status(limit time.Duration) (Status, error) {
	reply, err := c.ask(OpStatus, limit)
	if err != nil {
		return Status{}, err
	}
	if reply.Status == nil {
		return Status{}, errors.New("the rerank helper sent no status")
	}
	return *reply.Status, nil
}

// Stop makes the helper exit and waits until it has removed its socket, at most for limit.
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
	return fmt.Errorf("the rerank helper is still running after %v", limit)
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

// dial connects to the helper's socket. It needs no timeout, because a local socket accepts or refuses at once. Unlike
// net.Dial, it does not link the host name resolver into the program.
func (p Place) dial() (*net.UnixConn, error) {
	return net.DialUnix("unix", nil, &net.UnixAddr{Name: p.Socket(), Net: "unix"})
}

// send connects to the helper, checks that it belongs to user c.UID, and sends req, all before until.
func (c *Client) send(req Request, until time.Time) (*net.UnixConn, error) {
	conn, err := c.Place.dial()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOTSOCK):
		return nil, c.absent()
	case timedOut(err):
		return nil, c.late()
	case err != nil:
		return nil, fmt.Errorf("reach the rerank helper: %w", err)
	}
	uid, err := system.PeerUID(conn)
	if err == nil && uid != c.UID {
		err = fmt.Errorf("socket %s belongs to user %d but must belong to user %d", c.Place.Socket(), uid, c.UID)
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
		return nil, fmt.Errorf("reach the rerank helper: %w", err)
	}
	return conn, nil
}

func timedOut(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

func (c *Client) late() error {
	return fmt.Errorf("the rerank helper sent no reply within %v", c.silence())
}

// absent returns an error that wraps ErrNoHelper. If known, it gives the reason: why no helper can listen, or why the
// last start failed.
func (c *Client) absent() error {
	if err := c.Place.Check(c.UID); err != nil {
		return fmt.Errorf("%w: %w", ErrNoHelper, err)
	}
	if a, _, ok := c.Place.LastAttempt(c.Want); ok {
		return fmt.Errorf("%w: %s", ErrNoHelper, clip.Bytes(a.Reason, 300))
	}
	return ErrNoHelper
}

func (c *Client) receive(conn *net.UnixConn, r *bufio.Reader, deadline time.Time) (Reply, error) {
	until, late := time.Now().Add(c.silence()), c.late()
	if deadline.Before(until) {
		until, late = deadline, errors.New("the rerank helper did not reply before the deadline")
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
		return reply, errors.New("the rerank helper closed the connection")
	case err != nil:
		return reply, fmt.Errorf("rerank helper: %w", err)
	case reply.Kind == Refused:
		return reply, fmt.Errorf("the rerank helper refused the request: %s", clip.Bytes(reply.Reason, 300))
	case reply.V != Version:
		return reply, fmt.Errorf("the rerank helper uses protocol version %d instead of %d", reply.V, Version)
	}
	return reply, nil
}

func check(reply Reply, docs int) (Result, error) {
	if len(reply.Scores) < 2 || len(reply.Scores) > docs {
		return Result{}, fmt.Errorf("the rerank helper sent %d scores for %d documents", len(reply.Scores), docs)
	}
	for _, s := range append(reply.Scores, reply.Scale) {
		if math.IsNaN(s) || math.Abs(s) > 1e9 {
			return Result{}, fmt.Errorf("the rerank helper sent the invalid score %v", s)
		}
	}
	return Result{Scores: reply.Scores, Scale: reply.Scale}, nil
}
