package serve

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
)

// Bounds of what machines are sent.
const (
	maxOffers  = 5000 // skills that one answer lists
	maxSent    = 64   // skills that one answer has
	maxSending = 64   // answers with skills at once, divided among tenants: each lasts for as long as the machine reads
	maxShare   = 8    // of these, for one who asks: slow machines of one person do not keep all others waiting
)

func (s *Service) library(w http.ResponseWriter, r *http.Request) {
	most, err := limitOf(r.URL.Query(), maxOffers)
	if err != nil {
		s.answer(w, nil, err)
		return
	}
	all, err := s.Replica.Library(r.Context(), whoOf(r.Context()), r.URL.Query().Get("after"), most)
	page := struct {
		Skills []truth.Listed `json:"skills"`
		Next   string         `json:"next,omitempty"` // after of the page behind this one; "": this is the last
	}{Skills: make([]truth.Listed, len(all))}
	for i, o := range all {
		page.Skills[i] = truth.Listed{Pool: o.Pool, Name: o.Name, Hash: o.Hash}
	}
	if len(all) == most {
		page.Next = all[most-1].Name
	}
	s.answer(w, page, err)
}

// send sends skills as a tar file, the files of each behind each other. What is not offered any
// longer is left out.
func (s *Service) send(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Skills []truth.Listed `json:"skills"`
	}
	err := decode(json.NewDecoder(r.Body), &in)
	if n := len(in.Skills); err == nil && (n == 0 || n > maxSent) {
		err = fmt.Errorf("%d skills, want 1 to %d", n, maxSent)
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
	// A machine reads for longer than a request may otherwise take: the limits are of each skill.
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
			s.Log.Error("skills were not sent", "error", err)
			panic(http.ErrAbortHandler) // who asked must not take it for all of them
		}
	}
	_ = out.Close() // who does not read on needs no end
}

// offered returns a skill that is to be sent, once the audit says so.
func (s *Service) offered(ctx context.Context, asked truth.Listed) (truth.Offered, error) {
	ctx, cancel := s.within(ctx)
	defer cancel()
	who := whoOf(ctx)
	o, err := s.Replica.Offer(ctx, who, asked.Pool, asked.Name)
	if err != nil {
		return o, err
	}
	e := truth.Event{Tenant: who.Tenant, Actor: who.Subject, Action: "load", Detail: "to a machine",
		Skills: []string{path.Join(o.Pool, o.Name, "SKILL.md")}}
	return o, s.journal.add(ctx, e, true)
}

// put sends a skill. Who asked has a minute for it, and a second for each 64 KiB.
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
