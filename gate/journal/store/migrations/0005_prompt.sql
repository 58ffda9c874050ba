-- For the uses of a turn that has ended.
CREATE INDEX outcome_prompt ON outcome (prompt_id) WHERE prompt_id <> '';
-- For the query whether an earlier turn of a prompt's session was reported.
CREATE INDEX decision_over ON decision (session, time) WHERE over IS NOT NULL;
