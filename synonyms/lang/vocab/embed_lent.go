//go:build lent

package vocab

import "github.com/skillgate/skillgate/synonyms/lent"

var table = lent.Table("synonyms/lang/vocab/table.bin")
