//go:build !cgo

package store

import (
	"database/sql"
	"errors"

	"modernc.org/sqlite"
)

// This file registers the Go driver under the name of the C driver. Both understand the options that store.go sets.
func init() { sql.Register("sqlite3", new(sqlite.Driver)) }

func codeOf(err error) (code int, ok bool) {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return 0, false
	}
	return se.Code(), true
}
