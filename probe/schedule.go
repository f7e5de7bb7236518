package probe

import (
	"cmp"
	"slices"
)

// Default bounds of a run.
const (
	defaultAtOnce  = 256
	defaultPerHost = 16
)

// orDefaults replaces zero and negative values.
func (b Bounds) orDefaults() Bounds {
	return Bounds{AtOnce: cmp.Or(max(b.AtOnce, 0), defaultAtOnce), PerHost: cmp.Or(max(b.PerHost, 0), defaultPerHost)}
}

// schedule decides which check comes next. Each host has a queue. Among hosts with waiting checks, the one with the fewest running checks
// comes first, and among equals the one that has waited longest. So a host that hangs gets no more than its share of the running checks,
// however many it has, and does not delay other hosts. The services of a host take turns in the same way.
//
// It is not safe for concurrent use.
type schedule struct {
	queues  map[string]*queue // by host
	ready   [][]*queue        // queues that may start another check, by their number of running checks
	running int
	bounds  Bounds
}

// queue holds the checks of one host.
type queue struct {
	waiting [][]int        // job numbers: the first check of each service, then the second of each, and so on; no list is empty
	added   map[string]int // number of checks per service
	running int
}

// newSchedule returns an empty schedule. Both bounds must be at least 1.
func newSchedule(b Bounds) *schedule {
	b.PerHost = min(b.PerHost, b.AtOnce)
	return &schedule{queues: map[string]*queue{}, ready: make([][]*queue, b.PerHost), bounds: b}
}

// add queues a check after those of its service on the host. All checks must be added before the first is taken.
func (s *schedule) add(host, service string, number int) {
	q := s.queues[host]
	if q == nil {
		q = &queue{added: map[string]int{}}
		s.queues[host] = q
		s.ready[0] = append(s.ready[0], q)
	}
	turn := q.added[service]
	q.added[service]++
	if turn == len(q.waiting) {
		q.waiting = append(q.waiting, nil)
	}
	q.waiting[turn] = append(q.waiting[turn], number)
}

// next takes the check to start now. ok is false if none may start: none is waiting, or the limits are reached.
func (s *schedule) next() (number int, of *queue, ok bool) {
	if s.running >= s.bounds.AtOnce {
		return 0, nil, false
	}
	for _, queues := range s.ready {
		if len(queues) > 0 {
			q := queues[0]
			number = q.waiting[0][0]
			if q.waiting[0] = q.waiting[0][1:]; len(q.waiting[0]) == 0 {
				q.waiting = q.waiting[1:]
			}
			s.move(q, +1)
			return number, q, true
		}
	}
	return 0, nil, false
}

// end reports that a check returned by next has ended.
func (s *schedule) end(q *queue) { s.move(q, -1) }

// move adjusts the number of the queue's running checks. If the queue may start another check, it goes behind the others with as many
// running ones.
func (s *schedule) move(q *queue, more int) {
	if q.running < s.bounds.PerHost {
		if at := slices.Index(s.ready[q.running], q); at >= 0 {
			s.ready[q.running] = slices.Delete(s.ready[q.running], at, at+1)
		}
	}
	q.running += more
	s.running += more
	if len(q.waiting) > 0 && q.running < s.bounds.PerHost {
		s.ready[q.running] = append(s.ready[q.running], q)
	}
}

// The hosts of checks that name none. No real host has such a name.
const (
	systemDNS   = "dns:"
	localEngine = "engine:"
)
