-- What the program records of each tier that ran. Times are text, UTC, 2006-01-02T15:04:05.000Z, so that they sort as they follow.

-- +goose Up
CREATE TABLE sessions (
    id             INTEGER PRIMARY KEY AUTOINCREMENT, -- names raw logs, so an id never comes back
    tier           INTEGER NOT NULL CHECK (tier BETWEEN 1 AND 3),
    model          TEXT    NOT NULL DEFAULT '',
    agent          TEXT    NOT NULL DEFAULT '',
    prompt_file    TEXT    NOT NULL DEFAULT '',
    trigger        TEXT    NOT NULL CHECK (trigger IN ('manual', 'cron', 'systemd', 'kubernetes', 'escalation')),
    status         TEXT    NOT NULL CHECK (status IN ('running', 'completed', 'escalated', 'failed', 'timed_out', 'interrupted')),
    started_at     TEXT    NOT NULL,
    ended_at       TEXT,
    exit_code      INTEGER,
    cost_usd       REAL    NOT NULL DEFAULT 0 CHECK (cost_usd >= 0),
    num_turns      INTEGER NOT NULL DEFAULT 0,
    duration_ms    INTEGER NOT NULL DEFAULT 0,
    input_tokens   INTEGER NOT NULL DEFAULT 0,
    output_tokens  INTEGER NOT NULL DEFAULT 0,
    response       TEXT    NOT NULL DEFAULT '',
    error          TEXT    NOT NULL DEFAULT '',
    handoff_json   TEXT    NOT NULL DEFAULT '',
    log_path       TEXT    NOT NULL DEFAULT '',
    cli_session_id TEXT    NOT NULL DEFAULT '',
    pid            INTEGER NOT NULL DEFAULT 0,
    pid_start      INTEGER NOT NULL DEFAULT 0,
    boot_id        TEXT    NOT NULL DEFAULT '',
    run_token      TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX sessions_status ON sessions (status);
CREATE INDEX sessions_tier ON sessions (tier);
CREATE INDEX sessions_started_at ON sessions (started_at, cost_usd); -- the cost of a day is summed from the index alone

CREATE TABLE events (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    level      TEXT    NOT NULL CHECK (level IN ('info', 'warning', 'critical')),
    service    TEXT    NOT NULL DEFAULT '',
    message    TEXT    NOT NULL,
    created_at TEXT    NOT NULL
);
CREATE INDEX events_session_id ON events (session_id);
CREATE INDEX events_service ON events (service);
CREATE INDEX events_level ON events (level);

CREATE TABLE health_checks (
    id               INTEGER PRIMARY KEY,
    session_id       INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    service          TEXT    NOT NULL,
    check_type       TEXT    NOT NULL CHECK (check_type IN ('http', 'dns', 'container', 'database', 'service')),
    status           TEXT    NOT NULL CHECK (status IN ('healthy', 'degraded', 'down')),
    response_time_ms INTEGER,
    error            TEXT    NOT NULL DEFAULT '',
    checked_at       TEXT    NOT NULL
);
CREATE INDEX health_checks_session_id ON health_checks (session_id, service);
CREATE INDEX health_checks_service ON health_checks (service, checked_at, status); -- uptime is counted from the index alone

CREATE TABLE cooldown_actions (
    id          TEXT    PRIMARY KEY, -- the record's id in cooldown.json
    session_id  INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
    service     TEXT    NOT NULL,
    action_type TEXT    NOT NULL CHECK (action_type IN ('restart', 'redeployment')),
    success     INTEGER NOT NULL CHECK (success IN (0, 1)),
    error       TEXT    NOT NULL DEFAULT '',
    tier        INTEGER NOT NULL DEFAULT 0 CHECK (tier BETWEEN 0 AND 3), -- 0: not an agent's
    source      TEXT    NOT NULL, -- who told of it, with commas between: guard, record, file, marker
    tool_use_id TEXT    NOT NULL DEFAULT '',
    created_at  TEXT    NOT NULL,
    cleared_at  TEXT
) WITHOUT ROWID;
CREATE INDEX cooldown_actions_created_at ON cooldown_actions (created_at);
CREATE INDEX cooldown_actions_service ON cooldown_actions (service, action_type, created_at);
CREATE INDEX cooldown_actions_session_id ON cooldown_actions (session_id);

-- +goose Down
DROP TABLE cooldown_actions;
DROP TABLE health_checks;
DROP TABLE events;
DROP TABLE sessions;
