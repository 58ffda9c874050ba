// Package en is what the program knows of English besides its words.
package en

import (
	"github.com/skillgate/skillgate/lang/internal/def"
	"github.com/skillgate/skillgate/lang/script"
)

// Language is English.
var Language = def.Language{Code: "en", Name: "English", Script: script.Latin, Cased: true}
