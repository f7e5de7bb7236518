package drill

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "replication-paused", Kind: Fault, Summary: "a replica of PostgreSQL receives and replays nothing",
		Services: []string{"db-replica"}, Terms: [][]string{{"replica", "replication"}, {"behind", "lag", "paused", "replay"}}, Needs: []string{postgres},
		Inject: func(ctx context.Context, lab *Lab) error {
			primary, err := lab.primary()
			if err != nil {
				return err
			}
			replica, err := lab.replica()
			if err != nil {
				return err
			}
			return errors.Join(replica.do(ctx, dbAdmin, "SELECT pg_wal_replay_pause()"), primary.do(ctx, dbAdmin, "CREATE TABLE news (); DROP TABLE news"))
		},
		Cure: func(*Lab) [][]string { return [][]string{{"labctl", "restart", "db-replica"}} },
	})
}
