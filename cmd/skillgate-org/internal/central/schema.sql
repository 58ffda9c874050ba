-- What machines have sent, one row a record. A record that comes twice is kept once. Tables are
-- partitioned by month: one is dropped to forget it. No extension is needed.
CREATE SCHEMA skillgate;

CREATE TABLE skillgate.decision (
	id             text NOT NULL,
	time           timestamptz NOT NULL,
	machine        text NOT NULL, -- service.instance.id
	team           text NOT NULL, -- the attribute team of the resource
	version        text NOT NULL, -- of skillgate
	session        text NOT NULL,
	prompt_id      text NOT NULL, -- the host's, joins with its own telemetry
	source         text NOT NULL, -- '' a prompt, 'agent' a subagent's task, 'mcp' a client of the MCP server
	project        text NOT NULL,
	verdict        text NOT NULL,
	reason         text NOT NULL,
	lang           text NOT NULL,
	need           double precision NOT NULL,
	seconds        double precision NOT NULL,
	characters     integer NOT NULL,
	over           boolean NOT NULL, -- the turn is known to have ended
	followed       text NOT NULL, -- yes, no or unknown; '' where nothing was named
	named          text[] NOT NULL,
	named_followed text[] NOT NULL, -- of each that was named
	kept           text[] NOT NULL, -- kept back by an experiment
	used           text[] NOT NULL,
	missed         text[] NOT NULL, -- used by the model without being named
	typed          text[] NOT NULL,
	experiment     text NOT NULL,
	line           text NOT NULL, -- the journal's
	PRIMARY KEY (id, time)
) PARTITION BY RANGE (time);
CREATE INDEX ON skillgate.decision (time);

CREATE TABLE skillgate.use (
	id        text NOT NULL,
	time      timestamptz NOT NULL,
	machine   text NOT NULL,
	team      text NOT NULL,
	version   text NOT NULL,
	session   text NOT NULL,
	prompt_id text NOT NULL,
	decision  text NOT NULL, -- '' where it came of none
	skill     text NOT NULL,
	tool      text NOT NULL, -- Skill, typed, read, agent or mcp
	success   boolean NOT NULL,
	line      text NOT NULL,
	PRIMARY KEY (id, time)
) PARTITION BY RANGE (time);
CREATE INDEX ON skillgate.use (time);

-- Use by skill and team, week by week.
CREATE VIEW skillgate.skills AS
SELECT week, team, skill,
	count(*) FILTER (WHERE part = 'named') AS named,
	count(*) FILTER (WHERE state = 'yes') AS followed,
	count(*) FILTER (WHERE state = 'no') AS not_followed,
	count(*) FILTER (WHERE state = 'unknown') AS unknown,
	count(*) FILTER (WHERE part = 'missed') AS missed,
	count(*) FILTER (WHERE part = 'typed') AS typed
FROM (
	SELECT date_trunc('week', time)::date AS week, team, n.skill, 'named' AS part, n.state
	FROM skillgate.decision, unnest(named, named_followed) AS n(skill, state) WHERE source <> 'mcp'
	UNION ALL
	SELECT date_trunc('week', time)::date, team, m, 'missed', '' FROM skillgate.decision, unnest(missed) AS m WHERE source <> 'mcp'
	UNION ALL
	SELECT date_trunc('week', time)::date, team, t, 'typed', '' FROM skillgate.decision, unnest(typed) AS t WHERE source <> 'mcp'
) parts
GROUP BY week, team, skill;

-- How often a hint is followed, in turns that are known to have ended, with Wilson's interval
-- at 95 %.
CREATE VIEW skillgate.follow_rate AS
SELECT week, team, hints, yes, no, hints - yes - no AS unknown,
	yes / nullif(yes + no, 0)::float8 AS rate,
	CASE WHEN yes + no > 0 THEN greatest(0, (p + z2 / (2 * n) - z * sqrt((p * (1 - p) + z2 / (4 * n)) / n)) / (1 + z2 / n)) END AS low,
	CASE WHEN yes + no > 0 THEN least(1, (p + z2 / (2 * n) + z * sqrt((p * (1 - p) + z2 / (4 * n)) / n)) / (1 + z2 / n)) END AS high
FROM (
	SELECT *, (yes + no)::float8 AS n, yes / nullif(yes + no, 0)::float8 AS p, 1.959964 AS z, 1.959964 ^ 2 AS z2
	FROM (
		SELECT date_trunc('week', time)::date AS week, team, count(*) AS hints,
			count(*) FILTER (WHERE followed = 'yes' AND over) AS yes, count(*) FILTER (WHERE followed = 'no') AS no
		FROM skillgate.decision WHERE followed <> '' AND source = ''
		GROUP BY 1, 2
	) counted
) rated;

-- Skills that models use and that are seldom named: what prompts do not find.
CREATE VIEW skillgate.unfound AS
SELECT skill, sum(missed) AS missed, sum(named) AS named, count(DISTINCT team) FILTER (WHERE missed > 0) AS teams,
	sum(missed) / nullif(sum(missed) + sum(followed), 0)::float8 AS share
FROM skillgate.skills
GROUP BY skill
HAVING sum(missed) > 0;

-- Why prompts were answered with nothing.
CREATE VIEW skillgate.silence AS
SELECT date_trunc('week', time)::date AS week, team, lang, reason, count(*) AS prompts
FROM skillgate.decision
WHERE verdict IN ('silent', 'skip', 'error') AND source = ''
GROUP BY 1, 2, 3, 4;

-- How long prompts waited, in milliseconds.
CREATE VIEW skillgate.speed AS
SELECT date_trunc('day', time)::date AS day, team, count(*) AS prompts,
	1000 * percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS p50,
	1000 * percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds) AS p95
FROM skillgate.decision WHERE source = ''
GROUP BY 1, 2;

-- Who takes part.
CREATE VIEW skillgate.activity AS
SELECT date_trunc('week', time)::date AS week, team, count(DISTINCT machine) AS machines,
	count(DISTINCT session) AS sessions, count(*) AS decisions
FROM skillgate.decision
GROUP BY 1, 2;
