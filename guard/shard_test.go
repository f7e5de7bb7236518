package guard

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
)

// shardWorld is the table's world as one shard of four sees it.
func shardWorld(t testing.TB, tier int) World {
	t.Helper()
	w := tableWorld(t, tier)
	all, err := w.Inventory()
	if err != nil {
		t.Fatal(err)
	}
	w.Inventory = func() (*inventory.Inventory, error) { return all.Part(config.Shard{Index: 2, Count: 4}.Elsewhere), nil }
	return w
}

// TestShard judges commands that mean services of this shard, of others, and such as no inventory names.
func TestShard(t *testing.T) {
	rows := 0
	eachRow(t, "testdata/shard/shard.txt", func(at, tier, acts, command string) {
		rows++
		checkRow(t, shardWorld, at, tier, acts, command)
	})
	if rows < 15 {
		t.Errorf("%d rows, want 15 at least", rows)
	}
}

func TestARefusalNamesTheShardThatLooksAfterTheService(t *testing.T) {
	v := shardWorld(t, 2).Shell("docker restart shop-db-1")
	if v.Allow || !strings.Contains(v.Reason, "`shop-db` is looked after by shard 4/4") {
		t.Errorf("allowed: %v, %q", v.Allow, v.Reason)
	}
}
