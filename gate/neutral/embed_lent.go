//go:build lent

package neutral

import "github.com/skillgate/skillgate/synonyms/lent"

var (
	table = lent.Table("gate/neutral/orders.bin")
	model = lent.Table("gate/neutral/orders.model")
)
