package crontab

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Clock is the wall clock, and one alarm on it.
type Clock interface {
	// Now is time.Now: the wall clock's time, with a reading of the monotonic clock for what is measured.
	Now() time.Time
	// Wake sets the alarm: something comes from Alarm once the clock shows t or later, or when the clock is set. It takes
	// the place of the one before; the zero Time is no alarm.
	Wake(t time.Time) error
	// Alarm gives nil when there is a reason to look at the clock, and the error after which it never will again.
	Alarm() <-chan error
	// After is time.After: it measures how long something takes, whatever the clock is set to, and stops while the machine sleeps.
	After(d time.Duration) <-chan time.Time
}

// WallClock is the machine's. Go's own timers wait on the monotonic clock, which stops while the machine sleeps and knows nothing of
// a clock that is set; a timerfd on the real-time clock is due at its time after a sleep too, and says when it was set.
type WallClock struct {
	timer *os.File
	alarm chan error
}

// NewWallClock makes one; Close ends it.
func NewWallClock() (*WallClock, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_REALTIME, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make a timer on the wall clock: %w", err)
	}
	c := &WallClock{timer: os.NewFile(uintptr(fd), "timerfd"), alarm: make(chan error, 1)}
	go c.listen()
	return c, nil
}

// Close ends the clock. Nothing comes from Alarm afterwards.
func (c *WallClock) Close() error { return c.timer.Close() }

// Now implements Clock.
func (c *WallClock) Now() time.Time { return time.Now() }

// Alarm implements Clock.
func (c *WallClock) Alarm() <-chan error { return c.alarm }

// After implements Clock.
func (c *WallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Wake implements Clock.
func (c *WallClock) Wake(t time.Time) error {
	var at unix.ItimerSpec
	if !t.IsZero() {
		spec, err := unix.TimeToTimespec(t)
		if err != nil {
			return fmt.Errorf("set the timer to %v: %w", t, err)
		}
		at.Value = spec
	}
	raw, err := c.timer.SyscallConn()
	if err != nil {
		return fmt.Errorf("set the timer: %w", err)
	}
	var setting error
	err = raw.Control(func(fd uintptr) {
		setting = unix.TimerfdSettime(int(fd), unix.TFD_TIMER_ABSTIME|unix.TFD_TIMER_CANCEL_ON_SET, &at, nil)
	})
	if errors.Is(setting, unix.ECANCELED) { // it is set, and so was the clock since the last look
		c.wake(nil)
		setting = nil
	}
	if err = errors.Join(err, setting); err != nil {
		return fmt.Errorf("set the timer: %w", err)
	}
	return nil
}

// listen waits, by way of Go's poller, for the timer to be due or the clock to be set (ECANCELED). Close ends it.
func (c *WallClock) listen() {
	expirations := make([]byte, 8)
	for {
		_, err := c.timer.Read(expirations)
		switch {
		case err == nil, errors.Is(err, unix.ECANCELED):
			c.wake(nil)
		case errors.Is(err, os.ErrClosed):
			return
		default:
			c.wake(fmt.Errorf("wait for the timer: %w", err))
			return
		}
	}
}

// wake leaves a reason to look at the clock; one is enough. An error takes the place of another reason.
func (c *WallClock) wake(err error) {
	if err != nil {
		select {
		case <-c.alarm: //nolint:errcheck // the error takes its place
		default:
		}
	}
	select {
	case c.alarm <- err:
	default:
	}
}
