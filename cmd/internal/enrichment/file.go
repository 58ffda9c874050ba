package enrichment

import (
	"errors"
	"io/fs"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/enrich"
)

// Read reads a file of expansions, "" for none.
func Read(file string) ([]enrich.Expansion, error) {
	if file == "" {
		return nil, nil
	}
	list, err := enrich.ReadFile(file)
	if err != nil {
		return nil, Error(err)
	}
	return list, nil
}

// Error adds what a file of expansions looks like.
func Error(err error) error {
	hint := `one {"id","ko","en","kw"} object a line, with an id that no other line has`
	if errors.Is(err, fs.ErrNotExist) {
		hint = "`skillgate enrich export` writes such a file"
	}
	return app.Hint(err, hint)
}
