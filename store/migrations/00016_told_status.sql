-- The status of its incident when a notification was queued: of a service that was degraded, people are told again once it is down.

-- +goose Up
ALTER TABLE notifications ADD COLUMN status TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE notifications DROP COLUMN status;
