-- +goose Up
-- How a service was found in an hour, and how long its checks took. A look is all results of one batch, and as bad as the worst of them. An
-- hour is one of the clock on the wall of who checked, so that a day there has whole hours.
CREATE TABLE hours (
    service  TEXT    NOT NULL,
    hour     TEXT    NOT NULL,           -- when it begins
    healthy  INTEGER NOT NULL DEFAULT 0, -- looks that found it so, as do the next three
    degraded INTEGER NOT NULL DEFAULT 0,
    down     INTEGER NOT NULL DEFAULT 0,
    unknown  INTEGER NOT NULL DEFAULT 0,
    timed    INTEGER NOT NULL DEFAULT 0, -- results that say how long they took, of which the sum and the highest are
    sum_ms   INTEGER NOT NULL DEFAULT 0,
    max_ms   INTEGER,
    PRIMARY KEY (service, hour)
) WITHOUT ROWID;
INSERT INTO hours (service, hour, healthy, degraded, down, unknown)
SELECT service, hour, total(looks) FILTER (WHERE status = 'healthy'), total(looks) FILTER (WHERE status = 'degraded'),
    total(looks) FILTER (WHERE status = 'down'), total(looks) FILTER (WHERE status = 'unknown')
FROM look_hours GROUP BY service, hour;
UPDATE hours SET timed = c.timed, sum_ms = c.sum_ms, max_ms = c.max_ms
FROM (SELECT service, hour, sum(timed) AS timed, sum(sum_ms) AS sum_ms, max(max_ms) AS max_ms FROM check_hours GROUP BY service, hour) c
WHERE (c.service, c.hour) = (hours.service, hours.hour);
DROP TABLE look_hours;
DROP TABLE check_hours;
DROP TABLE check_samples;
DROP TABLE cost_hours;
ALTER TABLE health_checks DROP COLUMN left_out;
DROP INDEX health_checks_service;
CREATE INDEX health_checks_service ON health_checks (service, checked_at, source, check_type, status); -- history is read from the index alone
