package main

import (
	"context"
	"errors"
)

// awaitLag returns, within 10 s, when a replica has received what it does not replay, and is 2 s behind: a replica that has just started,
// or to which nothing came yet, is not behind.
const awaitLag = `DO $$ BEGIN FOR i IN 1..100 LOOP
	EXIT WHEN pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn()
		AND clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time()) > interval '2 s';
	PERFORM pg_sleep(0.1);
END LOOP; END $$`

func init() {
	register(Case{
		Name: "replication-paused", Kind: Fault, Summary: "a replica of PostgreSQL receives and replays nothing",
		Services: []string{"db-replica"}, Terms: [][]string{{"replica", "replication"}, {"pause", "not replay", "replays nothing", "stopped replaying"}}, Needs: []string{postgres},
		Inject: func(ctx context.Context, lab *Lab) error {
			primary, err := lab.primary()
			if err != nil {
				return err
			}
			replica, err := lab.replica()
			if err != nil {
				return err
			}
			return errors.Join(replica.do(ctx, dbAdmin, "SELECT pg_wal_replay_pause()"), primary.do(ctx, dbAdmin, "CREATE TABLE news (); DROP TABLE news"),
				replica.do(ctx, dbAdmin, awaitLag))
		},
		Cure: "restart",
	})
}
