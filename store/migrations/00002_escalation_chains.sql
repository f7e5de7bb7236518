-- A tier that was started by another one's handoff names that one's session (SPEC-0016 "Database Schema for Escalation Chains").

-- +goose Up
ALTER TABLE sessions ADD COLUMN parent_session_id INTEGER REFERENCES sessions(id);
CREATE INDEX sessions_parent_session_id ON sessions (parent_session_id);

-- +goose Down
DROP INDEX sessions_parent_session_id;
ALTER TABLE sessions DROP COLUMN parent_session_id;
