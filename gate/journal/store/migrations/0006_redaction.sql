-- How far the logged prompts have been redacted again by the rules of a version.
CREATE TABLE redaction (
	rules   INTEGER PRIMARY KEY,
	upto    INTEGER NOT NULL, -- seq of the last decision that was read
	changed INTEGER NOT NULL, -- decisions
	done    INTEGER NOT NULL DEFAULT 0,
	told    INTEGER NOT NULL DEFAULT 0
);
