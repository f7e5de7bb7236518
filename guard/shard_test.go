package guard

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
)

// shardWorld is argvWorld as one shard of four sees it.
func shardWorld(t testing.TB, tier int) World {
	t.Helper()
	w := argvWorld(t, tier)
	all, err := w.Inventory()
	if err != nil {
		t.Fatal(err)
	}
	w.Inventory = func() (*inventory.Inventory, error) { return all.Part(config.Shard{Index: 2, Count: 4}.Elsewhere), nil }
	return w
}

// TestShard judges calls about services of this shard, of other shards, and of no inventory.
func TestShard(t *testing.T) {
	rows := 0
	eachArgv(t, "testdata/shard/shard.txt", func(at, tier, acts string, call Call) {
		rows++
		if lowest, found, reason := judgeTiersIn(t, shardWorld, call); lowest != tier || found != acts {
			t.Errorf("%s: `%s` is %s %s, want %s %s; %s", at, CommandLine(call.Argv), lowest, found, tier, acts, reason)
		}
	})
	if rows < 15 {
		t.Errorf("%d rows, want 15 at least", rows)
	}
}

func TestARefusalNamesTheShardThatLooksAfterTheService(t *testing.T) {
	v := JudgeArgv(shardWorld(t, 2), typed(t, "docker restart shop-db-1"))
	if v.Allow || !strings.Contains(v.Reason, "`shop-db` is looked after by shard 4/4") {
		t.Errorf("allowed: %v, %q", v.Allow, v.Reason)
	}
}
