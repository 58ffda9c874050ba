package otlp

import (
	"slices"
	"strings"
	"time"

	metrics "go.opentelemetry.io/proto/slim/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/slim/otlp/resource/v1"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// totals count what was sent since the first export. Keys of the maps are the values
// of a metric's attributes, joined by sep.
type totals struct {
	Decisions map[string]uint64 `json:"decisions"` // verdict, lang
	Hints     map[string]uint64 `json:"hints"`     // what came of prompts that named something
	Uses      map[string]uint64 `json:"uses"`      // skill, tool
	Seconds   float64           `json:"seconds"`   // that decisions took, together
	Buckets   []uint64          `json:"buckets"`   // decisions by the time they took, see bounds
}

const sep = "\x1f"

// most is how many skills have points of their own; the others share one.
const most = 2000

// bounds of the histogram of decisions' times, in seconds.
var bounds = []float64{0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5}

func (t *totals) decided(e *store.Entry) {
	add(&t.Decisions, string(e.Decision.Verdict)+sep+e.Decision.Lang)
	if e.Followed != "" {
		add(&t.Hints, string(e.Followed))
	}
	took := e.Decision.Ms.Total / 1000
	t.Seconds += took
	if len(t.Buckets) != len(bounds)+1 {
		t.Buckets = make([]uint64, len(bounds)+1)
	}
	i, _ := slices.BinarySearch(bounds, took) // a bound belongs to the bucket below it
	t.Buckets[i]++
}

func (t *totals) used(u *journal.Outcome) {
	if !u.Success {
		return
	}
	key := u.Skill + sep + u.Tool
	if _, ok := t.Uses[key]; !ok && len(t.Uses) >= most {
		key = "other" + sep + u.Tool
	}
	add(&t.Uses, key)
}

func add(m *map[string]uint64, key string) {
	if *m == nil {
		*m = map[string]uint64{}
	}
	(*m)[key]++
}

// message is the totals as metrics.
func (t *totals) message(of *resource.Resource, start, now time.Time) *metrics.MetricsData {
	from, to := uint64(start.UnixNano()), uint64(now.UnixNano())
	sum := func(name, unit, about string, counts map[string]uint64, names ...string) *metrics.Metric {
		var points []*metrics.NumberDataPoint
		for _, key := range slices.Sorted(keys(counts)) {
			a := attributes{}
			for i, value := range strings.SplitN(key, sep, len(names)) {
				a.text(names[i], value)
			}
			points = append(points, &metrics.NumberDataPoint{Attributes: a, StartTimeUnixNano: from, TimeUnixNano: to,
				Value: &metrics.NumberDataPoint_AsInt{AsInt: int64(counts[key])}})
		}
		return &metrics.Metric{Name: name, Unit: unit, Description: about, Data: &metrics.Metric_Sum{Sum: &metrics.Sum{
			AggregationTemporality: metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE,
			IsMonotonic:            true, DataPoints: points}}}
	}
	var count uint64
	for _, n := range t.Buckets {
		count += n
	}
	durations := &metrics.HistogramDataPoint{StartTimeUnixNano: from, TimeUnixNano: to, Count: count, Sum: &t.Seconds,
		BucketCounts: t.Buckets, ExplicitBounds: bounds}
	return &metrics.MetricsData{ResourceMetrics: []*metrics.ResourceMetrics{{
		Resource: of,
		ScopeMetrics: []*metrics.ScopeMetrics{{Scope: scope(""), Metrics: []*metrics.Metric{
			sum("skillgate.decisions", "{decision}", "Prompts decided about", t.Decisions, "skillgate.verdict",
				"skillgate.lang"),
			sum("skillgate.hints", "{prompt}", "Prompts that named a skill, by what came of it", t.Hints, "skillgate.followed"),
			sum("skillgate.skill.uses", "{use}", "Skills and agents used", t.Uses, "gen_ai.skill.name", "skillgate.tool"),
			{Name: "skillgate.decision.duration", Unit: "s", Description: "Time a decision took",
				Data: &metrics.Metric_Histogram{Histogram: &metrics.Histogram{
					AggregationTemporality: metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE,
					DataPoints:             []*metrics.HistogramDataPoint{durations}}}},
		}}},
	}}}
}
