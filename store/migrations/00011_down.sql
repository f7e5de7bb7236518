-- That a service is down is told before anybody has worked on it (notifications of kind down).

-- +goose Up
CREATE TABLE notifications_11 (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    incident_id     INTEGER REFERENCES incidents (id),
    kind            TEXT    NOT NULL CHECK (kind IN ('down', 'human_attention', 'remediated', 'recovered', 'daily_digest', 'agent_failing', 'circuit_open', 'message')),
    type            TEXT    NOT NULL CHECK (type IN ('info', 'success', 'warning', 'failure')), -- Apprise's
    service         TEXT    NOT NULL DEFAULT '',
    cause           TEXT    NOT NULL DEFAULT '',
    title           TEXT    NOT NULL,
    body            TEXT    NOT NULL DEFAULT '',
    created_at      TEXT    NOT NULL,
    message_id      INTEGER, -- the first notification of those that go out as one message; set once, before it is first sent
    attempts        INTEGER NOT NULL DEFAULT 0,
    next_attempt_at TEXT    NOT NULL,
    delivered_at    TEXT,    -- when every target had it
    last_error      TEXT    NOT NULL DEFAULT ''
);
INSERT INTO notifications_11 SELECT
    id, incident_id, kind, type, service, cause, title, body, created_at, message_id, attempts, next_attempt_at, delivered_at, last_error FROM notifications;
DROP TABLE notifications;
ALTER TABLE notifications_11 RENAME TO notifications;
CREATE INDEX notifications_delivered_at ON notifications (delivered_at, next_attempt_at);
CREATE INDEX notifications_incident_id ON notifications (incident_id);
CREATE INDEX notifications_kind ON notifications (kind, created_at);
CREATE INDEX notifications_message_id ON notifications (message_id);

-- +goose Down
DELETE FROM notifications WHERE kind = 'down';
