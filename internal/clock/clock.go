// Package clock decides whether the machine's clock is to be trusted: whether it has moved as the kernel's boot clock has, which
// nobody sets.
package clock

import (
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Tolerance is how far a clock may be ahead of what the boot clock has counted, and how much of the boot clock must pass until a
// doubted one is trusted (RULE "Clock").
const Tolerance = time.Hour

// Moment is what the clocks of a machine say at one time.
type Moment struct {
	Wall   time.Time
	Boot   time.Duration // since the machine was started, suspended or not
	BootID string        // names that start; empty where it is not known
}

// Reading is the moment that is now.
type Reading struct {
	Moment
	Synchronised bool // the kernel says that its clock follows a true one
}

// Mark is what one cycle keeps for the next. The zero Mark is the first cycle's, and trusts any clock.
type Mark struct {
	Trusted Moment
	// Doubted is when the clock was first found as it goes now, while it is not trusted; zero while it is.
	Doubted Moment
}

// Read reads the clocks beside wall, which is the time now.
func Read(wall time.Time) Reading {
	r := Reading{Moment: Moment{Wall: wall, BootID: BootID()}}
	var since unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &since); err == nil {
		r.Boot = time.Duration(since.Nano())
	}
	if state, err := unix.Adjtimex(&unix.Timex{}); err == nil {
		r.Synchronised = state != unix.TIME_ERROR
	}
	return r
}

// BootID is the kernel's: where it is another one, no process has lived on. It is empty where /proc does not say.
var BootID = sync.OnceValue(func() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
})

// Trusts reports whether the clock is trusted: it is not more than Tolerance ahead of what the boot clock has counted since it was, or
// two looks at it that are more than Tolerance of the boot clock apart agree. After a reboot, when it is not known how long the machine was
// off, it is trusted once the kernel says that it is synchronised, or Tolerance after the start.
func (m Mark) Trusts(r Reading) bool {
	switch {
	case m == (Mark{}), !r.ahead(m.Trusted):
		return true
	case r.BootID != m.Trusted.BootID:
		return r.Synchronised || r.Boot >= Tolerance
	}
	return m.Doubted.BootID == r.BootID && r.agrees(m.Doubted) && r.Boot-m.Doubted.Boot > Tolerance
}

// Next is the mark that a cycle keeps which has found m and now reads r.
func (m Mark) Next(r Reading) Mark {
	switch {
	case m.Trusts(r):
		return Mark{Trusted: r.Moment}
	case m.Doubted.BootID != r.BootID || m.Doubted == (Moment{}) || !r.agrees(m.Doubted):
		m.Doubted = r.Moment
	}
	return m
}

// Now is the time by which is judged what has passed: what the clock says, or as long as it is doubted what has passed for certain.
func (m Mark) Now(r Reading) time.Time {
	if m.Trusts(r) {
		return r.Wall
	}
	return m.Trusted.Wall.Add(r.since(m.Trusted)).In(r.Wall.Location())
}

// since is what the boot clock has counted since an earlier moment: in this start alone where that was in another.
func (r Moment) since(m Moment) time.Duration {
	if r.BootID != m.BootID {
		return r.Boot
	}
	return max(r.Boot-m.Boot, 0)
}

// ahead reports whether the clock has moved further since m than it can have.
func (r Moment) ahead(m Moment) bool { return r.Wall.Sub(m.Wall)-r.since(m) > Tolerance }

// agrees reports whether the clock has moved as the boot clock has since m.
func (r Moment) agrees(m Moment) bool {
	return (r.Wall.Sub(m.Wall) - r.since(m)).Abs() <= Tolerance
}
