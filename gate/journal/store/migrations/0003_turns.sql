-- Whether a session was observed is asked for each of its prompts.
CREATE INDEX event_session ON event (session);
CREATE INDEX outcome_session ON outcome (session);
DROP INDEX outcome_decision;
ALTER TABLE outcome DROP COLUMN followed; -- package outcome says it
CREATE INDEX outcome_decision ON outcome (decision);
