package main

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type stream struct {
	t        *testing.T
	in       io.WriteCloser
	messages chan map[string]any
}

func (m *machine) stream(t *testing.T, args ...string) *stream {
	t.Helper()
	cmd := m.command(m.claude.path, append([]string{"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"}, args...)...)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	s := &stream{t, in, make(chan map[string]any, 10_000)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(s.messages)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var message map[string]any
			if json.Unmarshal(lines.Bytes(), &message) == nil {
				s.messages <- message
			}
		}
	}()
	t.Cleanup(func() {
		in.Close()
		<-read
		assert.NoError(t, cmd.Wait())
	})
	return s
}

func (s *stream) send(content any) {
	s.t.Helper()
	line, err := json.Marshal(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": content}})
	require.NoError(s.t, err)
	_, err = s.in.Write(append(line, '\n'))
	require.NoError(s.t, err)
}

func (s *stream) until(kind string) map[string]any {
	s.t.Helper()
	var seen []string
	for end := time.After(4 * time.Minute); ; {
		select {
		case message, ok := <-s.messages:
			require.True(s.t, ok, "the client ended after messages of the types %s, want %s", strings.Join(seen, ", "), kind)
			if message["type"] == kind {
				return message
			}
			seen = append(seen, message["type"].(string))
		case <-end:
			s.t.Fatalf("the client sent messages of the types %s, want %s", strings.Join(seen, ", "), kind)
		}
	}
}
