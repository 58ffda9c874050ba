-- A suggestion that the model had loaded before does not count as not followed.
UPDATE named SET kept = 1 WHERE EXISTS (SELECT 1 FROM decision d, json_each(d.line, '$.decision.candidates') c
	WHERE d.id = named.decision AND instr(d.line, '"loaded":true') > 0
	AND json_extract(c.value, '$.name') = named.name AND json_extract(c.value, '$.loaded'));
