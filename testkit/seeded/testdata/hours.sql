-- The last results and the hours of what the script before this one wrote.
INSERT INTO latest (service, check_type, source, session_id, status, error, response_time_ms, checked_at)
SELECT service, check_type, source, session_id, status, error, response_time_ms, max(checked_at) FROM health_checks GROUP BY service, check_type, source;

INSERT INTO hours (service, hour, healthy, degraded, down, unknown, timed, sum_ms, max_ms, watched_ms, down_ms)
SELECT service, substr(checked_at, 1, 13) || ':00:00.000Z', count(*) FILTER (WHERE worst = 1), count(*) FILTER (WHERE worst = 2), count(*) FILTER (WHERE worst = 3),
	count(*) FILTER (WHERE worst = 0), sum(timed), sum(sum_ms), max(max_ms), 3600000, 3600000 * count(*) FILTER (WHERE worst = 3) / count(*)
FROM (
	SELECT service, checked_at, max(CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 2 ELSE 3 END) AS worst,
		count(response_time_ms) AS timed, coalesce(sum(response_time_ms), 0) AS sum_ms, max(response_time_ms) AS max_ms
	FROM health_checks GROUP BY service, checked_at)
GROUP BY 1, 2;

ANALYZE;
