-- seq is the order of folding, by which log --follow continues. line is the whole
-- record; the other columns are for queries.
CREATE TABLE decision (
	seq       INTEGER PRIMARY KEY AUTOINCREMENT,
	id        TEXT NOT NULL UNIQUE,
	time      INTEGER NOT NULL, -- Unix nanoseconds
	session   TEXT NOT NULL,
	prompt_id TEXT NOT NULL,
	cwd       TEXT NOT NULL,
	verdict   TEXT NOT NULL,
	reason    TEXT NOT NULL,
	lang      TEXT NOT NULL,
	need      REAL NOT NULL,
	score     REAL NOT NULL, -- of the first candidate, 0 if there is none
	ms        REAL NOT NULL,
	line      TEXT NOT NULL
);
CREATE INDEX decision_time ON decision (time);
CREATE INDEX decision_prompt ON decision (prompt_id) WHERE prompt_id <> '';
CREATE INDEX decision_session ON decision (session, time);

-- The suggestions of a decision.
CREATE TABLE named (
	decision TEXT NOT NULL REFERENCES decision (id) ON DELETE CASCADE,
	name     TEXT NOT NULL,
	path     TEXT NOT NULL,
	pool     TEXT NOT NULL,
	score    REAL NOT NULL
);
CREATE INDEX named_decision ON named (decision);
CREATE INDEX named_name ON named (name);

CREATE TABLE outcome (
	seq       INTEGER PRIMARY KEY AUTOINCREMENT,
	id        TEXT NOT NULL UNIQUE,
	time      INTEGER NOT NULL,
	session   TEXT NOT NULL,
	prompt_id TEXT NOT NULL,
	cwd       TEXT NOT NULL,
	tool      TEXT NOT NULL,
	skill     TEXT NOT NULL,
	path      TEXT NOT NULL,
	success   INTEGER NOT NULL,
	decision  TEXT REFERENCES decision (id) ON DELETE CASCADE, -- NULL until it is found
	followed  INTEGER NOT NULL DEFAULT 0, -- the decision suggested it
	line      TEXT NOT NULL
);
CREATE INDEX outcome_decision ON outcome (decision);
CREATE INDEX outcome_loose ON outcome (time) WHERE decision IS NULL;
CREATE INDEX outcome_time ON outcome (time);
CREATE INDEX outcome_skill ON outcome (skill);

-- All other records: sessions, configuration changes, kinds of newer versions.
CREATE TABLE event (
	id      TEXT PRIMARY KEY,
	time    INTEGER NOT NULL,
	kind    TEXT NOT NULL,
	session TEXT NOT NULL,
	line    TEXT NOT NULL
);
CREATE INDEX event_time ON event (time);
