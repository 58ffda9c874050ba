-- Whether a session was observed is asked for each of its prompts.
CREATE INDEX event_session ON event (session);
DROP INDEX outcome_decision;
ALTER TABLE outcome DROP COLUMN followed; -- package outcome says it
CREATE INDEX outcome_decision ON outcome (decision);
-- What would have been named, but for an experiment.
ALTER TABLE named ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
