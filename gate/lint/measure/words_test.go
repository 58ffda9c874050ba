package measure

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/gate/index"
)

func TestDescribeNamesNoEmptyWord(t *testing.T) {
	assert.Equal(t, "its meaning", (&Prober{}).describe(part{field: index.Meaning, score: 1}))
}
