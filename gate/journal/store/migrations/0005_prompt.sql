-- What was used in a turn is asked for where the turn ends.
CREATE INDEX outcome_prompt ON outcome (prompt_id) WHERE prompt_id <> '';
-- Whether an earlier turn of the session was reported is asked for each prompt.
CREATE INDEX decision_over ON decision (session, time) WHERE over IS NOT NULL;
