package probe

import (
	"cmp"
	"container/list"
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
// of what is made at once, however many checks it has, and its turn comes without its taking anybody else's. Within a host the
// services take turns in the same way.
//
// It is not safe for concurrent use.
type schedule struct {
	queues  map[string]*queue // by host
	ready   []list.List       // of *queue, by how many of its checks run: those that may have one more
	running int
	bounds  Bounds
}

// queue is the checks of one host.
type queue struct {
	waiting []*line // by service, the one whose turn it is first; none is empty
	lines   map[string]*line
	running int
	place   *list.Element // in schedule.ready; nil while none of it may start
}

// line is the checks of one service that wait: their numbers, in order.
type line struct{ numbers []int }

// newSchedule makes one of no checks. The bounds are taken as they are: both at least 1.
func newSchedule(b Bounds) *schedule {
	b.PerHost = min(b.PerHost, b.AtOnce)
	return &schedule{queues: map[string]*queue{}, ready: make([]list.List, b.PerHost), bounds: b}
}

// add lets a check wait, after those of its service at its host. All are added before the first is taken.
func (s *schedule) add(host, service string, number int) {
	q := s.queues[host]
	if q == nil {
		q = &queue{lines: map[string]*line{}}
		s.queues[host] = q
	}
	l := q.lines[service]
	if l == nil {
		l = &line{}
		q.lines[service] = l
		q.waiting = append(q.waiting, l)
	}
	l.numbers = append(l.numbers, number)
	if q.place == nil {
		s.line(q)
	}
}

// take takes the check whose turn it is. There is one.
func (q *queue) take() (number int) {
	l := q.waiting[0]
	number, l.numbers = l.numbers[0], l.numbers[1:]
	q.waiting = q.waiting[1:]
	if len(l.numbers) > 0 {
		q.waiting = append(q.waiting, l)
	}
	return number
}

// next takes the check that is to be started now. ok is false where none may be: because none waits, or because as many run as may.
func (s *schedule) next() (number int, of *queue, ok bool) {
	if s.running >= s.bounds.AtOnce {
		return 0, nil, false
	}
	for i := range s.ready {
		if first := s.ready[i].Front(); first != nil {
			q := first.Value.(*queue)
			number = q.take()
			s.move(q, +1)
			return number, q, true
		}
	}
	return 0, nil, false
}

// end says that a check which next returned has ended.
func (s *schedule) end(q *queue) { s.move(q, -1) }

// move counts that more (or, below 0, fewer) of the queue's checks run, and lines it up accordingly.
func (s *schedule) move(q *queue, more int) {
	if q.place != nil {
		s.ready[q.running].Remove(q.place)
		q.place = nil
	}
	q.running += more
	s.running += more
	s.line(q)
}

// line puts a queue behind the others of which as many checks run, if it has one that may start.
func (s *schedule) line(q *queue) {
	if len(q.waiting) > 0 && q.running < s.bounds.PerHost {
		q.place = s.ready[q.running].PushBack(q)
	}
}

// The hosts of checks that ask none by name. No host is called so.
const (
	systemDNS   = "dns:"
	localEngine = "engine:"
)
