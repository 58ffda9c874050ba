//go:build lent

package synonyms

import "github.com/skillgate/skillgate/synonyms/lent"

var embedded = lent.Table("synonyms/table.bin")
