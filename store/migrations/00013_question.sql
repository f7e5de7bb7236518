-- What a person asked of a session (run-once --prompt).

-- +goose Up
ALTER TABLE sessions ADD COLUMN question TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE sessions DROP COLUMN question;
