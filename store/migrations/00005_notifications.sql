-- Messages to people: of what type they are, which of them went out as one, how each target does, and what is not to be told now
-- (RULE "Outbox"). Beside them what metrics need that outlives the rows it is counted from.

-- +goose Up
DROP TABLE deliveries;
ALTER TABLE notifications RENAME TO notifications_4;
DROP INDEX notifications_delivered_at;
DROP INDEX notifications_incident_id;
DROP INDEX notifications_kind;
CREATE TABLE notifications (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    incident_id     INTEGER REFERENCES incidents (id),
    kind            TEXT    NOT NULL CHECK (kind IN ('human_attention', 'remediated', 'recovered', 'daily_digest', 'agent_failing', 'circuit_open', 'message')),
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
INSERT INTO notifications (id, incident_id, kind, type, service, cause, title, body, created_at, attempts, next_attempt_at, delivered_at, last_error)
    SELECT id, incident_id, kind,
        CASE kind WHEN 'human_attention' THEN 'failure' WHEN 'daily_digest' THEN 'info' WHEN 'remediated' THEN 'success' WHEN 'recovered' THEN 'success' ELSE 'warning' END,
        service, cause, title, body, created_at, attempts, next_attempt_at, delivered_at, last_error
    FROM notifications_4;
DROP TABLE notifications_4;
CREATE INDEX notifications_delivered_at ON notifications (delivered_at, next_attempt_at);
CREATE INDEX notifications_incident_id ON notifications (incident_id);
CREATE INDEX notifications_kind ON notifications (kind, created_at);
CREATE INDEX notifications_message_id ON notifications (message_id);

CREATE TABLE deliveries (
    notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE, -- of several that are one message, the first
    target_hash     TEXT    NOT NULL,
    delivered_at    TEXT    NOT NULL,
    PRIMARY KEY (notification_id, target_hash)
) WITHOUT ROWID;

-- Targets that could not be reached. One that works again has no row.
CREATE TABLE targets (
    hash          TEXT    PRIMARY KEY,
    name          TEXT    NOT NULL, -- for people, without passwords
    failing_since TEXT    NOT NULL,
    attempts      INTEGER NOT NULL,
    retry_at      TEXT    NOT NULL,
    last_error    TEXT    NOT NULL
) WITHOUT ROWID;

CREATE TABLE silences (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    service    TEXT    NOT NULL, -- empty: everything is paused
    reason     TEXT    NOT NULL DEFAULT '',
    created_at TEXT    NOT NULL,
    until      TEXT    NOT NULL,
    ended_at   TEXT,             -- where somebody ended it before that
    told_at    TEXT              -- when the message about its end was queued
);
CREATE INDEX silences_told_at ON silences (told_at);

CREATE TABLE cycles (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    trigger     TEXT    NOT NULL CHECK (trigger IN ('manual', 'cron', 'systemd', 'kubernetes')),
    outcome     TEXT    NOT NULL CHECK (outcome IN ('completed', 'failed', 'interrupted')),
    started_at  TEXT    NOT NULL,
    duration_ms INTEGER NOT NULL
);
CREATE INDEX cycles_started_at ON cycles (started_at);

-- What was pruned, summed up, so that totals never fall.
CREATE TABLE pruned_sessions (
    tier          INTEGER NOT NULL,
    status        TEXT    NOT NULL,
    sessions      INTEGER NOT NULL,
    cost_usd      REAL    NOT NULL,
    input_tokens  INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    PRIMARY KEY (tier, status)
) WITHOUT ROWID;
CREATE TABLE pruned_actions (
    action_type TEXT    NOT NULL,
    success     INTEGER NOT NULL,
    actions     INTEGER NOT NULL,
    PRIMARY KEY (action_type, success)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE pruned_actions;
DROP TABLE pruned_sessions;
DROP TABLE cycles;
DROP TABLE silences;
DROP TABLE targets;
DROP INDEX notifications_message_id;
DELETE FROM notifications WHERE kind = 'message';
ALTER TABLE notifications DROP COLUMN message_id;
ALTER TABLE notifications DROP COLUMN type;
