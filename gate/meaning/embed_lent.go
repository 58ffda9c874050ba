//go:build lent

package meaning

import "github.com/skillgate/skillgate/synonyms/lent"

var embedded = lent.Table("gate/meaning/table.bin")
