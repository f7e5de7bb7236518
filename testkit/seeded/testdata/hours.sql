-- The last results, and the figures of each hour, of what the script before this one wrote.
INSERT INTO latest (service, check_type, source, session_id, status, error, response_time_ms, checked_at)
SELECT service, check_type, source, session_id, status, error, response_time_ms, max(checked_at) FROM health_checks GROUP BY service, check_type, source;

INSERT INTO look_hours (service, hour, status, looks, first_at, last_at)
SELECT service, substr(checked_at, 1, 13) || ':00:00.000Z', worst, count(*), min(checked_at), max(checked_at) FROM (
	SELECT service, checked_at, status AS worst, max(CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 2 ELSE 3 END)
	FROM health_checks GROUP BY service, checked_at)
GROUP BY 1, 2, 3;

INSERT INTO check_hours (service, check_type, hour, checks, degraded, down, unknown, timed, sum_ms, min_ms, max_ms, first_at)
SELECT service, check_type, hour, count(*), count(*) FILTER (WHERE status = 'degraded'), count(*) FILTER (WHERE status = 'down'),
	count(*) FILTER (WHERE status = 'unknown'), count(response_time_ms), coalesce(sum(response_time_ms), 0), min(response_time_ms), max(response_time_ms), min(checked_at)
FROM (SELECT *, substr(checked_at, 1, 13) || ':00:00.000Z' AS hour FROM health_checks) GROUP BY service, check_type, hour;
INSERT INTO check_samples (service, check_type, hour, samples)
SELECT service, check_type, hour, json_group_array(json_array(CAST(round((julianday(checked_at) - julianday(hour)) * 86400000) AS INTEGER), response_time_ms,
	CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 2 ELSE 3 END))
FROM (SELECT *, substr(checked_at, 1, 13) || ':00:00.000Z' AS hour FROM health_checks WHERE checked_at > ago(25 * 3600)) GROUP BY service, check_type, hour;
UPDATE check_hours SET median_ms = (min_ms + max_ms) / 2;

INSERT INTO cost_hours (hour, micro_usd)
SELECT substr(started_at, 1, 13) || ':00:00.000Z', sum(CAST(round(cost_usd * 1e6) AS INTEGER)) FROM sessions WHERE cost_usd > 0 GROUP BY 1;

ANALYZE;
