// Package postgres opens a database and makes a schema in it. Which version of its tables a schema
// holds is its comment.
package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Schema is a set of tables.
type Schema struct {
	Name    string // of the schema that holds them
	Version string // changes with the SQL; no quotes
	SQL     string // makes them in a database without the schema
}

// ErrVersion says that the tables are of another version of the program.
var ErrVersion = errors.New("the tables in the database are those of another version of skillgate-org")

// lock is the key of the advisory lock under which tables are made.
const lock = 0x736b6774

// Lock takes the advisory lock under which tables are made, until the transaction ends.
func Lock(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, lock)
	return err
}

// Open connects to the database at that address (a URL or key=value pairs, as libpq reads them)
// and makes the schema where there is none. Names in queries are of that schema.
func Open(ctx context.Context, address string, s Schema) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.RuntimeParams["search_path"] = s.Name
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

func (s Schema) migrate(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := Lock(ctx, tx); err != nil {
			return err
		}
		var is *string
		err := tx.QueryRow(ctx, `SELECT obj_description(oid) FROM pg_namespace WHERE nspname = $1`, s.Name).Scan(&is)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			_, err = tx.Exec(ctx, fmt.Sprintf(`%s; COMMENT ON SCHEMA %s IS '%s'`, s.SQL, s.Name, s.Version))
			return err
		case err != nil:
			return err
		case is == nil:
			return fmt.Errorf("%w: schema %s does not say which", ErrVersion, s.Name)
		case *is != s.Version:
			return fmt.Errorf("%w: %.100q, this one has %q", ErrVersion, *is, s.Version)
		}
		return nil
	})
}
