package central

import (
	"time"

	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"

	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/journal/otlp"
)

// Records are what one request brought.
type Records struct {
	Decisions []Decision
	Uses      []Use
}

// Origin says of which machine and turn a record is.
type Origin struct {
	ID                     string
	Time                   time.Time
	Machine, Team, Version string
	Session, PromptID      string
	Line                   string
}

// Decision is a row of skillgate.decision.
type Decision struct {
	Origin
	Source, Project, Verdict, Reason, Lang          string
	Need, Seconds                                   float64
	Characters                                      int64
	Over                                            bool
	Followed                                        string
	Named, NamedFollowed, Kept, Used, Missed, Typed []string
	Experiment                                      string
}

// Use is a row of skillgate.use.
type Use struct {
	Origin
	Decision, Skill, Tool string
	Success               bool
}

// earliest and the time of arrival bound what is taken for a time: partitions are made of it.
var earliest = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// Bounds of a name and of an id, in bytes.
const (
	maxText = 4096
	maxID   = 256
)

// Read takes skillgate's records from a request. Those of others are passed over; rejected
// counts those of skillgate that have no id, no sensible time, or texts that PostgreSQL
// cannot hold.
func Read(m *logs.LogsData, now time.Time) (out Records, rejected int) {
	for _, of := range m.GetResourceLogs() {
		resource := values(of.GetResource().GetAttributes())
		for _, scoped := range of.GetScopeLogs() {
			for _, r := range scoped.GetLogRecords() {
				a := values(r.GetAttributes())
				o := Origin{
					ID: a.text("log.record.uid"), Time: time.Unix(0, int64(r.GetTimeUnixNano())).UTC(),
					Machine: resource.text("service.instance.id"), Team: resource.text("team"),
					Version: resource.text("service.version"),
					Session: a.text("session.id"), PromptID: a.text("prompt.id"), Line: clean(r.GetBody().GetStringValue()),
				}
				if name := r.GetEventName(); name != otlp.EventDecision && name != otlp.EventUse {
					continue
				}
				if o.ID == "" || len(o.ID) > maxID || o.Time.Before(earliest) || o.Time.After(now.AddDate(0, 0, 2)) {
					rejected++
					continue
				}
				if r.GetEventName() == otlp.EventUse {
					out.Uses = append(out.Uses,
						Use{Origin: o, Decision: a.text("skillgate.decision"), Skill: a.text("gen_ai.skill.name"),
							Tool: a.text("skillgate.tool"), Success: a["skillgate.success"].GetBoolValue()})
					continue
				}
				out.Decisions = append(out.Decisions, Decision{
					Origin: o, Source: a.text("skillgate.source"), Project: a.text("skillgate.project"),
					Verdict: a.text("skillgate.verdict"), Reason: a.text("skillgate.reason"), Lang: a.text("skillgate.lang"),
					Need: a["skillgate.need"].GetDoubleValue(), Seconds: a["skillgate.duration"].GetDoubleValue(),
					Characters: max(0, min(a["skillgate.characters"].GetIntValue(), 1<<30)),
					Over:       a["skillgate.turn.over"].GetBoolValue(),
					Followed:   a.text("skillgate.followed"), Named: a.texts("skillgate.named"),
					NamedFollowed: a.texts("skillgate.named.followed"), Kept: a.texts("skillgate.kept"),
					Used:   a.texts("skillgate.used"),
					Missed: a.texts("skillgate.missed"), Typed: a.texts("skillgate.typed"), Experiment: a.text("skillgate.experiment"),
				})
			}
		}
	}
	return out, rejected
}

// attributes of a record or resource by key; a missing one has no value.
type attributes map[string]*common.AnyValue

func values(list []*common.KeyValue) attributes {
	a := attributes{}
	for _, kv := range list {
		a[kv.GetKey()] = kv.GetValue()
	}
	return a
}

func (a attributes) text(key string) string {
	s := clean(a[key].GetStringValue())
	return clip.Bytes(s, maxText)
}

func (a attributes) texts(key string) []string {
	out := []string{}
	for _, v := range a[key].GetArrayValue().GetValues() {
		s := clean(v.GetStringValue())
		out = append(out, clip.Bytes(s, maxText))
	}
	return out
}
