package config

import (
	"fmt"
	"strconv"
	"testing"
)

// names returns similar names, like those of a real fleet.
func names(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("web-%05d.example.org", i)
	}
	return list
}

func TestOwnersOfServicesNeverChange(t *testing.T) {
	for _, c := range []struct {
		service string
		count   int
		want    int
	}{
		{"shop", 2, 2}, {"shop", 4, 2}, {"shop", 1000, 822}, {"shop-db", 4, 4}, {"blog", 4, 2}, {"", 4, 4},
		{"Bücher", 7, 3}, {"web-00001.example.org", 64, 54}, {"web-00002.example.org", 64, 58},
	} {
		if got := (Shard{Count: c.count}).Owner(c.service); got != (Shard{c.want, c.count}) {
			t.Errorf("%q of %d is owned by %v, want %d: a service that moves forgets its records", c.service, c.count, got, c.want)
		}
	}
}

func TestEveryServiceIsOnExactlyOneShardAndTheyAreEven(t *testing.T) {
	services := names(100_000)
	const shards = 64
	count := map[int]int{}
	for i, service := range services {
		owner := Shard{Index: 1, Count: shards}.Owner(service)
		count[owner.Index]++
		if i%97 != 0 {
			continue
		}
		owners := 0
		for index := 1; index <= shards; index++ {
			if (Shard{index, shards}).Elsewhere(service) == "" {
				owners++
			}
		}
		if owners != 1 || owner.Elsewhere(service) != "" {
			t.Fatalf("%s is looked after by %d shards, want by %v alone", service, owners, owner)
		}
	}
	if len(count) != shards {
		t.Fatalf("%d of %d shards have services", len(count), shards)
	}
	for shard, n := range count { // 1562 on average, with a standard deviation of about 40
		if n < 1400 || n > 1750 {
			t.Errorf("shard %d has %d of 100,000 services, want about 1562", shard, n)
		}
	}
}

func TestOneShardMoreTakesItsPartAndMovesNothingElse(t *testing.T) {
	services := names(20_000)
	for _, n := range []int{1, 2, 3, 7, 16, 63} {
		moved := 0
		for _, service := range services {
			before, after := Shard{Count: n}.Owner(service).Index, Shard{Count: n + 1}.Owner(service).Index
			if before == after {
				continue
			}
			moved++
			if after != n+1 {
				t.Fatalf("from %d to %d shards %s moved from %d to %d, want to the new one", n, n+1, service, before, after)
			}
		}
		if want := len(services) / (n + 1); moved < want*8/10 || moved > want*12/10 {
			t.Errorf("from %d to %d shards %d services moved, want about %d", n, n+1, moved, want)
		}
	}
}

func TestWithoutShardsEverythingIsOwnedHere(t *testing.T) {
	if (Shard{}).Elsewhere("shop") != "" || (Shard{1, 1}).Elsewhere("shop") != "" {
		t.Error("without shards, or with one, a service is looked after elsewhere")
	}
}

func TestOthersAreSaidToBeElsewhere(t *testing.T) {
	const service = "shop"
	owner := Shard{Count: 4}.Owner(service)
	other := Shard{owner.Index%4 + 1, 4}
	if got, want := other.Elsewhere(service), "shard "+strconv.Itoa(owner.Index)+"/4"; got != want {
		t.Errorf("elsewhere is %q, want %q", got, want)
	}
	if got := owner.Elsewhere(service); got != "" {
		t.Errorf("its own service is %q", got)
	}
}

func TestShardsHaveABound(t *testing.T) {
	var s Shard
	if err := s.Decode("1000/1000"); err != nil {
		t.Error(err)
	}
	if err := s.Decode("1/1001"); err == nil {
		t.Error("1/1001 is taken")
	}
}
