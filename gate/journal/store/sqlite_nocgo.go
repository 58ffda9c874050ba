//go:build !cgo

package store

import (
	"database/sql"
	"errors"

	"modernc.org/sqlite"
)

// Registers SQLite in Go under the name of the driver for SQLite in C. Both understand the same options.
func init() { sql.Register("sqlite3", new(sqlite.Driver)) }

func codeOf(err error) (code int, ok bool) {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return 0, false
	}
	return se.Code(), true
}
