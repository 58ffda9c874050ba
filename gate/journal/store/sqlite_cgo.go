//go:build cgo

package store

import (
	"errors"

	"github.com/mattn/go-sqlite3"
)

func codeOf(err error) (code int, ok bool) {
	var se sqlite3.Error
	ok = errors.As(err, &se)
	return int(se.Code), ok
}
