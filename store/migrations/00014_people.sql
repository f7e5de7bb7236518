-- What people decide (proposals, acknowledged incidents) and what they are told by others (alerts). Cycles that an alert or a person's yes
-- starts, and notifications that ask for a yes.

-- +goose Up
CREATE TABLE proposals (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    incident_id     INTEGER REFERENCES incidents (id) ON DELETE SET NULL,
    session_id      INTEGER REFERENCES sessions (id) ON DELETE SET NULL, -- that asked; NULL: a person
    tier            INTEGER NOT NULL CHECK (tier BETWEEN 1 AND 3),
    service         TEXT    NOT NULL,
    action_type     TEXT    NOT NULL, -- restart, redeployment or ask
    program         TEXT    NOT NULL, -- its resolved path
    argv            TEXT    NOT NULL, -- a JSON array
    dir             TEXT    NOT NULL,
    bound           TEXT    NOT NULL DEFAULT '{}', -- digests of the files and images that it names, by name
    fingerprint     TEXT    NOT NULL DEFAULT '',   -- the incident's
    reason          TEXT    NOT NULL DEFAULT '',
    evidence        TEXT    NOT NULL DEFAULT '',
    status          TEXT    NOT NULL CHECK (status IN ('waiting', 'approved', 'rejected', 'expired', 'void', 'done', 'failed')),
    created_at      TEXT    NOT NULL,
    expires_at      TEXT    NOT NULL,
    decided_by      TEXT    NOT NULL DEFAULT '',
    decided_at      TEXT,
    outcome         TEXT    NOT NULL DEFAULT '', -- why it was rejected or is void, or how its run ended
    run_session_id  INTEGER REFERENCES sessions (id) ON DELETE SET NULL
);
CREATE INDEX proposals_status ON proposals (status, expires_at);
CREATE INDEX proposals_service ON proposals (service);
CREATE INDEX proposals_incident_id ON proposals (incident_id);
CREATE INDEX proposals_session_id ON proposals (session_id);
CREATE INDEX proposals_run_session_id ON proposals (run_session_id);

CREATE TABLE alerts (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    source          TEXT    NOT NULL,
    service         TEXT    NOT NULL,
    fingerprint     TEXT    NOT NULL,
    status          TEXT    NOT NULL CHECK (status IN ('firing', 'resolved')),
    means           TEXT    NOT NULL CHECK (means IN ('degraded', 'down')), -- how the service is while it fires
    title           TEXT    NOT NULL DEFAULT '',
    body            TEXT    NOT NULL DEFAULT '',
    starts_at       TEXT    NOT NULL,
    ends_at         TEXT,
    received_at     TEXT    NOT NULL,
    seen_session_id INTEGER REFERENCES sessions (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX alerts_firing ON alerts (source, fingerprint) WHERE status = 'firing';
CREATE INDEX alerts_service ON alerts (service, status);
CREATE INDEX alerts_received_at ON alerts (received_at);
CREATE INDEX alerts_seen_session_id ON alerts (seen_session_id);

CREATE TABLE undos (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id  INTEGER REFERENCES sessions (id) ON DELETE SET NULL, -- that did what can be undone
    tool_use_id TEXT    NOT NULL DEFAULT '', -- of its cooldown actions
    service     TEXT    NOT NULL,
    tier        INTEGER NOT NULL CHECK (tier BETWEEN 1 AND 3),
    done        TEXT    NOT NULL, -- the command that can be undone
    steps       TEXT    NOT NULL, -- the argument lists that undo it, a JSON array; the last is the redeployment
    dir         TEXT    NOT NULL,
    was         TEXT    NOT NULL, -- the state before, a JSON object
    became      TEXT    NOT NULL, -- the state after, a JSON object: it is undone only while this is what runs
    created_at  TEXT    NOT NULL,
    proposal_id INTEGER REFERENCES proposals (id) ON DELETE SET NULL -- that undoes it
);
CREATE INDEX undos_service ON undos (service);
CREATE INDEX undos_session_id ON undos (session_id);
CREATE INDEX undos_created_at ON undos (created_at);
CREATE INDEX undos_proposal_id ON undos (proposal_id);

ALTER TABLE incidents ADD COLUMN acknowledged_at TEXT;
ALTER TABLE incidents ADD COLUMN acknowledged_by TEXT NOT NULL DEFAULT '';

CREATE TABLE sessions_14 (
    id                INTEGER PRIMARY KEY AUTOINCREMENT, -- names raw logs, so an id never comes back
    tier              INTEGER NOT NULL CHECK (tier BETWEEN 1 AND 3),
    model             TEXT    NOT NULL DEFAULT '',
    agent             TEXT    NOT NULL DEFAULT '',
    prompt_file       TEXT    NOT NULL DEFAULT '',
    trigger           TEXT    NOT NULL CHECK (trigger IN ('manual', 'cron', 'systemd', 'kubernetes', 'escalation', 'alert', 'approval')),
    status            TEXT    NOT NULL CHECK (status IN ('running', 'completed', 'escalated', 'failed', 'timed_out', 'interrupted')),
    started_at        TEXT    NOT NULL,
    ended_at          TEXT,
    exit_code         INTEGER,
    cost_usd          REAL    NOT NULL DEFAULT 0 CHECK (cost_usd >= 0),
    num_turns         INTEGER NOT NULL DEFAULT 0,
    duration_ms       INTEGER NOT NULL DEFAULT 0,
    input_tokens      INTEGER NOT NULL DEFAULT 0,
    output_tokens     INTEGER NOT NULL DEFAULT 0,
    response          TEXT    NOT NULL DEFAULT '',
    error             TEXT    NOT NULL DEFAULT '',
    handoff_json      TEXT    NOT NULL DEFAULT '',
    log_path          TEXT    NOT NULL DEFAULT '',
    cli_session_id    TEXT    NOT NULL DEFAULT '',
    pid               INTEGER NOT NULL DEFAULT 0,
    pid_start         INTEGER NOT NULL DEFAULT 0,
    boot_id           TEXT    NOT NULL DEFAULT '',
    run_token         TEXT    NOT NULL DEFAULT '',
    parent_session_id INTEGER REFERENCES sessions (id),
    quiet             INTEGER NOT NULL DEFAULT 0, -- it found what the one before it had found
    question          TEXT    NOT NULL DEFAULT ''
);
INSERT INTO sqlite_sequence (name, seq) SELECT 'sessions_14', seq FROM sqlite_sequence WHERE name = 'sessions';
INSERT INTO sessions_14 SELECT
    id, tier, model, agent, prompt_file, trigger, status, started_at, ended_at, exit_code, cost_usd, num_turns, duration_ms, input_tokens, output_tokens,
    response, error, handoff_json, log_path, cli_session_id, pid, pid_start, boot_id, run_token, parent_session_id, quiet, question FROM sessions;
DROP TABLE sessions;
ALTER TABLE sessions_14 RENAME TO sessions;
CREATE INDEX sessions_status ON sessions (status);
CREATE INDEX sessions_tier ON sessions (tier);
CREATE INDEX sessions_started_at ON sessions (started_at, cost_usd); -- the cost of a day is summed from the index alone
CREATE INDEX sessions_parent_session_id ON sessions (parent_session_id);
CREATE INDEX sessions_loud ON sessions (id) WHERE quiet = 0;

CREATE TABLE cycles_14 (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    trigger     TEXT    NOT NULL CHECK (trigger IN ('manual', 'cron', 'systemd', 'kubernetes', 'alert', 'approval')),
    outcome     TEXT    NOT NULL CHECK (outcome IN ('completed', 'failed', 'interrupted')),
    started_at  TEXT    NOT NULL,
    duration_ms INTEGER NOT NULL
);
INSERT INTO sqlite_sequence (name, seq) SELECT 'cycles_14', seq FROM sqlite_sequence WHERE name = 'cycles';
INSERT INTO cycles_14 SELECT id, trigger, outcome, started_at, duration_ms FROM cycles;
DROP TABLE cycles;
ALTER TABLE cycles_14 RENAME TO cycles;
CREATE INDEX cycles_started_at ON cycles (started_at);

CREATE TABLE notifications_14 (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    incident_id     INTEGER REFERENCES incidents (id),
    kind            TEXT    NOT NULL CHECK (kind IN ('down', 'human_attention', 'approval', 'remediated', 'recovered', 'daily_digest', 'agent_failing', 'circuit_open', 'message')),
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
    last_error      TEXT    NOT NULL DEFAULT '',
    proposal_id     INTEGER REFERENCES proposals (id) ON DELETE SET NULL -- that it asks about
);
INSERT INTO notifications_14 SELECT
    id, incident_id, kind, type, service, cause, title, body, created_at, message_id, attempts, next_attempt_at, delivered_at, last_error, NULL FROM notifications;
DROP TABLE notifications;
ALTER TABLE notifications_14 RENAME TO notifications;
CREATE INDEX notifications_delivered_at ON notifications (delivered_at, next_attempt_at);
CREATE INDEX notifications_incident_id ON notifications (incident_id);
CREATE INDEX notifications_kind ON notifications (kind, created_at);
CREATE INDEX notifications_message_id ON notifications (message_id);
CREATE INDEX notifications_proposal_id ON notifications (proposal_id);

-- +goose Down
DROP INDEX notifications_proposal_id;
ALTER TABLE notifications DROP COLUMN proposal_id;
DELETE FROM notifications WHERE kind = 'approval';
ALTER TABLE incidents DROP COLUMN acknowledged_by;
ALTER TABLE incidents DROP COLUMN acknowledged_at;
DROP TABLE undos;
DROP TABLE alerts;
DROP TABLE proposals;
