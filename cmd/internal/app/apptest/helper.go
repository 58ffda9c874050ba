package apptest

import (
	"net"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rerank"
)

// FakeHelper answers in the place of skillgate-rerank and keeps what it is asked.
type FakeHelper struct {
	mu     sync.Mutex
	status rerank.Status
	asked  []rerank.Request
}

// StartHelper listens where the helper of p's user would.
func StartHelper(t testing.TB, p *Home, s gate.Settings, status rerank.Status) *FakeHelper {
	t.Helper()
	d, err := p.Places()
	require.NoError(t, err)
	c := p.Helper(d, s).Config()
	require.NoError(t, c.Place.Make(os.Getuid()))
	l, err := net.Listen("unix", c.Place.Socket())
	require.NoError(t, err)
	t.Cleanup(func() { l.Close(); os.RemoveAll(c.Place.Dir) })
	h := &FakeHelper{status: status}
	h.status.Want = c.Want()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			h.answer(conn)
		}
	}()
	return h
}

func (h *FakeHelper) answer(conn net.Conn) {
	defer conn.Close()
	var req rerank.Request
	if rerank.Read(rerank.NewReader(conn), &req) != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	reply := rerank.Reply{V: rerank.Version, Kind: rerank.State, Status: &h.status}
	if req.Op == rerank.OpRank {
		h.asked = append(h.asked, req)
		reply = rerank.Reply{V: rerank.Version, Kind: rerank.Scores, Scale: 1}
		for i := range req.Docs {
			reply.Scores = append(reply.Scores, float64(i))
		}
	}
	_ = rerank.Write(conn, reply) // the client may have left
}

// Take returns what the helper was asked since the last call.
func (h *FakeHelper) Take() []rerank.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

// A skill reads the same to a model whether it is a folder or a line of a file.
