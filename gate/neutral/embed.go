//go:build !lent

package neutral

import _ "embed"

var (
	//go:embed orders.bin
	table string
	//go:embed orders.model
	model string
)
