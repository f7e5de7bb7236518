// Package clock decides whether the machine's clock can be trusted: whether it has advanced like the kernel's boot clock, which cannot be
// set.
package clock

import (
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Tolerance is how far the clock may be ahead of the boot clock, and how long the boot clock must run until a doubted clock is trusted
// (RULE "Clock").
const Tolerance = time.Hour

// Moment is a simultaneous reading of a machine's clocks.
type Moment struct {
	Wall   time.Time
	Boot   time.Duration // since the machine was started, including suspension
	BootID string        // identifies that start; empty if unknown
}

// Reading is the current Moment.
type Reading struct {
	Moment
	Synchronised bool // according to the kernel, the clock is synchronised
}

// Mark is what one cycle keeps for the next. The zero Mark is that of the first cycle, and trusts any clock.
type Mark struct {
	Trusted Moment
	// Doubted is when the clock was first found in its present, untrusted state; zero while it is trusted.
	Doubted Moment
}

// Read reads the other clocks; wall is the current time.
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

// BootID returns the kernel's boot id. If it changes, no process has survived. It is empty if /proc does not provide it.
var BootID = sync.OnceValue(func() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
})

// Trusts reports whether the clock is trusted: it is at most Tolerance ahead of what the boot clock has counted since it was trusted, or
// two readings more than Tolerance of the boot clock apart agree. After a reboot, when it is unknown how long the machine was off, it is
// trusted once the kernel reports it as synchronised, or Tolerance after the start.
func (m Mark) Trusts(r Reading) bool {
	switch {
	case m == (Mark{}), !r.ahead(m.Trusted):
		return true
	case r.BootID != m.Trusted.BootID:
		return r.Synchronised || r.Boot >= Tolerance
	}
	return m.Doubted.BootID == r.BootID && r.agrees(m.Doubted) && r.Boot-m.Doubted.Boot > Tolerance
}

// Next returns the mark to keep for a cycle that has found m and now reads r.
func (m Mark) Next(r Reading) Mark {
	switch {
	case m.Trusts(r):
		return Mark{Trusted: r.Moment}
	case m.Doubted.BootID != r.BootID || m.Doubted == (Moment{}) || !r.agrees(m.Doubted):
		m.Doubted = r.Moment
	}
	return m
}

// Now returns the time to use for elapsed time: the clock's or, while it is doubted, the time that has certainly passed.
func (m Mark) Now(r Reading) time.Time {
	if m.Trusts(r) {
		return r.Wall
	}
	return m.Trusted.Wall.Add(r.since(m.Trusted)).In(r.Wall.Location())
}

// since returns what the boot clock has counted since m; only since the last boot if m was before it.
func (r Moment) since(m Moment) time.Duration {
	if r.BootID != m.BootID {
		return r.Boot
	}
	return max(r.Boot-m.Boot, 0)
}

// ahead reports whether the clock has advanced further since m than is possible.
func (r Moment) ahead(m Moment) bool { return r.Wall.Sub(m.Wall)-r.since(m) > Tolerance }

// agrees reports whether the clock has advanced since m like the boot clock.
func (r Moment) agrees(m Moment) bool {
	return (r.Wall.Sub(m.Wall) - r.since(m)).Abs() <= Tolerance
}
