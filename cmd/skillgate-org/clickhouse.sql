-- Views on the table otel_logs of the OpenTelemetry collector's ClickHouse exporter, as its
-- documentation describes it. Untested: no ClickHouse was at hand. Records may come twice:
-- the views count ids.
CREATE VIEW skillgate_decisions AS
SELECT
	any(Timestamp) AS time,
	LogAttributes['log.record.uid'] AS id,
	any(ResourceAttributes['team']) AS team,
	any(LogAttributes['skillgate.verdict']) AS verdict,
	any(LogAttributes['skillgate.reason']) AS reason,
	any(LogAttributes['skillgate.followed']) AS followed,
	any(LogAttributes['skillgate.turn.over']) = 'true' AS over,
	any(JSONExtract(LogAttributes['skillgate.named'], 'Array(String)')) AS named,
	any(JSONExtract(LogAttributes['skillgate.missed'], 'Array(String)')) AS missed
FROM otel_logs
WHERE EventName = 'skillgate.decision'
GROUP BY id;

CREATE VIEW skillgate_skills AS
SELECT toStartOfWeek(time, 1) AS week, team, arrayJoin(named) AS skill, count() AS named
FROM skillgate_decisions
GROUP BY week, team, skill;

CREATE VIEW skillgate_follow_rate AS
SELECT toStartOfWeek(time, 1) AS week, team, countIf(followed = 'yes' AND over) AS yes, countIf(followed = 'no') AS no,
	yes / nullIf(yes + no, 0) AS rate
FROM skillgate_decisions
WHERE followed != ''
GROUP BY week, team;
