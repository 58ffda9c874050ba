package serve

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
)

// Limits of the library endpoints.
const (
	maxOffers  = 5000 // skills in one list
	maxSent    = 64   // skills in one tar file
	maxSending = 64   // tar files sent at once, shared by all tenants
	maxShare   = 8    // tar files sent at once to one person
)

func (s *Service) library(w http.ResponseWriter, r *http.Request) {
	limit := maxOffers
	if text := r.URL.Query().Get("limit"); text != "" {
		var err error
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > maxOffers {
			s.answer(w, nil, fmt.Errorf("the limit is %.20q but must be between 1 and %d", text, maxOffers))
			return
		}
	}
	all, err := s.Replica.Library(r.Context(), whoOf(r.Context()), r.URL.Query().Get("after"), limit)
	page := struct {
		Skills []truth.Listed `json:"skills"`
		Next   string         `json:"next,omitempty"` // "after" of the next page, "" on the last page
	}{Skills: make([]truth.Listed, len(all))}
	for i, o := range all {
		page.Skills[i] = truth.Listed{Pool: o.Pool, Name: o.Name, Hash: o.Hash}
	}
	if len(all) == limit {
		page.Next = all[limit-1].Name
	}
	s.answer(w, page, err)
}

// send answers with a tar file in which the files of each skill are consecutive. Skills that are no longer offered are
// left out.
func (s *Service) send(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Skills []truth.Listed `json:"skills"`
	}
	err := decode(json.NewDecoder(r.Body), &in)
	if n := len(in.Skills); err == nil && (n == 0 || n > maxSent) {
		err = fmt.Errorf("the request names %d skills but must name between 1 and %d", n, maxSent)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	asker := r.Context().Value(askerContext{}).(*asker)
	defer asker.sending.Add(-1)
	if asker.sending.Add(1) > maxShare {
		s.answer(w, nil, errBusy)
		return
	}
	done, err := s.sending.take(whoOf(r.Context()).Tenant)
	if err != nil {
		s.answer(w, nil, err)
		return
	}
	defer done()
	// Sending all skills may take longer than the time limit of a request, so each skill has a separate limit.
	ctx := context.WithoutCancel(r.Context())
	out, begun := tar.NewWriter(w), false
	for _, asked := range in.Skills {
		o, err := s.offered(ctx, asked)
		if errors.Is(err, truth.ErrNotFound) {
			continue
		}
		if err != nil && !begun {
			s.answer(w, nil, err)
			return
		}
		if err == nil {
			begun = true
			err = put(w, out, o)
		}
		if err != nil {
			s.Log.Error("sending skills failed", "error", err)
			panic(http.ErrAbortHandler) // the client must not mistake a partial answer for a complete one
		}
	}
	_ = out.Close() // the client may be gone
}

// offered returns an offered skill after recording the load in the audit log.
func (s *Service) offered(ctx context.Context, asked truth.Listed) (truth.Offered, error) {
	ctx, cancel := s.within(ctx)
	defer cancel()
	who := whoOf(ctx)
	o, err := s.Replica.Offer(ctx, who, asked.Pool, asked.Name)
	if err != nil {
		return o, err
	}
	e := truth.Event{Tenant: who.Tenant, Actor: who.Subject, Action: "load", Detail: "sent to a client",
		Skills: []string{path.Join(o.Pool, o.Name, "SKILL.md")}}
	return o, s.journal.write(ctx, e)
}

// put sends a skill within a minute plus one second for each 64 KiB.
func put(w http.ResponseWriter, out *tar.Writer, o truth.Offered) error {
	files, size := append(o.Files, truth.File{Path: "SKILL.md", Content: o.Text}), 0
	for _, f := range files {
		size += len(f.Content)
	}
	late := time.Now().Add(time.Minute + time.Duration(size>>16)*time.Second)
	if err := http.NewResponseController(w).SetWriteDeadline(late); err != nil {
		return err
	}
	for _, f := range files {
		err := out.WriteHeader(&tar.Header{Name: path.Join(o.Name, f.Path), Mode: 0o600, Size: int64(len(f.Content))})
		if err == nil {
			_, err = out.Write(f.Content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
