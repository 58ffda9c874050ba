package gate

const (
	DefaultScoreMin = 6
	DefaultNeedMin  = 0.5
)
