//go:build !lent

package synonyms

import _ "embed"

//go:embed table.bin
var embedded string
