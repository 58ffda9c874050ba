package central

import (
	"testing"

	"google.golang.org/protobuf/proto"

	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	logs "go.opentelemetry.io/proto/slim/otlp/logs/v1"

	"github.com/skillgate/skillgate/gate/journal/otlp"
)

func value(s string) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: s}}
}

func record(id string, at uint64) *logs.LogRecord {
	return &logs.LogRecord{EventName: otlp.EventDecision, TimeUnixNano: at,
		Attributes: []*common.KeyValue{{Key: "log.record.uid", Value: value(id)}}}
}

// FuzzRead reads any request.
func FuzzRead(f *testing.F) {
	seed, err := proto.Marshal(&logs.LogsData{ResourceLogs: []*logs.ResourceLogs{{ScopeLogs: []*logs.ScopeLogs{{
		LogRecords: []*logs.LogRecord{record("1", uint64(now.UnixNano()))}}}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, text []byte) {
		var m logs.LogsData
		if proto.Unmarshal(text, &m) != nil {
			return
		}
		records, _ := Read(&m, now)
		for _, d := range records.Decisions {
			if d.ID == "" || d.Time.Before(earliest) || clean(d.Line) != d.Line {
				t.Errorf("kept %+v", d)
			}
		}
	})
}
