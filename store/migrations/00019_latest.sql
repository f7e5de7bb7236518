-- +goose Up
-- The last result of each check type of a service by each source; of several of one batch the worst.
CREATE TABLE latest (
    service          TEXT    NOT NULL,
    check_type       TEXT    NOT NULL CHECK (check_type IN ('http', 'dns', 'container', 'database', 'service')),
    source           TEXT    NOT NULL CHECK (source IN ('report', 'probe')),
    session_id       INTEGER, -- may be pruned a little earlier
    status           TEXT    NOT NULL CHECK (status IN ('healthy', 'degraded', 'down', 'unknown')),
    error            TEXT    NOT NULL DEFAULT '',
    response_time_ms INTEGER,
    checked_at       TEXT    NOT NULL,
    PRIMARY KEY (service, check_type, source)
) WITHOUT ROWID;
INSERT INTO latest (service, check_type, source, session_id, status, error, response_time_ms, checked_at)
SELECT service, check_type, source, session_id, status, error, response_time_ms, checked_at FROM (
    SELECT *, row_number() OVER (
        PARTITION BY service, check_type, source
        ORDER BY checked_at DESC, CASE status WHEN 'unknown' THEN 0 WHEN 'healthy' THEN 1 WHEN 'degraded' THEN 2 ELSE 3 END DESC) AS place
    FROM health_checks)
WHERE place = 1;
