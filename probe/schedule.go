package probe

import (
	"cmp"
	"slices"
)

// The bounds of a run that sets none.
const (
	defaultAtOnce  = 256
	defaultPerHost = 16
)

// orDefaults sets what is zero, or less, which makes no sense.
func (b Bounds) orDefaults() Bounds {
	return Bounds{AtOnce: cmp.Or(max(b.AtOnce, 0), defaultAtOnce), PerHost: cmp.Or(max(b.PerHost, 0), defaultPerHost)}
}

// schedule says which check comes next. Each host has a queue, and of the hosts that have checks waiting the one that is asked the
// least at the moment comes first; of several such, the one that has waited longest. So a host that hangs has no more than its share
// of what is made at once, however many checks it has, and it takes no other host's turn. Within a host the
// services take turns in the same way.
//
// It is not safe for concurrent use.
type schedule struct {
	queues  map[string]*queue // by host
	ready   [][]*queue        // by how many of their checks run: those that may have one more
	running int
	bounds  Bounds
}

// queue is the checks of one host.
type queue struct {
	waiting [][]int        // their numbers: the first check of each service, then the second of each; none is empty
	added   map[string]int // how many checks of each service
	running int
}

// newSchedule makes one of no checks. The bounds are taken as they are: both at least 1.
func newSchedule(b Bounds) *schedule {
	b.PerHost = min(b.PerHost, b.AtOnce)
	return &schedule{queues: map[string]*queue{}, ready: make([][]*queue, b.PerHost), bounds: b}
}

// add lets a check wait, after those of its service at its host. All are added before the first is taken.
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

// next takes the check that is to be started now. ok is false where none may be: because none waits, or because as many run as may.
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

// end says that a check which next returned has ended.
func (s *schedule) end(q *queue) { s.move(q, -1) }

// move counts that more (or, below 0, fewer) of the queue's checks run. The queue goes behind the others of which as many run, if it has a
// check that may start.
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

// The hosts of checks that ask none by name. No host is called so.
const (
	systemDNS   = "dns:"
	localEngine = "engine:"
)
