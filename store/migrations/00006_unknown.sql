-- A check that could not be made says nothing about its service (RULE "Unknown is not down"). An incident knows since when its
-- service is healthy again, and in how many cycles in a row it was: until it is closed, it is recovering.

-- +goose Up
ALTER TABLE health_checks RENAME TO health_checks_5;
DROP INDEX health_checks_session_id;
DROP INDEX health_checks_service;
CREATE TABLE health_checks (
    id               INTEGER PRIMARY KEY,
    session_id       INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    service          TEXT    NOT NULL,
    check_type       TEXT    NOT NULL CHECK (check_type IN ('http', 'dns', 'container', 'database', 'service')),
    status           TEXT    NOT NULL CHECK (status IN ('healthy', 'degraded', 'down', 'unknown')),
    response_time_ms INTEGER,
    error            TEXT    NOT NULL DEFAULT '',
    checked_at       TEXT    NOT NULL,
    source           TEXT    NOT NULL DEFAULT 'report' CHECK (source IN ('report', 'probe'))
);
INSERT INTO health_checks (id, session_id, service, check_type, status, response_time_ms, error, checked_at, source)
    SELECT id, session_id, service, check_type, status, response_time_ms, error, checked_at, source FROM health_checks_5;
DROP TABLE health_checks_5;
CREATE INDEX health_checks_session_id ON health_checks (session_id, service);
CREATE INDEX health_checks_service ON health_checks (service, checked_at, status); -- uptime is counted from the index alone

ALTER TABLE incidents ADD COLUMN healthy_since TEXT;
ALTER TABLE incidents ADD COLUMN healthy_cycles INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE incidents DROP COLUMN healthy_cycles;
ALTER TABLE incidents DROP COLUMN healthy_since;
DELETE FROM health_checks WHERE status = 'unknown';
