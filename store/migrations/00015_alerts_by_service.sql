-- Alerts of different services are different ones, even if their senders give them the same fingerprint.

-- +goose Up
DROP INDEX alerts_firing;
CREATE UNIQUE INDEX alerts_firing ON alerts (source, service, fingerprint) WHERE status = 'firing';

-- +goose Down
UPDATE alerts SET status = 'resolved', ends_at = received_at
WHERE status = 'firing' AND id NOT IN (SELECT min(id) FROM alerts WHERE status = 'firing' GROUP BY source, fingerprint);
DROP INDEX alerts_firing;
CREATE UNIQUE INDEX alerts_firing ON alerts (source, fingerprint) WHERE status = 'firing';
