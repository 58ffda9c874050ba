-- For the query whether a prompt's session was observed.
CREATE INDEX event_session ON event (session);
DROP INDEX outcome_decision;
ALTER TABLE outcome DROP COLUMN followed; -- package outcome computes it
CREATE INDEX outcome_decision ON outcome (decision);
-- The suggestion was withheld by an experiment.
ALTER TABLE named ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
