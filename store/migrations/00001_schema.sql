-- Times are text, UTC, 2006-01-02T15:04:05.000Z, so that they sort as they follow. docs/state-files.md says what each row is.

CREATE TABLE sessions (
    id                INTEGER PRIMARY KEY AUTOINCREMENT, -- names raw logs, so an id never comes back
    parent_session_id INTEGER REFERENCES sessions (id),  -- whose handoff started it (SPEC-0016 "Database Schema for Escalation Chains")
    root_id           INTEGER NOT NULL DEFAULT 0,        -- the first session of the chain, for Tier 1 the session itself
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
    log_path          TEXT    NOT NULL DEFAULT '',
    cli_session_id    TEXT    NOT NULL DEFAULT '',
    pid               INTEGER NOT NULL DEFAULT 0,
    pid_start         INTEGER NOT NULL DEFAULT 0,
    boot_id           TEXT    NOT NULL DEFAULT '',
    run_token         TEXT    NOT NULL DEFAULT '',
    quiet             INTEGER NOT NULL DEFAULT 0, -- it found what the one before it had found
    -- Long texts are last, so that other columns are read without them.
    response          TEXT    NOT NULL DEFAULT '',
    error             TEXT    NOT NULL DEFAULT '',
    handoff_json      TEXT    NOT NULL DEFAULT '',
    question          TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX sessions_root_id ON sessions (root_id);
CREATE INDEX sessions_status ON sessions (status, root_id);
CREATE INDEX sessions_tier ON sessions (tier, root_id);
CREATE INDEX sessions_started_at ON sessions (started_at, cost_usd); -- the cost of a day is summed from the index alone
CREATE INDEX sessions_parent_session_id ON sessions (parent_session_id);
CREATE INDEX sessions_loud ON sessions (root_id) WHERE quiet = 0;
CREATE TRIGGER session_added AFTER INSERT ON sessions WHEN new.root_id = 0 BEGIN
    UPDATE sessions SET root_id = coalesce((SELECT root_id FROM sessions WHERE id = new.parent_session_id), id) WHERE id = new.id;
END;

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

CREATE TABLE incidents (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    service         TEXT    NOT NULL,
    status          TEXT    NOT NULL CHECK (status IN ('healthy', 'degraded', 'down')),
    fingerprint     TEXT    NOT NULL DEFAULT '',
    opened_at       TEXT    NOT NULL,
    last_seen_at    TEXT    NOT NULL,
    closed_at       TEXT,
    healthy_since   TEXT,                       -- while it is recovering
    healthy_cycles  INTEGER NOT NULL DEFAULT 0, -- in a row since then
    unwell_cycles   INTEGER NOT NULL DEFAULT 1, -- since it opened or came back
    returns         INTEGER NOT NULL DEFAULT 0, -- how often it was unwell again
    counted_from    TEXT, -- since an operator emptied the counters, its remediations count from then on; NULL: since it opened
    dead_ends       INTEGER NOT NULL DEFAULT 0,
    retry_at        TEXT,
    last_chain      TEXT    NOT NULL DEFAULT '' CHECK (last_chain IN ('', 'solved', 'attention')),
    hollow_fixes    INTEGER NOT NULL DEFAULT 0,
    acknowledged_at TEXT,
    acknowledged_by TEXT    NOT NULL DEFAULT ''
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

-- Services that are unwell while one that they depend on is: their trouble belongs to its incident.
CREATE TABLE incident_dependents (
    incident_id   INTEGER NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
    service       TEXT    NOT NULL,
    status        TEXT    NOT NULL CHECK (status IN ('healthy', 'degraded', 'down')),
    first_seen_at TEXT    NOT NULL,
    last_seen_at  TEXT    NOT NULL,
    PRIMARY KEY (incident_id, service)
) WITHOUT ROWID;

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
CREATE INDEX health_checks_session_id ON health_checks (session_id, service);
CREATE INDEX health_checks_service ON health_checks (service, checked_at, source, check_type, status); -- history is read from the index alone

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
    -- Of the last check that could be made; empty if none could.
    made             TEXT    NOT NULL DEFAULT '' CHECK (made IN ('', 'healthy', 'degraded', 'down')),
    made_error       TEXT    NOT NULL DEFAULT '',
    unwell_at        TEXT, -- when it was last degraded or down
    healthy_at       TEXT, -- when it was last healthy
    PRIMARY KEY (service, check_type, source)
) WITHOUT ROWID;

-- How a service was found in an hour, and how long its checks took. A look is all results of one batch, and as bad as the worst of them. An
-- hour is one of the clock on the wall of who checked, so that a day there has whole hours.
CREATE TABLE hours (
    service    TEXT    NOT NULL,
    hour       TEXT    NOT NULL,           -- when it begins
    healthy    INTEGER NOT NULL DEFAULT 0, -- looks that found it so, as do the next three
    degraded   INTEGER NOT NULL DEFAULT 0,
    down       INTEGER NOT NULL DEFAULT 0,
    unknown    INTEGER NOT NULL DEFAULT 0,
    timed      INTEGER NOT NULL DEFAULT 0, -- results that say how long they took, of which the sum and the highest are
    sum_ms     INTEGER NOT NULL DEFAULT 0,
    max_ms     INTEGER,
    watched_ms INTEGER NOT NULL DEFAULT 0, -- from the looks before, each as it was found by the one before, unless that is too old or could not be made
    down_ms    INTEGER NOT NULL DEFAULT 0, -- of these, how long it was down
    PRIMARY KEY (service, hour)
) WITHOUT ROWID;

CREATE TABLE cooldown_actions (
    id          TEXT    PRIMARY KEY, -- also of the record in cooldown.json, which an 'action' has not
    session_id  INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
    service     TEXT    NOT NULL,
    action_type TEXT    NOT NULL CHECK (action_type IN ('restart', 'redeployment', 'action')),
    success     INTEGER NOT NULL CHECK (success IN (0, 1)),
    error       TEXT    NOT NULL DEFAULT '',
    tier        INTEGER NOT NULL DEFAULT 0 CHECK (tier BETWEEN 0 AND 3), -- 0: not an agent's
    source      TEXT    NOT NULL, -- who told of it: guard, record, file
    tool_use_id TEXT    NOT NULL DEFAULT '',
    detail      TEXT    NOT NULL DEFAULT '', -- the command, or the name of the operator's action
    created_at  TEXT    NOT NULL,
    cleared_at  TEXT
) WITHOUT ROWID;
CREATE INDEX cooldown_actions_created_at ON cooldown_actions (created_at);
CREATE INDEX cooldown_actions_service ON cooldown_actions (service, action_type, created_at);
CREATE INDEX cooldown_actions_session_id ON cooldown_actions (session_id);

-- When a new database took the place of one that was set aside: for a day, or until a person accepts it, nothing is remediated.
CREATE TABLE lost_counts (
    id          INTEGER PRIMARY KEY,
    lost_at     TEXT NOT NULL,
    accepted_at TEXT
);

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
CREATE INDEX alerts_service ON alerts (service, status);
CREATE INDEX alerts_received_at ON alerts (received_at);
CREATE INDEX alerts_seen_session_id ON alerts (seen_session_id);
CREATE UNIQUE INDEX alerts_firing ON alerts (source, service, fingerprint) WHERE status = 'firing';

CREATE TABLE notifications (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    incident_id     INTEGER REFERENCES incidents (id),
    kind            TEXT    NOT NULL CHECK (kind IN ('down', 'human_attention', 'approval', 'remediated', 'recovered', 'daily_digest', 'agent_failing', 'message')),
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
    proposal_id     INTEGER REFERENCES proposals (id) ON DELETE SET NULL, -- that it asks about
    -- Of its incident when it was queued: of a service that was degraded, people are told again once it is down.
    status          TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX notifications_delivered_at ON notifications (delivered_at, next_attempt_at);
CREATE INDEX notifications_incident_id ON notifications (incident_id);
CREATE INDEX notifications_kind ON notifications (kind, created_at);
CREATE INDEX notifications_message_id ON notifications (message_id);
CREATE INDEX notifications_proposal_id ON notifications (proposal_id);

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
    ended_at   TEXT              -- where somebody ended it before that
);

CREATE TABLE cycles (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    trigger     TEXT    NOT NULL CHECK (trigger IN ('manual', 'cron', 'systemd', 'kubernetes', 'alert', 'approval')),
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

CREATE TRIGGER session_pruned AFTER DELETE ON sessions BEGIN
    INSERT INTO pruned_sessions (tier, status, sessions, cost_usd, input_tokens, output_tokens)
    VALUES (old.tier, old.status, 1, old.cost_usd, old.input_tokens, old.output_tokens)
    ON CONFLICT DO UPDATE SET sessions = sessions + 1, cost_usd = round(cost_usd + excluded.cost_usd, 6),
        input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens;
END;

CREATE TRIGGER action_pruned AFTER DELETE ON cooldown_actions WHEN old.success OR old.error <> 'in progress' BEGIN
    INSERT INTO pruned_actions (action_type, success, actions) VALUES (old.action_type, old.success, 1)
    ON CONFLICT DO UPDATE SET actions = actions + 1;
END;
