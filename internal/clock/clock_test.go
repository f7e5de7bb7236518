package clock

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const month = 30 * 24 * time.Hour

// at is a Reading of the first boot, since after noon by the boot clock; ahead is how much the wall clock is ahead of that.
func at(since, ahead time.Duration) Reading {
	return Reading{Moment: Moment{Wall: noon.Add(since + ahead), Boot: 100*time.Hour + since, BootID: "one"}}
}

// rebooted is a Reading at since after a second boot.
func rebooted(since time.Duration, wall time.Time, synchronised bool) Reading {
	return Reading{Moment{Wall: wall, Boot: since, BootID: "two"}, synchronised}
}

func TestWhichClockIsTrusted(t *testing.T) {
	seen := Mark{Trusted: at(0, 0).Moment}
	doubted := seen.Next(at(10*time.Minute, month))
	for _, c := range []struct {
		name string
		mark Mark
		now  Reading
		want bool
	}{
		{"the first look", Mark{}, at(0, month), true},
		{"as the boot clock", seen, at(5*time.Hour, 0), true},
		{"an hour ahead", seen, at(5*time.Minute, time.Hour), true},
		{"more than an hour ahead", seen, at(5*time.Minute, time.Hour+time.Second), false},
		{"a month ahead", seen, at(5*time.Minute, month), false},
		{"a month ahead, synchronised", seen, Reading{at(5*time.Minute, month).Moment, true}, false},
		{"a month ahead, a day later", seen, at(24*time.Hour, month), false}, // only one reading was so far ahead
		{"a month back", seen, at(5*time.Minute, -month), true},
		{"still a month ahead", doubted, at(20*time.Minute, month), false},
		{"still a month ahead after an hour", doubted, at(70*time.Minute, month), false},
		{"still a month ahead after more than an hour", doubted, at(70*time.Minute+time.Second, month), true},
		{"another month ahead after more than an hour", doubted, at(2*time.Hour, 2*month), false},
		{"back again", doubted, at(20*time.Minute, 0), true},
		{"rebooted at once", seen, rebooted(time.Minute, noon.Add(5*time.Minute), false), true},
		{"rebooted a month later", seen, rebooted(time.Minute, noon.Add(month), false), false},
		{"rebooted a month later, synchronised", seen, rebooted(time.Minute, noon.Add(month), true), true},
		{"rebooted a month later, not yet an hour ago", seen, rebooted(time.Hour-time.Second, noon.Add(month), false), false},
		{"rebooted a month later, an hour ago", seen, rebooted(time.Hour, noon.Add(month), false), true},
		{"rebooted with a clock that is behind", seen, rebooted(time.Minute, time.Unix(0, 0), false), true},
		{"doubted, then rebooted", doubted, rebooted(30*time.Minute, noon.Add(month), false), false},
	} {
		if got := c.mark.Trusts(c.now); got != c.want {
			t.Errorf("%s: trusted is %v, want %v", c.name, got, c.want)
		}
	}
}

func TestTimeWhileTheClockIsDoubted(t *testing.T) {
	seen := Mark{Trusted: at(0, 0).Moment}
	for _, c := range []struct {
		name string
		now  Reading
		want time.Time
	}{
		{"trusted", at(20*time.Minute, time.Minute), noon.Add(21 * time.Minute)},
		{"a month ahead", at(20*time.Minute, month), noon.Add(20 * time.Minute)},
		{"back", at(20*time.Minute, -month), noon.Add(20*time.Minute - month)},
		{"after a reboot, what has passed since", rebooted(20*time.Minute, noon.Add(month), false), noon.Add(20 * time.Minute)},
	} {
		if got := seen.Now(c.now); !got.Equal(c.want) {
			t.Errorf("%s: it is %v, want %v", c.name, got, c.want)
		}
	}
}

// For any changes of the wall clock during one boot: while it is doubted, no more time passes than on the boot clock, and a clock that
// then advances like the boot clock is trusted after two cycles more than an hour apart have seen that.
func TestPropertyNoTimePassesUnseen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mark, boot := Mark{Trusted: at(0, 0).Moment}, time.Duration(0)
		ahead := time.Duration(0)
		look := func() {
			r := at(boot, ahead)
			passed, counted := mark.Now(r).Sub(mark.Trusted.Wall), r.Boot-mark.Trusted.Boot
			if !mark.Trusts(r) && passed != counted {
				t.Fatalf("%v have passed, and the boot clock has counted %v", passed, counted)
			}
			mark = mark.Next(r)
		}
		for range rapid.IntRange(1, 8).Draw(t, "cycles") {
			boot += time.Duration(rapid.IntRange(1, 50).Draw(t, "minutes")) * time.Minute
			ahead = time.Duration(rapid.IntRange(-100, 100).Draw(t, "hours ahead")) * time.Hour
			look()
		}
		for range 3 {
			boot += 45 * time.Minute
			look()
		}
		if !mark.Trusts(at(boot, ahead)) || mark.Doubted != (Moment{}) {
			t.Fatalf("a clock that has gone right for %v is doubted: %+v", 3*45*time.Minute, mark)
		}
	})
}
