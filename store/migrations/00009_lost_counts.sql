-- When a damaged database was made anew and what was done in the 24 h before could not all be read (RULE "Corrupt files"):
-- for a day, or until a person accepts it, nothing is remediated.

-- +goose Up
CREATE TABLE lost_counts (
    id          INTEGER PRIMARY KEY,
    lost_at     TEXT NOT NULL,
    accepted_at TEXT
);

-- +goose Down
DROP TABLE lost_counts;
