-- A cycle a minute finds the same 1,440 times a day. Of its results those stay that say something new; figures by the hour, which are of all
-- results, stand for the rest.

-- +goose Up
-- How a service was found in an hour: a look is all results of one batch, and as bad as the worst of them. An hour is one of the clock on the
-- wall of who checked, so that a day there has whole hours.
CREATE TABLE look_hours (
    service  TEXT    NOT NULL,
    hour     TEXT    NOT NULL, -- when it begins
    status   TEXT    NOT NULL CHECK (status IN ('healthy', 'degraded', 'down', 'unknown')),
    looks    INTEGER NOT NULL,
    first_at TEXT    NOT NULL,
    last_at  TEXT    NOT NULL,
    PRIMARY KEY (service, hour, status)
) WITHOUT ROWID;

-- What the checks of one type found in an hour.
CREATE TABLE check_hours (
    service    TEXT    NOT NULL,
    check_type TEXT    NOT NULL CHECK (check_type IN ('http', 'dns', 'container', 'database', 'service')),
    hour       TEXT    NOT NULL,
    checks     INTEGER NOT NULL,
    degraded   INTEGER NOT NULL, -- of these, as are the next two
    down       INTEGER NOT NULL,
    unknown    INTEGER NOT NULL,
    timed      INTEGER NOT NULL, -- that say how long they took, of which the sum and what follows are
    sum_ms     INTEGER NOT NULL,
    min_ms     INTEGER,
    median_ms  INTEGER,          -- of an even number the lower one of both in the middle
    max_ms     INTEGER,
    first_at   TEXT    NOT NULL,
    PRIMARY KEY (service, check_type, hour)
) WITHOUT ROWID;

-- Each check of an hour, for a day: a table of its own, so that what goes leaves no holes in the other.
CREATE TABLE check_samples (
    service    TEXT NOT NULL,
    check_type TEXT NOT NULL,
    hour       TEXT NOT NULL,
    samples    TEXT NOT NULL, -- [[ms after hour, response_time_ms, how bad], ...]
    PRIMARY KEY (service, check_type, hour)
) WITHOUT ROWID;

-- What a clock on the wall shows of the hour is taken off, as hourOf does: not all zones begin their hours with those of UTC.
CREATE VIEW timed_checks AS
    SELECT *, coalesce(strftime('%Y-%m-%dT%H:%M:00.000Z', checked_at, '-' || strftime('%M', checked_at, 'localtime') || ' minutes'), substr(checked_at, 1, 13) || ':00:00.000Z') AS hour FROM health_checks;
INSERT INTO look_hours (service, hour, status, looks, first_at, last_at)
    SELECT service, hour, status, count(*), min(checked_at), max(checked_at) FROM (
        SELECT service, checked_at, hour, CASE max(CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 2 ELSE 3 END)
            WHEN 0 THEN 'unknown' WHEN 1 THEN 'healthy' WHEN 2 THEN 'degraded' ELSE 'down' END AS status
        FROM timed_checks GROUP BY service, checked_at)
    GROUP BY 1, 2, 3;
INSERT INTO check_hours (service, check_type, hour, checks, degraded, down, unknown, timed, sum_ms, min_ms, median_ms, max_ms, first_at)
    SELECT service, check_type, hour, count(*), count(*) FILTER (WHERE status = 'degraded'), count(*) FILTER (WHERE status = 'down'),
        count(*) FILTER (WHERE status = 'unknown'), count(response_time_ms), coalesce(sum(response_time_ms), 0), min(response_time_ms),
        max(response_time_ms) FILTER (WHERE place = (timed + 1) / 2), max(response_time_ms), min(checked_at)
    FROM (
        SELECT *, iif(response_time_ms IS NULL, NULL, row_number() OVER (PARTITION BY service, check_type, hour ORDER BY response_time_ms IS NULL, response_time_ms)) AS place,
            count(response_time_ms) OVER (PARTITION BY service, check_type, hour) AS timed
        FROM timed_checks)
    GROUP BY service, check_type, hour;
INSERT INTO check_samples (service, check_type, hour, samples)
    SELECT service, check_type, hour, json_group_array(json_array(
        CAST(round((julianday(checked_at) - julianday(hour)) * 86400000) AS INTEGER), response_time_ms,
        CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 2 ELSE 3 END))
    FROM timed_checks WHERE checked_at > strftime('%Y-%m-%dT%H:00:00.000Z', 'now', '-25 hours')
    GROUP BY service, check_type, hour;
DROP VIEW timed_checks;

-- What the sessions cost that were started in an hour, in millionths of a dollar.
CREATE TABLE cost_hours (
    hour      TEXT    PRIMARY KEY,
    micro_usd INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO cost_hours (hour, micro_usd)
    SELECT coalesce(strftime('%Y-%m-%dT%H:%M:00.000Z', started_at, '-' || strftime('%M', started_at, 'localtime') || ' minutes'), substr(started_at, 1, 13) || ':00:00.000Z'),
        sum(CAST(round(min(cost_usd, 1e6) * 1e6) AS INTEGER)) FROM sessions WHERE cost_usd > 0 GROUP BY 1;

-- NULL: the result stays. A number: it is of a quiet cycle, and goes when the next one finds the same; so many looks before it did.
ALTER TABLE health_checks ADD COLUMN left_out INTEGER;
-- A quiet cycle's: it found what the one before it had found.
ALTER TABLE sessions ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sessions_loud ON sessions (id) WHERE quiet = 0;

-- +goose Down
DROP INDEX sessions_loud;
ALTER TABLE sessions DROP COLUMN quiet;
ALTER TABLE health_checks DROP COLUMN left_out;
DROP TABLE cost_hours;
DROP TABLE check_samples;
DROP TABLE check_hours;
DROP TABLE look_hours;
