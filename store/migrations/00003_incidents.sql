-- What must not repeat hangs on the incident: sessions that worked on it, and what people were told (RULE "Incident",
-- "Notifications are an outbox").

-- +goose Up
CREATE TABLE incidents (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    service      TEXT    NOT NULL,
    status       TEXT    NOT NULL CHECK (status IN ('healthy', 'degraded', 'down')),
    fingerprint  TEXT    NOT NULL DEFAULT '',
    opened_at    TEXT    NOT NULL,
    last_seen_at TEXT    NOT NULL,
    closed_at    TEXT,
    dead_ends    INTEGER NOT NULL DEFAULT 0,
    retry_at     TEXT,
    last_chain   TEXT    NOT NULL DEFAULT '' CHECK (last_chain IN ('', 'solved', 'attention')),
    hollow_fixes INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX incidents_open ON incidents (service) WHERE closed_at IS NULL;
CREATE INDEX incidents_service ON incidents (service, opened_at);

CREATE TABLE incident_sessions (
    incident_id INTEGER NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
    session_id  INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    findings    TEXT    NOT NULL DEFAULT '',
    attempted   TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (incident_id, session_id)
) WITHOUT ROWID;
CREATE INDEX incident_sessions_session_id ON incident_sessions (session_id);

CREATE TABLE notifications (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    incident_id     INTEGER REFERENCES incidents (id),
    kind            TEXT    NOT NULL CHECK (kind IN ('human_attention', 'remediated', 'recovered', 'daily_digest', 'agent_failing', 'circuit_open')),
    service         TEXT    NOT NULL DEFAULT '',
    cause           TEXT    NOT NULL DEFAULT '',
    title           TEXT    NOT NULL,
    body            TEXT    NOT NULL DEFAULT '',
    created_at      TEXT    NOT NULL,
    attempts        INTEGER NOT NULL DEFAULT 0,
    next_attempt_at TEXT    NOT NULL,
    delivered_at    TEXT, -- when every target had it
    last_error      TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX notifications_delivered_at ON notifications (delivered_at, next_attempt_at);
CREATE INDEX notifications_incident_id ON notifications (incident_id);
CREATE INDEX notifications_kind ON notifications (kind, created_at);

CREATE TABLE deliveries (
    notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    target_hash     TEXT    NOT NULL,
    delivered_at    TEXT    NOT NULL,
    PRIMARY KEY (notification_id, target_hash)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE deliveries;
DROP TABLE notifications;
DROP TABLE incident_sessions;
DROP TABLE incidents;
