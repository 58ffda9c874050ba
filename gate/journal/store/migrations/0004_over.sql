-- Whether the turn of a decision came to its end, as its session's observer reported; NULL
-- where nothing was reported.
ALTER TABLE decision ADD COLUMN over INTEGER;
