package enrichment

import (
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
		const hint = `one {"id","ko","en","kw"} object a line, with an id that no other line has`
		return nil, app.Hint(err, hint)
	}
	return list, nil
}
