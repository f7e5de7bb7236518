-- What the clocks said when the last cycle looked, to tell whether this one has jumped (RULE "Clock").

-- +goose Up
CREATE TABLE clock (
    id              INTEGER PRIMARY KEY CHECK (id = 1),
    trusted_at      TEXT    NOT NULL,
    trusted_boot_ms INTEGER NOT NULL, -- of the kernel's boot clock
    trusted_boot_id TEXT    NOT NULL,
    doubted_at      TEXT, -- when a clock that is not trusted was first seen; NULL while it is
    doubted_boot_ms INTEGER NOT NULL DEFAULT 0,
    doubted_boot_id TEXT    NOT NULL DEFAULT ''
);

-- +goose Down
DROP TABLE clock;
