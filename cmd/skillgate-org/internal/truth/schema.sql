-- A registry of skills. Most tables are partitioned by tenant.
CREATE SCHEMA skillgate_registry;
SET LOCAL search_path = skillgate_registry;

CREATE TABLE registry (
	id uuid NOT NULL DEFAULT gen_random_uuid() -- part of the path of replicas' cache folders
);
INSERT INTO registry DEFAULT VALUES;

CREATE TABLE tenant (
	name     text PRIMARY KEY,
	max_risk double precision NOT NULL DEFAULT 1, -- skills with a higher risk are not offered
	review   boolean NOT NULL DEFAULT false,      -- only approved revisions are offered
	sources  text[] NOT NULL DEFAULT '{}'         -- allowed beginnings of a revision's source; none: any
);

CREATE TABLE pool (
	tenant   text NOT NULL,
	name     text NOT NULL,
	roles    text[] NOT NULL DEFAULT '{}', -- who may see it; none: everybody in the tenant
	revision bigint NOT NULL DEFAULT 0,    -- number of changes
	PRIMARY KEY (tenant, name)
) PARTITION BY HASH (tenant);

CREATE TABLE skill (
	tenant    text NOT NULL,
	pool      text NOT NULL,
	name      text NOT NULL,
	newest    integer NOT NULL, -- revision
	offered   integer,          -- revision; null if none was approved yet
	withdrawn boolean NOT NULL DEFAULT false,
	changed   bigint NOT NULL,  -- the pool's revision
	PRIMARY KEY (tenant, pool, name)
) PARTITION BY HASH (tenant);
CREATE INDEX ON skill (tenant, pool, changed);

CREATE TABLE revision (
	tenant   text NOT NULL,
	pool     text NOT NULL,
	name     text NOT NULL,
	revision integer NOT NULL,
	hash     text NOT NULL, -- of all files
	risk     double precision NOT NULL, -- lint's risk, 0 to 1
	state    text NOT NULL CHECK (state IN ('pending', 'approved', 'withdrawn')),
	source   text NOT NULL, -- for example a URL
	author   text NOT NULL, -- who imported it
	reviewer text NOT NULL DEFAULT '',
	time     timestamptz NOT NULL DEFAULT now(),
	text     bytea NOT NULL, -- SKILL.md
	PRIMARY KEY (tenant, pool, name, revision)
) PARTITION BY HASH (tenant);

CREATE TABLE file (
	tenant   text NOT NULL,
	pool     text NOT NULL,
	name     text NOT NULL,
	revision integer NOT NULL,
	path     text NOT NULL, -- below the skill's folder
	content  bytea NOT NULL,
	PRIMARY KEY (tenant, pool, name, revision, path)
) PARTITION BY HASH (tenant);

-- An index generation of a pool, for one version of the index's files.
CREATE TABLE generation (
	tenant   text NOT NULL,
	pool     text NOT NULL,
	version  text NOT NULL,
	revision bigint NOT NULL, -- the pool's
	skills   integer NOT NULL,
	time     timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (tenant, pool, version, revision)
) PARTITION BY HASH (tenant);

CREATE TABLE blob (
	tenant   text NOT NULL,
	pool     text NOT NULL,
	version  text NOT NULL,
	revision bigint NOT NULL,
	name     text NOT NULL, -- of a file in the generation
	part     integer NOT NULL,
	content  bytea NOT NULL,
	PRIMARY KEY (tenant, pool, version, revision, name, part)
) PARTITION BY HASH (tenant);

CREATE TABLE lease (
	tenant  text NOT NULL,
	pool    text NOT NULL,
	version text NOT NULL,
	holder  text NOT NULL,
	until   timestamptz NOT NULL,
	PRIMARY KEY (tenant, pool, version)
) PARTITION BY HASH (tenant);

CREATE TABLE audit (
	tenant   text NOT NULL,
	id       text NOT NULL,
	time     timestamptz NOT NULL,
	actor    text NOT NULL,
	action   text NOT NULL, -- lookup, load, import, approve, withdraw, policy, pool, key, revoke
	pool     text NOT NULL DEFAULT '',
	skills   text[] NOT NULL DEFAULT '{}',
	detail   text NOT NULL DEFAULT '',
	PRIMARY KEY (tenant, id)
) PARTITION BY HASH (tenant);
CREATE INDEX ON audit (tenant, time);

CREATE TABLE key (
	hash    bytea PRIMARY KEY, -- SHA-256 of the key
	tenant  text NOT NULL,
	subject text NOT NULL,
	roles   text[] NOT NULL,
	expires timestamptz NOT NULL
);

-- The skills that each tenant can use.
CREATE VIEW offered AS
SELECT k.tenant, k.pool, k.name, r.revision, r.hash, r.risk, r.source, r.author, r.reviewer, r.time, r.text
FROM tenant t
JOIN skill k ON k.tenant = t.name
JOIN revision r ON r.tenant = k.tenant AND r.pool = k.pool AND r.name = k.name AND r.revision = k.offered
WHERE NOT k.withdrawn AND r.state = 'approved' AND r.risk <= t.max_risk
	AND (t.sources = '{}' OR EXISTS (SELECT FROM unnest(t.sources) s WHERE starts_with(r.source, s)));

DO $$ DECLARE name text; BEGIN
	FOREACH name IN ARRAY '{pool, skill, revision, file, generation, blob, lease, audit}'::text[] LOOP
		FOR i IN 0..7 LOOP
			EXECUTE format('CREATE TABLE %s_%s PARTITION OF %1$s FOR VALUES WITH (MODULUS 8, REMAINDER %2$s)', name, i);
		END LOOP;
	END LOOP;
END $$;
