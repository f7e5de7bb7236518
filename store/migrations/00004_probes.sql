-- The program's own checks beside what agents report: they overrule it (RULE "Consecutive healthy").

-- +goose Up
ALTER TABLE health_checks ADD COLUMN source TEXT NOT NULL DEFAULT 'report' CHECK (source IN ('report', 'probe'));

CREATE TABLE container_restarts (
    container TEXT    PRIMARY KEY, -- its id
    restarts  INTEGER NOT NULL,    -- by its restart policy, since it was made
    seen_at   TEXT    NOT NULL
) WITHOUT ROWID;

-- Services that are unwell while one that they depend on is: their trouble belongs to its incident.
CREATE TABLE incident_dependents (
    incident_id   INTEGER NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
    service       TEXT    NOT NULL,
    status        TEXT    NOT NULL CHECK (status IN ('healthy', 'degraded', 'down')),
    first_seen_at TEXT    NOT NULL,
    last_seen_at  TEXT    NOT NULL,
    PRIMARY KEY (incident_id, service)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE incident_dependents;
DROP TABLE container_restarts;
ALTER TABLE health_checks DROP COLUMN source;
