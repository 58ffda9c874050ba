//go:build !lent

package meaning

import _ "embed"

//go:embed table.bin
var embedded string
