-- +goose Up
-- The first session of the chain, for Tier 1 the session itself: a chain is the sessions with its root.
ALTER TABLE sessions ADD COLUMN root_id INTEGER NOT NULL DEFAULT 0;
WITH RECURSIVE chain (root, id) AS (
    SELECT id, id FROM sessions WHERE parent_session_id IS NULL
    UNION ALL
    SELECT root, s.id FROM chain JOIN sessions s ON s.parent_session_id = chain.id)
UPDATE sessions SET root_id = root FROM chain WHERE chain.id = sessions.id;
CREATE INDEX sessions_root_id ON sessions (root_id);
DROP INDEX sessions_status;
DROP INDEX sessions_tier;
DROP INDEX sessions_loud;
CREATE INDEX sessions_status ON sessions (status, root_id);
CREATE INDEX sessions_tier ON sessions (tier, root_id);
CREATE INDEX sessions_loud ON sessions (root_id) WHERE quiet = 0;
