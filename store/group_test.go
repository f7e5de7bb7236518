package store

import "testing"

func TestWhatWaitsTogetherGoesOutTogetherAndInOrder(t *testing.T) {
	for name, tt := range map[string]struct {
		waiting []waiting
		want    map[int64][]int64
	}{
		"nothing": {nil, map[int64][]int64{}},
		"troubles of one cycle": {
			[]waiting{{ID: 3, Kind: HumanAttention, Service: "a"}, {ID: 4, Kind: HumanAttention, Service: "b"}, {ID: 5, Kind: Recovered, Service: "c"}, {ID: 6, Kind: HumanAttention, Service: "d"}},
			map[int64][]int64{3: {3, 4, 6}, 5: {5}},
		},
		"no service's news overtake its own": {
			[]waiting{{ID: 1, Kind: HumanAttention, Service: "a"}, {ID: 2, Kind: Recovered, Service: "a"}, {ID: 3, Kind: HumanAttention, Service: "a"}, {ID: 4, Kind: HumanAttention, Service: "b"}, {ID: 5, Kind: Recovered, Service: "a"}},
			map[int64][]int64{1: {1}, 2: {2}, 3: {3, 4}, 5: {5}},
		},
		"the watch itself": {
			[]waiting{{ID: 1, Kind: HumanAttention}, {ID: 2, Kind: AgentFailing}, {ID: 3, Kind: HumanAttention}},
			map[int64][]int64{1: {1, 3}, 2: {2}},
		},
		"messages and digests go alone": {
			[]waiting{{ID: 1, Kind: Message}, {ID: 2, Kind: Message}, {ID: 3, Kind: DailyDigest}, {ID: 4, Kind: DailyDigest}},
			map[int64][]int64{1: {1}, 2: {2}, 3: {3}, 4: {4}},
		},
	} {
		t.Run(name, func(t *testing.T) { same(t, together(tt.waiting), tt.want) })
	}
}
