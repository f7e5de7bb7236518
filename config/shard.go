package config

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// MaxShards limits the number of parts of an inventory. Each has its own volume and database.
const MaxShards = 1000

// Shard is the part of the inventory that this instance is responsible for: Index of Count, from 1. The zero value means all of it.
type Shard struct{ Index, Count int }

// String returns the form that Decode accepts; empty for the zero value.
func (s Shard) String() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// Decode implements envconfig.Decoder.
func (s *Shard) Decode(value string) error {
	index, count, found := strings.Cut(value, "/")
	i, iErr := strconv.Atoi(index)
	n, nErr := strconv.Atoi(count)
	switch {
	case !found || iErr != nil || nErr != nil || i < 1 || i > n:
		return errors.New("not a part of a whole; write it like 1/4 for the first of four, up to 4/4")
	case n > MaxShards:
		return fmt.Errorf("more parts than there can be; write it like 1/4, with %d parts at most", MaxShards)
	}
	*s = Shard{Index: i, Count: n}
	return nil
}

// Owner returns the shard that a service belongs to, by rendezvous hashing: the one in which its name has the highest score. With one
// shard more, services only move to the new shard. The scores must never change, in any version, because services would then change
// databases and lose their restart counts.
func (s Shard) Owner(service string) Shard {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(service)) // cannot fail
	name, best, owner := hash.Sum64(), uint64(0), 0
	for i := range s.Count {
		if score := mixed(name ^ mixed(uint64(i)+1)); owner == 0 || score > best {
			best, owner = score, i+1
		}
	}
	return Shard{Index: owner, Count: s.Count}
}

// Elsewhere names the other shard that is responsible for a service, such as "shard 2/4"; empty if this one is.
func (s Shard) Elsewhere(service string) string {
	if s.Count == 0 {
		return ""
	}
	if owner := s.Owner(service); owner != s {
		return "shard " + owner.String()
	}
	return ""
}

// mixed is the finaliser of splitmix64: each bit of x affects about half of the bits of the result.
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
