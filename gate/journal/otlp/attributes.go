package otlp

import (
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
)

// attributes are of a record, a point or a resource. Empty values are left out.
type attributes []*common.KeyValue

func (a *attributes) set(key string, value *common.AnyValue) {
	*a = append(*a, &common.KeyValue{Key: key, Value: value})
}

func (a *attributes) text(key, value string) {
	if value != "" {
		a.set(key, textValue(value))
	}
}

func (a *attributes) texts(key string, values []string) {
	if len(values) == 0 {
		return
	}
	list := &common.ArrayValue{}
	for _, v := range values {
		list.Values = append(list.Values, textValue(v))
	}
	a.set(key, &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: list}})
}

func (a *attributes) number(key string, value float64) {
	a.set(key, &common.AnyValue{Value: &common.AnyValue_DoubleValue{DoubleValue: value}})
}

func (a *attributes) count(key string, value int) {
	a.set(key, &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: int64(value)}})
}

func (a *attributes) truth(key string, value bool) {
	a.set(key, &common.AnyValue{Value: &common.AnyValue_BoolValue{BoolValue: value}})
}

func textValue(s string) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: s}}
}
