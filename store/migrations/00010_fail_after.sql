-- fail_after of a service delays what is done about an incident, by the cycles that found it (RULE "fail_after").

-- +goose Up
ALTER TABLE incidents ADD COLUMN unwell_cycles INTEGER NOT NULL DEFAULT 1; -- since it opened, or came back

-- +goose Down
ALTER TABLE incidents DROP COLUMN unwell_cycles;
