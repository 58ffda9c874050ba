//go:build !lent

package vocab

import _ "embed"

//go:embed table.bin
var table string
