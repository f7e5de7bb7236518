-- The homelab's records, made from homelab.yaml, which is given.story as JSON. ago(S) is a moment S seconds before now as the tables write it,
-- day(S) as people read it. All ages are in seconds.

CREATE TEMP TABLE usual AS
SELECT row_number() OVER () AS n, s.key AS service, c.key AS kind, c.value AS ms
FROM given, json_each(given.story, '$.services') s, json_each(s.value) c;

-- id is the incident's.
CREATE TEMP TABLE trouble AS
SELECT t.key + 1 AS id, t.value ->> 'service' AS service, t.value ->> 'ago' AS first, t.value ->> 'ago' - coalesce(t.value ->> 'cycles', 10000) AS over,
	t.value -> 'found' AS found, t.value ->> '$.found.status' AS status, t.value ->> '$.found.error' AS error, t.value ->> 'human' AS human,
	coalesce(t.value -> 'tiers', '[]') AS tiers, coalesce(t.value -> 'dependents', '{}') AS dependents
FROM given, json_each(given.story, '$.incidents') t;

-- k counts from the last cycle back, which began 4 minutes before now; at is when its Tier 1 began, ended when that ended.
CREATE TEMP TABLE cycle AS
WITH RECURSIVE n(k) AS (SELECT 719 UNION ALL SELECT k - 1 FROM n WHERE k > 0)
SELECT k, 240.0 + 3600 * k AS began, 238.0 + 3600 * k AS at, 14 + k * 7919 % 17000 / 1000.0 AS took, 238 + 3600 * k - 14.4 - k * 7919 % 17000 / 1000.0 AS ended FROM n;

-- What each cycle found wrong; trouble is missing where another service is the cause.
CREATE TEMP TABLE finding AS
SELECT k, id AS trouble, service, found FROM cycle JOIN trouble ON k <= first AND k > over
UNION ALL SELECT k, NULL, d.key, d.value FROM cycle JOIN trouble ON k <= first AND k > over, json_each(dependents) d;

-- One row a session; does is what homelab.yaml says of it.
CREATE TEMP TABLE work AS
SELECT row_number() OVER (ORDER BY k DESC, tier) AS id, * FROM (
	SELECT k, 1 AS tier, NULL AS trouble, NULL AS does, at, took, CASE WHEN EXISTS (SELECT 1 FROM finding f WHERE f.k = cycle.k) THEN 0.0016 ELSE 0.001 END * (9 + k * 271 % 100 / 10.0) AS cost
	FROM cycle
	UNION ALL
	SELECT k, w.value ->> 'tier', t.id, w.value, ended - 1 - (SELECT coalesce(sum(b.value ->> '$.spent.took' + 1.4), 0) FROM json_each(tiers) b
		WHERE b.key < w.key AND coalesce(b.value ->> 'cycle', 0) = first - k), w.value ->> '$.spent.took', w.value ->> '$.spent.cost'
	FROM trouble t, json_each(tiers) w JOIN cycle ON k = first - coalesce(w.value ->> 'cycle', 0)
	UNION ALL
	SELECT k, 2, (SELECT max(id) FROM trouble), NULL, ended - 1, NULL, 0 FROM cycle WHERE k = 0
);
CREATE INDEX temp.work_k ON work (k);

INSERT INTO sessions (id, parent_session_id, tier, model, agent, prompt_file, trigger, status, started_at, ended_at, exit_code, cost_usd, num_turns, duration_ms,
	input_tokens, output_tokens, response, error, handoff_json, log_path, cli_session_id, pid, pid_start, boot_id, run_token)
SELECT w.id, CASE WHEN tier > 1 THEN w.id - 1 END, tier, CASE tier WHEN 1 THEN 'haiku' WHEN 2 THEN 'sonnet' ELSE 'opus' END, 'claude', 'tier' || tier || '.md',
	CASE tier WHEN 1 THEN 'cron' ELSE 'escalation' END,
	CASE WHEN took IS NULL THEN 'running' WHEN does ->> 'status' IS NOT NULL THEN does ->> 'status'
		WHEN EXISTS (SELECT 1 FROM work n WHERE n.k = w.k AND n.tier = w.tier + 1) THEN 'escalated' ELSE 'completed' END,
	ago(at), ago(at - took - 0.4), CASE WHEN took IS NULL THEN NULL ELSE does ->> 'fault' IS NOT NULL END, cost, coalesce(does ->> '$.spent.turns', iif(took IS NULL, 0, 3 + w.k % 2)),
	cast(round(coalesce(took * 1000, 0)) AS INTEGER), coalesce(does ->> '$.spent.input', 24000 + w.k * 31 % 9000), coalesce(does ->> '$.spent.output', 420 + w.k * 17 % 260),
	CASE WHEN tier = 1 THEN coalesce(
		(SELECT count(*) || ' of 14 services are not healthy.' || char(10, 10) || '| service | status | found |' || char(10) || '|---|---|---|' || char(10)
			|| group_concat(format('| `%s` | **%s** | %s |', f.service, f.found ->> 'status', f.found ->> 'error'), char(10)) || char(10, 10) || 'The others are healthy.'
			FROM finding f WHERE f.k = w.k GROUP BY f.k),
		'All 14 services are healthy (20 checks). Disk use of `/srv` is 71 %; nothing to hand on.') ELSE coalesce(does ->> 'report', '') END,
	coalesce(does ->> 'fault', ''),
	CASE WHEN does ->> 'findings' IS NOT NULL OR tier = 1 AND EXISTS (SELECT 1 FROM work n WHERE n.k = w.k AND n.tier = 2) THEN
		(SELECT json_object('schema_version', 1, 'recommended_tier', min(tier + 1, 3), 'services_affected', json_array(t.service),
			'check_results', json_array(json_object('service', t.service, 'check_type', t.found ->> 'check', 'status', t.status, 'error', t.error)),
			'investigation_findings', coalesce(does ->> 'findings', ''), 'remediation_attempted', coalesce(does ->> 'attempted', ''), 'cooldown_state', json('{"services":{}}'))
			FROM trouble t WHERE t.id = coalesce(w.trouble, (SELECT n.trouble FROM work n WHERE n.id = w.id + 1)))
	ELSE '' END,
	format('%s/session-%d.ndjson', results_dir, w.id), format('01a20000-0000-7000-9000-%012d', w.id), CASE WHEN took IS NULL THEN pid ELSE 20000 + w.id END,
	CASE WHEN took IS NULL THEN pid_start ELSE 4000000 + 360000 * w.id END, CASE WHEN took IS NULL THEN boot_id ELSE '5d3f0c1e-8a4b-4d6f-9e2a-7b1c0d9e8f6a' END, format('%032d', w.id)
FROM work w, given;

-- Answers take longer in the evening, and now and then much longer.
INSERT INTO health_checks (session_id, service, check_type, status, response_time_ms, error, checked_at, source)
SELECT w.id, u.service, u.kind, coalesce(f.found ->> 'status', 'healthy'),
	CASE WHEN f.found IS NOT NULL THEN f.found ->> 'ms' WHEN u.ms > 0 THEN max(1, cast(u.ms * (1.35 - abs((strftime('%H', ago(at)) + 16) % 24 - 12) * 0.058)
		* (0.85 + (w.k * 7907 + u.n * 1049) % 997 / 3300.0) * CASE (w.k * 13 + u.n * 7) % 90 WHEN 0 THEN 2.4 ELSE 1 END AS INTEGER)) END,
	coalesce(f.found ->> 'error', ''), ago(at - 1), 'probe'
FROM work w JOIN usual u LEFT JOIN finding f ON f.k = w.k AND f.service = u.service AND f.found ->> 'check' = u.kind
WHERE w.tier = 1 ORDER BY w.id, u.n;

-- What was done: calls that restart or redeploy, if they were not refused.
CREATE TEMP TABLE act AS
SELECT w.id AS session, w.k, w.tier, t.id AS trouble, t.service, CASE c.value ->> 'action' WHEN 'restart' THEN 'restart' ELSE 'redeployment' END AS action,
	c.value ->> 'failed' AS failed, c.value ->> 'out' AS out, round(w.at) - 30 * (c.key + 1) AS at, c.key AS n
FROM work w JOIN trouble t ON t.id = w.trouble, json_each(does, '$.calls') c
WHERE c.value ->> 'action' IN ('restart', 'redeploy') AND c.value ->> 'refused' IS NULL;

-- A chain that remediated without a human was proved by the checks after it.
CREATE TEMP TABLE solved AS
SELECT max(w.id) AS session, w.k, t.id AS trouble, t.service, max(w.tier) AS tier, min(w.at - w.took) - 31 AS at,
	(SELECT a.action FROM act a WHERE a.k = w.k ORDER BY a.session DESC, a.n DESC LIMIT 1) AS action
FROM work w JOIN trouble t ON t.id = w.trouble WHERE t.human IS NULL AND w.took IS NOT NULL GROUP BY w.k HAVING count(does ->> 'fault') = 0;

INSERT INTO health_checks (session_id, service, check_type, status, response_time_ms, checked_at, source)
SELECT session, service, kind, 'healthy', nullif(ms, 0), ago(at), 'probe' FROM solved JOIN usual USING (service);

-- Two healthy cycles in a row close an incident.
CREATE TEMP TABLE recovery AS
SELECT t.id AS trouble, t.service, t.status, t.error, o.ended AS opened, h.ended AS healthy, c.ended AS closed, c.k,
	(SELECT id FROM work WHERE work.k = c.k AND tier = 1) AS session
FROM trouble t JOIN cycle o ON o.k = t.first JOIN cycle h ON h.k = t.over JOIN cycle c ON c.k = t.over - 1;

INSERT INTO incidents (id, service, status, fingerprint, opened_at, last_seen_at, closed_at, dead_ends, retry_at, last_chain, healthy_since, healthy_cycles)
SELECT t.id, t.service, CASE WHEN r.closed IS NULL THEN t.status ELSE 'healthy' END, format('%s %s %s', found ->> 'check', t.status, rtrim(t.error, '0123456789')),
	ago(o.ended), ago(coalesce(r.closed, (SELECT ended FROM cycle WHERE k = 0))), ago(r.closed), iif(human IS NULL, 0, 2), CASE WHEN human IS NOT NULL AND r.closed IS NULL THEN ago(-3360) END,
	CASE WHEN human IS NOT NULL THEN 'attention' WHEN tiers = '[]' THEN '' ELSE 'solved' END, ago(r.healthy), r.closed IS NOT NULL
FROM trouble t JOIN cycle o ON o.k = t.first LEFT JOIN recovery r ON r.trouble = t.id;
UPDATE incidents SET acknowledged_at = ago(1500), acknowledged_by = 'page, from 192.168.1.20' WHERE service = 'paperless' AND closed_at IS NULL;

INSERT INTO cooldown_actions (id, session_id, service, action_type, success, error, tier, source, tool_use_id, created_at, cleared_at)
SELECT format('01a20000-0000-7000-8%03d-%012d', n, a.session), a.session, a.service, action, failed IS NULL, iif(failed, out, ''), tier, 'guard', format('toolu_01%06dx%02d', a.session, n), ago(at), ago(r.closed)
FROM act a LEFT JOIN recovery r USING (trouble);

INSERT INTO incident_sessions (incident_id, session_id, findings, attempted)
SELECT t.id, w.id, coalesce(does ->> 'findings', ''), coalesce(does ->> 'attempted', '')
FROM trouble t JOIN work w ON w.trouble = t.id OR w.tier = 1 AND w.k <= t.first AND w.k > t.over;

INSERT INTO incident_dependents (incident_id, service, status, first_seen_at, last_seen_at)
SELECT t.id, d.key, d.value ->> 'status', ago(ended), ago(ended) FROM trouble t JOIN cycle ON k = first, json_each(dependents) d;

INSERT INTO cycles (trigger, outcome, started_at, duration_ms)
SELECT 'cron', iif(EXISTS (SELECT 1 FROM work w WHERE w.k = c.k AND does ->> 'fault' IS NOT NULL), 'failed', 'completed'), ago(began),
	cast(1000 * (began - (SELECT min(at - took - 0.4) FROM work w WHERE w.k = c.k)) AS INTEGER)
FROM cycle c WHERE k > 0 ORDER BY k DESC;

CREATE TEMP TABLE line AS
SELECT at - took - 0.4 AS at, id AS session, iif(does ->> 'fault' IS NULL, 'info', 'warning') AS level, '' AS service,
	format('Tier %d ', tier) || coalesce('failed: ' || (does ->> 'fault'), format('completed, $%.4f, %d turns', cost, coalesce(does ->> '$.spent.turns', 3 + k % 2))) AS message
FROM work WHERE took IS NOT NULL
UNION ALL SELECT at + 0.5, w.id - 1, 'info', '', format('Tier %d started for %s', tier, service) FROM work w JOIN trouble t ON t.id = w.trouble
UNION ALL SELECT ended, w.id, 'warning', service, format('%s is %s: incident %d opened (%s)', service, status, t.id, error)
	FROM trouble t JOIN cycle c ON c.k = first JOIN work w ON w.k = c.k AND w.tier = 1
UNION ALL SELECT ended, w.id, 'info', d.key, format('%s is %s: %s, on which it depends, is %s, so nothing is done about it and nobody is told (recorded under incident %d)',
	d.key, d.value ->> 'status', service, status, t.id) FROM trouble t JOIN cycle c ON c.k = first JOIN work w ON w.k = c.k AND w.tier = 1, json_each(dependents) d
UNION ALL SELECT at, session, 'info', service, iif(action IS NULL, format('%s is healthy, by its checks; Tier %d remediated nothing there', service, tier),
	format('%s remediated by Tier %d: its checks are healthy again', service, tier)) FROM solved
UNION ALL SELECT at - took - 0.4, w.id, 'critical', '', format('Tier 3 handed off too: there is no further tier, and %s is not resolved', service)
	FROM work w JOIN trouble t ON t.id = w.trouble WHERE tier = 3 AND human IS NOT NULL
UNION ALL SELECT closed, session, 'info', service, format('%s recovered: healthy in 2 cycles in a row, incident %d closed after %d h', service, trouble, round((opened - closed) / 3600)) FROM recovery
UNION ALL SELECT c.ended, w.id, e.value ->> 'level', e.value ->> 'service', replace(replace(e.value ->> 'message', '$retry', day(-3360)), '$silenced', day(-14400))
	FROM given, json_each(given.story, '$.events') e JOIN cycle c ON c.k = e.value ->> 'ago' JOIN work w ON w.k = c.k AND w.tier = 1;
INSERT INTO events (session_id, level, service, message, created_at) SELECT session, level, service, message, ago(at) FROM line ORDER BY at DESC;

CREATE TEMP TABLE message AS
SELECT at, trouble, 'remediated' AS kind, 'success' AS type, service, '' AS cause, format('%s was down, and works again after a %s', service, action) AS title,
	format('Tier %d did it; the checks after it find %s healthy.', tier, service) || (SELECT group_concat(format(char(10) || '- %s at %s, %s', a.action, day(a.at), iif(failed, 'failed: ' || out, 'succeeded')), '')
		FROM act a WHERE a.trouble = solved.trouble AND a.k = solved.k) || format(char(10, 10) || 'claudeops incidents show %d', trouble) AS body
FROM solved WHERE action IS NOT NULL
UNION ALL SELECT closed, trouble, 'recovered', 'success', service, '', format('%s recovered after %d h', service, round((opened - closed) / 3600)),
	format('It was %s: %s' || char(10, 10) || 'claudeops incidents show %d', status, error, trouble) FROM recovery
UNION ALL SELECT w.at - w.took - 0.4, t.id, 'human_attention', 'failure', service, 'unresolved', format('%s is %s and needs human attention: %s', service, status, error),
	format('%s is %s since %s: %s' || char(10, 10) || 'Tier 3, the last, could not resolve it either. claudeops tries again after %s, or as soon as it changes.' || char(10, 10)
		|| '%s' || char(10, 10) || 'claudeops incidents show %d' || char(10) || 'claudeops silence %s --for 2h', service, status, day(c.ended), error, day(w.at - w.took - 3600), human, t.id, service)
	FROM work w JOIN trouble t ON t.id = w.trouble JOIN cycle c ON c.k = w.k WHERE tier = 3 AND human IS NOT NULL
UNION ALL SELECT ended, NULL, 'daily_digest', 'info', '', '', format('Daily digest: %s, $%.2f', state, spent),
	format(upper(substr(state, 1, 1)) || substr(state, 2) || '.' || char(10, 10) || '%s' || char(10, 10) || 'Cost in 24 h: $%.2f.', iif(fixes = 0, 'Nothing was remediated in 24 h.', fixes || ' remediations in 24 h.'), spent)
	FROM (SELECT ended, coalesce((SELECT count(*) || ' of 14 services are unwell' FROM finding f WHERE f.k = c.k AND trouble IS NOT NULL GROUP BY f.k), 'all 14 services are healthy') AS state,
		(SELECT sum(cost) FROM work w WHERE w.k BETWEEN c.k AND c.k + 23) AS spent, (SELECT count(action) FROM solved s WHERE s.k BETWEEN c.k AND c.k + 23) AS fixes
		FROM cycle c WHERE k % 24 = 9);
INSERT INTO notifications (id, incident_id, kind, type, service, cause, title, body, created_at, message_id, next_attempt_at, delivered_at)
SELECT n, trouble, kind, type, service, cause, title, body, ago(at), n, ago(at), ago(at - 3) FROM (SELECT row_number() OVER (ORDER BY at DESC) AS n, * FROM message);

-- The operator's phone and mailbox; the second fails at present.
CREATE TEMP TABLE target (hash, name);
INSERT INTO target VALUES ('6f3a1b0c9d8e7f60', 'ntfys://ntfy.home.example.org/homelab'), ('a1c4e7092b5d8f36', 'mailtos://mail.example.org');
INSERT INTO deliveries (notification_id, target_hash, delivered_at) SELECT id, hash, delivered_at FROM notifications, target;
INSERT INTO notifications (kind, type, service, cause, title, body, created_at, next_attempt_at)
VALUES ('message', 'info', 'immich', 'session 400', 'Tier 2 says: the photo disk is 91 % full', 'At the present rate /srv/photos is full in about 16 days. Nothing was done about it.', ago(3000), ago(3000));
UPDATE notifications SET message_id = id WHERE message_id IS NULL;
INSERT INTO deliveries (notification_id, target_hash, delivered_at) SELECT max(id), '6f3a1b0c9d8e7f60', ago(2997) FROM notifications;
INSERT INTO targets (hash, name, failing_since, attempts, retry_at, last_error)
SELECT hash, name, ago(2760), 3, ago(-540), 'mail.example.org:465: connection refused' FROM target WHERE name LIKE 'mailtos%';

INSERT INTO silences (service, reason, created_at, until) VALUES
	('nextcloud', 'upgrade to Nextcloud 32', ago(961200), ago(950400)),
	('home-assistant', 'Robin moves it to the new Zigbee stick', ago(5700), ago(-14400));

-- What Tier 3 proposed: once permitted and run, once waiting.
INSERT INTO proposals (incident_id, session_id, tier, service, action_type, program, argv, dir, bound, fingerprint, reason, evidence, status,
	created_at, expires_at, decided_by, decided_at, outcome, run_session_id)
SELECT i.id, s.id, 3, i.service, 'redeployment', '/usr/bin/docker', '["docker","compose","up","-d","--force-recreate","immich-server"]', '/srv/stacks/immich',
	'{"/srv/stacks/immich/compose.yaml":"sha256:5f1c"}', i.fingerprint, 'The server leaks memory since the last image; recreating it frees 3 GiB.', 'http down: HTTP 502',
	'done', s.started_at, strftime('%Y-%m-%dT%H:%M:%fZ', s.started_at, '+4 hours'), 'link of phone, from 192.168.1.31', strftime('%Y-%m-%dT%H:%M:%fZ', s.started_at, '+7 minutes'),
	'it ran and its checks are healthy', s.id
FROM incidents i JOIN sessions s ON s.id = (SELECT max(session_id) FROM incident_sessions WHERE incident_id = i.id)
WHERE i.id = (SELECT max(id) FROM incidents WHERE service = 'immich');
INSERT INTO proposals (incident_id, session_id, tier, service, action_type, program, argv, dir, bound, fingerprint, reason, evidence, status, created_at, expires_at)
SELECT i.id, (SELECT max(session_id) FROM incident_sessions WHERE incident_id = i.id), 3, i.service, 'restart', '/usr/bin/docker', '["docker","restart","paperless-db-1"]', '/srv/stacks', '{"container paperless-db-1":"sha256:9a0c77"}', i.fingerprint,
	'The database refuses connections since its disk was full; there is room again (41 GiB), and it only needs a new start.' || char(10) || 'Paperless itself is well.',
	'http down: HTTP 500' || char(10) || 'container healthy', 'waiting', ago(900), ago(900 - 4 * 3600)
FROM incidents i WHERE i.id = (SELECT max(id) FROM incidents WHERE service = 'paperless');

-- What others told of it: once over, once still so.
INSERT INTO alerts (source, service, fingerprint, status, means, title, body, starts_at, ends_at, received_at, seen_session_id)
SELECT 'alertmanager', service, 'c1d2e3', 'resolved', 'degraded', 'the disk of the database is full', 'PostgresDiskFull: 100 % used', ago(7200), ago(1800), ago(1800),
	(SELECT max(session_id) FROM incident_sessions WHERE incident_id = incidents.id)
FROM incidents WHERE id = (SELECT max(id) FROM incidents WHERE service = 'paperless');
INSERT INTO alerts (source, service, fingerprint, status, means, title, body, starts_at, received_at, seen_session_id)
SELECT 'uptime-kuma', service, '12', 'firing', 'down', 'Paperless is down: HTTP 500', 'GET https://paperless.lab/: HTTP 500', ago(1200), ago(600),
	(SELECT max(session_id) FROM incident_sessions WHERE incident_id = incidents.id)
FROM incidents WHERE id = (SELECT max(id) FROM incidents WHERE service = 'paperless');
