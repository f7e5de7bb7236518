-- A service that is unwell again within 4 h of its incident's end has the same incident still (RULE "Incident").

-- +goose Up
ALTER TABLE incidents ADD COLUMN returns INTEGER NOT NULL DEFAULT 0; -- how often it was unwell again
-- From then on its remediations count, whatever a recovery cleared: since an operator emptied the counters. NULL: since it opened.
ALTER TABLE incidents ADD COLUMN counted_from TEXT;

-- +goose Down
ALTER TABLE incidents DROP COLUMN counted_from;
ALTER TABLE incidents DROP COLUMN returns;
