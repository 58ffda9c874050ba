package truth

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed schema.sql
var schema string

const (
	schemaName    = "skillgate_registry"
	schemaVersion = "skillgate registry 1" // is the schema's comment and changes with schema.sql
	partitions    = 8                      // of each table, by a hash of the tenant
	lock          = 0x736b6774             // key of the advisory lock under which tables are made
)

// ErrVersion says that the tables are of another version of the program.
var ErrVersion = errors.New("the tables in the database are those of another version of skillgate-org")

// connect opens the database at address (a URL or key=value pairs, as libpq reads them) and makes
// the tables if the schema is missing. Names in queries are of that schema.
func connect(ctx context.Context, address string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.RuntimeParams["search_path"] = schemaName
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return migrate(ctx, tx) }); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

func migrate(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, lock); err != nil {
		return err
	}
	var is *string
	err := tx.QueryRow(ctx, `SELECT obj_description(oid) FROM pg_namespace WHERE nspname = $1`, schemaName).Scan(&is)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		_, err = tx.Exec(ctx, fmt.Sprintf(`%s; COMMENT ON SCHEMA %s IS '%s'`, tables(), schemaName, schemaVersion))
		return err
	case err != nil:
		return err
	case is == nil:
		return fmt.Errorf("%w: schema %s does not say which", ErrVersion, schemaName)
	case *is != schemaVersion:
		return fmt.Errorf("%w: %.100q, this one has %q", ErrVersion, *is, schemaVersion)
	}
	return nil
}

func tables() string {
	sql := schema
	for _, table := range []string{"pool", "skill", "revision", "file", "generation", "blob", "lease", "audit"} {
		for i := range partitions {
			sql += fmt.Sprintf("\nCREATE TABLE %s_%d PARTITION OF %s FOR VALUES WITH (MODULUS %d, REMAINDER %d);",
				table, i, table, partitions, i)
		}
	}
	return sql
}
