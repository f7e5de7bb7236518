package crontab

import (
	"testing"
	"time"
)

// alarmed waits for the clock's alarm.
func alarmed(t *testing.T, c *WallClock) {
	t.Helper()
	select {
	case err := <-c.Alarm():
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("no alarm")
	}
}

func TestWallClock(t *testing.T) {
	c, err := NewWallClock()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		due := c.Now().Add(20 * time.Millisecond)
		if err := c.Wake(due); err != nil {
			t.Fatal(err)
		}
		for alarmed(t, c); c.Now().Before(due); { // the clock may have been set meanwhile
			alarmed(t, c)
		}
	}
	if err := c.Wake(c.Now().Add(-time.Hour)); err != nil { // at once
		t.Fatal(err)
	}
	alarmed(t, c)
	if err := c.Wake(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := c.Wake(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Wake(time.Now()); err == nil {
		t.Error("a closed clock was set")
	}
}
