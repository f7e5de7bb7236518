-- +goose Up
CREATE TABLE acts (
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
-- An act of several sources was reserved by the first of them.
INSERT INTO acts (id, session_id, service, action_type, success, error, tier, source, tool_use_id, created_at, cleared_at)
SELECT id, session_id, service, action_type, success, error, tier, substr(source || ',', 1, instr(source || ',', ',') - 1), tool_use_id, created_at, cleared_at
FROM cooldown_actions;
DROP TABLE cooldown_actions;
ALTER TABLE acts RENAME TO cooldown_actions;
CREATE INDEX cooldown_actions_created_at ON cooldown_actions (created_at);
CREATE INDEX cooldown_actions_service ON cooldown_actions (service, action_type, created_at);
CREATE INDEX cooldown_actions_session_id ON cooldown_actions (session_id);
