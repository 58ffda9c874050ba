//go:build !cgo

package store

import (
	"database/sql"
	"errors"

	"modernc.org/sqlite"
)

// SQLite in Go takes the place, the name and the options of the one in C.
func init() { sql.Register("sqlite3", new(sqlite.Driver)) }

func codeOf(err error) (code int, ok bool) {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return 0, false
	}
	return se.Code(), true
}
