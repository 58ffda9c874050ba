-- How far logged prompts have been redacted by the rules of a version.
CREATE TABLE redaction (
	rules   INTEGER PRIMARY KEY,
	upto    INTEGER NOT NULL, -- seq of the last decision read
	changed INTEGER NOT NULL, -- number of decisions
	done    INTEGER NOT NULL DEFAULT 0,
	told    INTEGER NOT NULL DEFAULT 0
);
