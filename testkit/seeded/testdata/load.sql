-- What a large installation has after a month. In 60 sessions there are a chain of three (41, 42, 43) and two of two (11 and 12, 21 and 22); the
-- others are Tier 1 alone. Sessions are spread over 30 days, one in 25.92 s. ago(S) is the moment S seconds before now.
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
INSERT INTO sessions (id, parent_session_id, tier, model, agent, prompt_file, trigger, status, started_at, ended_at, exit_code, cost_usd, num_turns,
	duration_ms, input_tokens, output_tokens, response, log_path, cli_session_id, handoff_json)
SELECT i, CASE WHEN i % 60 IN (42, 43, 12, 22) THEN i - 1 END, tier, CASE tier WHEN 1 THEN 'haiku' WHEN 2 THEN 'sonnet' ELSE 'opus' END, 'claude', 'tier' || tier || '.md',
	CASE WHEN tier = 1 THEN 'cron' ELSE 'escalation' END,
	CASE WHEN i % 60 IN (41, 42, 11, 21) THEN 'escalated' WHEN i % 97 = 5 THEN 'failed' WHEN i % 389 = 7 THEN 'timed_out' ELSE 'completed' END,
	ago((100000 - i) * 25.92 + 60), ago((100000 - i) * 25.92 + 60 - 24), 0, tier * tier * 0.013 + (i % 17) * 0.0007, 3 + i % 9, 24000, 24000 + i % 5000, 600 + i % 300,
	'All ' || (12 + i % 5) || ' services of this round are healthy. Disk use of /srv is ' || (60 + i % 20) || ' %; nothing to hand on. Checked in this order: http, dns, container, database.',
	'/results/session-' || i || '.ndjson', 'c' || i,
	CASE WHEN i % 60 IN (41, 11, 21) THEN '{"schema_version":1,"recommended_tier":2,"services_affected":["service-' || printf('%05d', i * 7 % 500) ||
		'"],"check_results":[{"service":"service-' || printf('%05d', i * 7 % 500) || '","check_type":"http","status":"down","error":"HTTP 502"}],"cooldown_state":{}}' ELSE '' END
FROM (SELECT i, CASE WHEN i % 60 IN (42, 12, 22) THEN 2 WHEN i % 60 = 43 THEN 3 ELSE 1 END AS tier FROM n);

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
INSERT INTO health_checks (session_id, service, check_type, status, response_time_ms, error, source, checked_at)
SELECT 1 + (i - 1) / 10, 'service-' || printf('%05d', i % 500), CASE i % 3 WHEN 0 THEN 'dns' ELSE 'http' END,
	CASE WHEN i % 1499 = 0 THEN 'down' WHEN i % 701 = 0 THEN 'degraded' ELSE 'healthy' END, 10 + i * 31 % 120,
	CASE WHEN i % 1499 = 0 THEN 'HTTP 502 from http://127.0.0.1/' || i % 500 WHEN i % 701 = 0 THEN 'answered in 1.3s, slower than 1s' ELSE '' END, 'probe', ago((1000000 - i) * 2.592 + 61)
FROM n;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
INSERT INTO events (session_id, level, service, message, created_at)
SELECT i * 2, CASE WHEN i % 40 = 0 THEN 'critical' WHEN i % 6 = 0 THEN 'warning' ELSE 'info' END, CASE WHEN i % 3 = 0 THEN 'service-' || printf('%05d', i * 2 % 500) ELSE '' END,
	'Tier 1 completed, $0.0130, ' || (3 + i % 5) || ' turns', ago((50000 - i) * 51.84 + 62)
FROM n;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
INSERT INTO incidents (service, status, fingerprint, opened_at, last_seen_at, closed_at, last_chain)
SELECT 'service-' || printf('%05d', i * 37 % 500), CASE WHEN i > 4988 THEN 'down' ELSE 'healthy' END, 'http down HTTP', ago((5000 - i) * 518.4 + 7300), ago((5000 - i) * 518.4 + 300),
	CASE WHEN i > 4988 THEN NULL ELSE ago((5000 - i) * 518.4 + 300) END, 'solved'
FROM n;

INSERT INTO incident_sessions (incident_id, session_id, findings, attempted)
SELECT 1 + id / 60 % 5000, id, CASE tier WHEN 1 THEN '' ELSE 'the worker hangs' END, CASE tier WHEN 1 THEN '' ELSE 'docker restart: it hangs again' END
FROM sessions WHERE id % 60 IN (41, 42, 43, 11, 12, 21, 22);

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
INSERT INTO cooldown_actions (id, session_id, service, action_type, success, tier, source, created_at, cleared_at)
SELECT '0190a7c2-4b5e-7d3a-9c1f-' || printf('%012d', i), i * 25, 'service-' || printf('%05d', i * 11 % 500), CASE i % 5 WHEN 0 THEN 'redeployment' ELSE 'restart' END, i % 9 > 0, 2, 'guard',
	ago((4000 - i) * 648 + 63), CASE WHEN i < 3950 THEN ago((4000 - i) * 648 + 1) END
FROM n;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
INSERT INTO notifications (incident_id, kind, type, service, title, body, created_at, message_id, next_attempt_at, delivered_at)
SELECT i, CASE WHEN i > 4990 THEN 'human_attention' WHEN i % 2 = 0 THEN 'recovered' ELSE 'remediated' END, CASE WHEN i > 4990 THEN 'failure' ELSE 'success' END,
	'service-' || printf('%05d', i * 37 % 500), 'service-' || printf('%05d', i * 37 % 500) || ' is down and needs human attention: HTTP 502', 'Tier 3, the last, could not resolve it either.',
	ago((5000 - i) * 518.4 + 200), i, ago((5000 - i) * 518.4 + 200), ago((5000 - i) * 518.4 + 190)
FROM n;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 720)
INSERT INTO cycles (trigger, outcome, started_at, duration_ms)
SELECT 'cron', CASE WHEN i % 97 = 0 THEN 'failed' ELSE 'completed' END, ago((720 - i) * 3600 + 120), 42000 FROM n;
