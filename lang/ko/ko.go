// Package ko is what the program knows of Korean besides its words.
package ko

import (
	"github.com/skillgate/skillgate/lang/internal/def"
	"github.com/skillgate/skillgate/lang/script"
)

// Language is Korean.
var Language = def.Language{Code: "ko", Name: "Korean", Script: script.Hangul}
