// Package otlp sends decisions and uses from the journal to an OpenTelemetry collector, as log records over HTTP with
// Protocol Buffers.
//
// The journal is the queue: records that the collector did not accept are read again from there. Decisions are sent
// in order, each after its turn has ended or Options.Settle has passed, so that the record includes the outcome. Each
// record is sent at least once, with its id in log.record.uid for removing duplicates.
//
// Attribute names follow OpenTelemetry's semantic conventions where those have one. prompt.id and session.id are the
// host's, as in Claude Code's own telemetry.
package otlp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"
	resource "go.opentelemetry.io/proto/slim/otlp/resource/v1"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/regular"
)

// Event names of the log records.
const (
	EventDecision = "skillgate.decision"   // a decision with its outcome
	EventUse      = "skillgate.skill_used" // a skill was loaded, typed or read, or an agent was run
)

// Options configures Export.
type Options struct {
	To       Collector
	Prompts  string                     // privacy level of the sent prompts, see package journal
	Terms    func(text string) []string // returns the index terms of a text; needed if Prompts is journal.Terms
	Settle   time.Duration              // age at which a decision is sent even if its turn has not ended
	Resource map[string]string          // additional resource attributes, such as team
	Version  string                     // skillgate's version
	Now      func() time.Time
	Progress func(sent int) // called after each batch; may be nil
}

// Sent counts the results of an export.
type Sent struct {
	Decisions int   `json:"decisions"`
	Uses      int   `json:"uses"`
	Waiting   int   `json:"waiting"`  // decisions that were not sent yet
	Lost      int64 `json:"lost"`     // decisions that retention removed before they were sent
	Rejected  int64 `json:"rejected"` // records that the collector rejected
}

// Limits of one request, before compression.
const (
	maxRecords = 500
	maxBytes   = 2 << 20
)

var errBusy = errors.New("another export is running")

var errFull = errors.New("the batch is full")

// Export sends the records that have not been sent yet. After an error, the next call continues where this one stopped.
// db must have been folded. Errors from the collector are *Refused or wrap ErrUnreachable.
func Export(ctx context.Context, db *store.DB, o Options) (Sent, error) {
	var sum Sent
	lock, err := disk.OpenLock(ctx, filepath.Join(db.Dir(), "export.lock"), 0)
	if errors.Is(err, disk.ErrBusy) {
		return sum, errBusy
	}
	if err != nil {
		return sum, fmt.Errorf("export: %w", err)
	}
	defer lock.Close()
	at, err := readPosition(db.Dir(), o.To.Address, o.Now())
	if err != nil {
		return sum, err
	}
	lastDecision, lastUse, first, err := db.Ends(ctx)
	if err != nil {
		return sum, err
	}
	if lastDecision < at.Decision || lastUse < at.Use { // the journal was replaced
		at.Decision, at.Use = 0, 0
	}
	if first > at.Decision+1 && at.Decision > 0 {
		sum.Lost = first - at.Decision - 1
	}
	for _, part := range []struct {
		read func(context.Context, *store.DB, *position, Options) (batch, error)
		sent *int
	}{{decisions, &sum.Decisions}, {uses, &sum.Uses}} {
		for {
			b, err := part.read(ctx, db, &at, o)
			if err != nil {
				return sum, err
			}
			sum.Waiting = max(sum.Waiting, b.waiting)
			if len(b.records) == 0 {
				break
			}
			if err := b.send(ctx, db.Dir(), &at, o, &sum); err != nil {
				return sum, err
			}
			*part.sent += len(b.records)
			if o.Progress != nil {
				o.Progress(sum.Decisions + sum.Uses)
			}
		}
	}
	return sum, nil
}

type batch struct {
	records []*logs.LogRecord
	size    int
	next    position // position after the batch
	waiting int
}

func (b *batch) add(r *logs.LogRecord) error {
	b.records = append(b.records, r)
	b.size += proto.Size(r)
	if len(b.records) >= maxRecords || b.size >= maxBytes {
		return errFull
	}
	return nil
}

func (b *batch) send(ctx context.Context, dir string, at *position, o Options, sum *Sent) error {
	refused, err := o.deliver(ctx, b.records, at.Machine, sum)
	if err == nil && len(refused) == len(b.records) && len(refused) > 0 {
		err = refused[0] // nothing was accepted, so no single record is to blame
	}
	if err != nil {
		return err
	}
	sum.Rejected += int64(len(refused))
	*at = b.next
	return at.write(dir, o.To.Address)
}

// deliver sends records. If the collector refuses them, deliver sends the first half and then the second. refused has
// an error for each record that is refused on its own.
func (o *Options) deliver(ctx context.Context, records []*logs.LogRecord, machine string,
	sum *Sent) (refused []*Refused, err error) {
	rejected, err := o.To.send(ctx, &logs.LogsData{ResourceLogs: []*logs.ResourceLogs{{
		Resource: o.resource(machine),
		ScopeLogs: []*logs.ScopeLogs{{
			Scope:      &common.InstrumentationScope{Name: "github.com/skillgate/skillgate", Version: o.Version},
			LogRecords: records,
		}},
	}}})
	bad, ok := errors.AsType[*Refused](err)
	if !ok || bad.Code != http.StatusBadRequest && bad.Code != http.StatusRequestEntityTooLarge {
		sum.Rejected += rejected
		return nil, err
	}
	if len(records) == 1 {
		return []*Refused{bad}, nil
	}
	half := len(records) / 2
	first, err := o.deliver(ctx, records[:half], machine, sum)
	if err != nil {
		return nil, err
	}
	if len(first) == half && half > 8 { // when this many are refused, the collector is to blame, not the records
		return nil, bad
	}
	second, err := o.deliver(ctx, records[half:], machine, sum)
	return append(first, second...), err
}

func decisions(ctx context.Context, db *store.DB, at *position, o Options) (batch, error) {
	b := batch{next: *at}
	err := db.DecidedAfter(ctx, at.Decision, func(seq int64, e store.Entry) error {
		if b.waiting > 0 || !e.Over && o.Now().Sub(e.Time) < o.Settle {
			b.waiting++
			return nil
		}
		b.next.Decision = seq
		return b.add(o.decision(e, at.Machine))
	})
	if errors.Is(err, errFull) {
		err = nil
	}
	return b, err
}

func uses(ctx context.Context, db *store.DB, at *position, o Options) (batch, error) {
	b := batch{next: *at}
	err := db.UsedAfter(ctx, at.Use, func(seq int64, decision string, r journal.Record) error {
		if decision == "" && o.Now().Sub(r.Time) < o.Settle {
			return errFull // its decision may still be logged; later uses wait too, to keep the order
		}
		b.next.Use = seq
		return b.add(o.use(decision, r))
	})
	if errors.Is(err, errFull) {
		err = nil
	}
	return b, err
}

// decision returns the log record of a decision with its outcome. The body is the journal line, reduced to level
// o.Prompts. Paths are shortened by below, and projects are hashed.
func (o *Options) decision(e store.Entry, machine string) *logs.LogRecord {
	r := e.Record
	if o.Prompts == journal.Terms && r.Prompts == journal.Full {
		r.SetDecision(*r.Decision, journal.Terms, o.Terms(r.Decision.Prompt))
	} else if o.Prompts != journal.Full {
		r.Lower(o.Prompts)
	}
	d := *r.Decision
	r.Decision = &d
	if o.Prompts != journal.Full {
		d.Context, d.Notes = "", nil
	}
	project := hashed(machine, r.Cwd)
	r.Cwd, r.Transcript = "", ""
	d.Candidates = slices.Clone(d.Candidates)
	for i := range d.Candidates {
		d.Candidates[i].Path = below(d.Candidates[i].Path)
	}
	d.Index = slices.Clone(d.Index)
	for i := range d.Index {
		if d.Index[i].Root != "shared" {
			d.Index[i].Root = hashed(machine, d.Index[i].Root)
		}
	}
	turn := e.Turn()
	var named, states, kept []string
	for _, n := range turn.Named {
		named, states = append(named, n.Name), append(states, string(turn.Of(n)))
	}
	for _, c := range d.Candidates {
		if c.Kept {
			kept = append(kept, c.Name)
		}
	}
	a := attributes{}
	a.set("log.record.uid", r.ID)
	a.set("session.id", r.Session)
	a.set("prompt.id", r.PromptID)
	a.set("skillgate.source", r.Source)
	a.set("skillgate.client.version", r.Client)
	a.set("skillgate.project", project)
	a.set("skillgate.verdict", string(d.Verdict))
	a.set("skillgate.reason", string(d.Reason))
	a.set("skillgate.lang", d.Lang)
	a.set("skillgate.need", d.Need)
	a.set("skillgate.duration", d.Ms.Total/1000)
	a.set("skillgate.characters", d.Chars)
	a.set("skillgate.turn.over", e.Over)
	a.set("skillgate.followed", string(e.Followed))
	a.set("skillgate.named", named)
	a.set("skillgate.named.followed", states)
	a.set("skillgate.kept", kept)
	a.set("skillgate.used", turn.Used())
	a.set("skillgate.missed", e.Missed)
	a.set("skillgate.typed", turn.Typed())
	a.set("skillgate.prompts", r.Prompts)
	if d.Trial != nil {
		a.set("skillgate.experiment", d.Trial.Experiment)
	}
	return record(EventDecision, r, a)
}

func hashed(machine, folder string) string {
	if folder == "" {
		return ""
	}
	return journal.PromptHash(machine + folder)[:16]
}

func (o *Options) use(decision string, r journal.Record) *logs.LogRecord {
	u := *r.Outcome
	u.Path = below(u.Path)
	r.Outcome, r.Cwd, r.Transcript = &u, "", ""
	a := attributes{}
	a.set("log.record.uid", r.ID)
	a.set("session.id", r.Session)
	a.set("prompt.id", r.PromptID)
	a.set("skillgate.decision", decision)
	a.set("gen_ai.skill.name", u.Skill)
	a.set("skillgate.tool", u.Tool)
	a.set("skillgate.success", u.Success)
	return record(EventUse, r, a)
}

// below returns the part of a path that starts with its folder skills or agents, or else the last element.
func below(p string) string {
	if p == "" {
		return ""
	}
	p = filepath.ToSlash(p)
	for _, folder := range []string{"/skills/", "/agents/"} {
		if i := strings.LastIndex(p, folder); i >= 0 {
			return p[i+1:]
		}
	}
	return path.Base(p)
}

type attributes []*common.KeyValue

// set adds a string, []string, float64, int or bool. Empty strings and lists are omitted.
func (a *attributes) set(key string, value any) {
	v := &common.AnyValue{}
	switch value := value.(type) {
	case string:
		if value == "" {
			return
		}
		v = textValue(value)
	case []string:
		if len(value) == 0 {
			return
		}
		list := &common.ArrayValue{}
		for _, text := range value {
			list.Values = append(list.Values, textValue(text))
		}
		v.Value = &common.AnyValue_ArrayValue{ArrayValue: list}
	case float64:
		v.Value = &common.AnyValue_DoubleValue{DoubleValue: value}
	case int:
		v.Value = &common.AnyValue_IntValue{IntValue: int64(value)}
	case bool:
		v.Value = &common.AnyValue_BoolValue{BoolValue: value}
	}
	*a = append(*a, &common.KeyValue{Key: key, Value: v})
}

func textValue(s string) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: s}}
}

func record(event string, r journal.Record, a attributes) *logs.LogRecord {
	line, _ := json.Marshal(r) // cannot fail: r was read from JSON
	return &logs.LogRecord{
		EventName: event, TimeUnixNano: uint64(r.Time.UnixNano()), ObservedTimeUnixNano: uint64(r.Time.UnixNano()),
		SeverityNumber: logs.SeverityNumber_SEVERITY_NUMBER_INFO, SeverityText: "INFO",
		Attributes: a, Body: textValue(string(line)),
	}
}

func (o *Options) resource(machine string) *resource.Resource {
	a := attributes{}
	a.set("service.name", "skillgate")
	a.set("service.version", o.Version)
	a.set("service.instance.id", machine)
	for _, key := range slices.Sorted(maps.Keys(o.Resource)) {
		a.set(key, o.Resource[key])
	}
	return &resource.Resource{Attributes: a}
}

// positionFile, in the state folder, has a position for each collector.
const positionFile = "export.json"

const maxPosition = 16 << 20

type position struct {
	Machine  string `json:"machine"`  // random id of this machine, sent as service.instance.id
	Decision int64  `json:"decision"` // sequence number of the last decision that was sent
	Use      int64  `json:"use"`      // sequence number of the last use that was sent
}

func readPositions(dir string) (map[string]position, error) {
	all := map[string]position{}
	text, err := regular.Read(filepath.Join(dir, positionFile), maxPosition)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, positionFile), err)
	}
	return all, nil
}

func readPosition(dir, address string, now time.Time) (position, error) {
	all, err := readPositions(dir)
	if err != nil {
		return position{}, err
	}
	if p, ok := all[address]; ok {
		return p, nil
	}
	var p position
	for _, other := range all {
		p.Machine = other.Machine
	}
	if p.Machine == "" {
		p.Machine = journal.NewID(now)
	}
	return p, err
}

func (p *position) write(dir, address string) error {
	all, err := readPositions(dir)
	if err != nil {
		return err
	}
	all[address] = *p
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return disk.Keep(filepath.Join(dir, positionFile), disk.State, append(text, '\n'), disk.Options{Sync: true})
}
