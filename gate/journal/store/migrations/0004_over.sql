-- Whether the turn of a decision ended, as reported by its session's observer; NULL if
-- nothing was reported.
ALTER TABLE decision ADD COLUMN over INTEGER;
