package crontab

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/procfs"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/schedule"
)

const (
	// punctual is how late a run may begin without counting as missed: the machine may be busy rather than asleep.
	punctual = 10 * time.Second
	// repeatLimit is how far the clock may be set back without repeating a run. Beyond that, the earlier time was wrong.
	repeatLimit = 3 * time.Hour
	// leastStep is how far the clock may always be set back without repeating a run, however frequent runs are.
	leastStep = 5 * time.Minute
	// endGrace is how long a cycle may take to end when asked, before it is killed.
	endGrace = 2 * time.Minute
	// killGrace is how long the kernel may take to end a process that was killed.
	killGrace = 10 * time.Second
	// lookEvery is the interval of checking the clock, which may be set, and for a request to wake: Go's timers stop while the machine sleeps.
	lookEvery = time.Second
	// gather is how long a request to wake waits for more of its kind: an alert seldom comes alone. Where another cycle holds the lock, it
	// is how long the request waits to be tried again.
	gather = 3 * time.Second
)

// Plan is the configuration of the runs.
type Plan struct {
	Schedule []schedule.Expression // at least one
	Longest  time.Duration         // a cycle that takes longer is ended; 0 is no limit
	Log      *slog.Logger
}

// Process is a running cycle.
type Process interface {
	PID() int
	Signal(syscall.Signal) // does nothing after its end
	Kill()                 // including its descendants
	Ended() <-chan Exit    // delivers the exit once it was waited for
}

// Runner is the built-in cron mode: it starts a cycle at each time of the schedules, one at a time. A tick during a cycle is skipped. If
// ticks were missed, because the machine slept, the process was stopped or the clock was set forward, the newest one is run once, unless
// it is older than MaxLate. If the clock is set back, nothing is repeated, unless cycles would be missing for long or the clock must have
// been wrong before. A request to wake starts a cycle besides, after the running one if there is one; it changes no tick.
//
// Every field is required unless its comment says otherwise. A Runner is used once.
type Runner struct {
	Now        func() time.Time
	Start      func(trigger string) (Process, error)
	Reload     func() (Plan, error)                    // rereads the configuration; on an error nothing changes
	Hangup     <-chan os.Signal                        // requests a Reload
	Ends       <-chan os.Signal                        // requests the end, each time; passed on to the cycle
	Random     func(below time.Duration) time.Duration // from 0 up to below, which is positive
	Orphans    <-chan os.Signal                        // SIGCHLD if this process is process 1 and must reap; otherwise nil
	Jitter     time.Duration                           // maximum random delay of a run, which stays before the next; 0 means none
	MaxLate    time.Duration                           // the maximum delay for a missed run
	RunOnStart bool
	// Woken takes the request for a cycle and returns its trigger, empty if there is none; nil if nobody can ask.
	Woken func() (trigger string)

	plan    Plan
	ticks   ticks
	handled time.Time // the newest handled tick, or the time from which ticks count
	due     time.Time // the next tick; zero if there is none
	at      time.Time // when its run begins

	cycle   Process // nil if none runs
	began   time.Time
	overdue <-chan time.Time // when the running cycle is ended or killed
	asked   bool             // it was asked to end

	woken  string    // the trigger of the request that waits; empty if none does
	wakeAt time.Time // when its cycle may begin
	why    string    // the trigger of the running cycle

	runs, overlapped, missed int // cycles; ticks during one; times at which others were missed
}

// Run runs cycles until it is asked to end and the running one has ended. It returns an error if that one cannot be killed.
func (r *Runner) Run(plan Plan) error {
	now := r.now()
	r.plan, r.ticks = plan, ticksOf(plan.Schedule, nil, now)
	r.goOn(now)
	r.plan.Log.Info("waiting for the next run", "schedule", r.ticks.String(), "zone", r.ticks.zones(now), "next", stamp(r.at))
	if r.RunOnStart {
		r.begin("at start", Scheduled)
	}
	for {
		wait := lookEvery
		if !r.at.IsZero() {
			wait = min(wait, r.at.Sub(r.now()))
		}
		select {
		case <-time.After(wait):
			r.look()
		case exit := <-r.ended():
			r.over(exit)
		case <-r.overdue:
			r.tooLong()
		case <-r.Orphans:
			r.reap()
		case <-r.Hangup:
			r.look()
			r.reload()
		case signal := <-r.Ends:
			return r.end(signal.(syscall.Signal)) //nolint:forcetypeassert // there is no other on Linux
		}
	}
}

// goOn counts ticks after handled; all earlier ones are done.
func (r *Runner) goOn(handled time.Time) {
	r.handled, r.due = handled, r.ticks.next(handled)
	r.at = r.due
	if r.Jitter == 0 || r.due.IsZero() {
		return
	}
	longest := r.Jitter
	if after := r.ticks.next(r.due); !after.IsZero() {
		longest = min(longest, after.Sub(r.due))
	}
	r.at = r.due.Add(r.Random(longest))
}

// look acts on the clock, first ending an overdue cycle, so that the next run does not overlap it.
func (r *Runner) look() {
	select {
	case exit := <-r.ended():
		r.over(exit)
	default:
	}
	now := r.now()
	switch {
	case now.Before(r.handled):
		r.setBack(now)
	case r.due.IsZero() || now.Before(r.at):
	case r.cycle != nil:
		r.overlap(now)
	default:
		r.tick(now)
	}
	r.wake()
}

// wake starts the cycle that somebody has asked for. A request during a cycle stays where it is until that has ended. The time is the
// monotonic one: setting the clock must not delay it.
func (r *Runner) wake() {
	if r.Woken == nil || r.cycle != nil {
		return
	}
	if trigger := r.Woken(); trigger != "" {
		if r.woken == "" {
			r.wakeAt = r.Now().Add(gather)
		}
		r.woken = trigger
	}
	if r.woken == "" || r.Now().Before(r.wakeAt) {
		return
	}
	trigger := r.woken
	r.woken = ""
	r.begin("woken", trigger)
}

// tick starts the run that is due, or the newest missed one.
func (r *Runner) tick(now time.Time) {
	earliest := now.Add(-max(r.MaxLate, punctual) - r.at.Sub(r.due))
	since := r.due
	newest, found := r.ticks.newest(latest(r.handled, earliest), now)
	late := now.Sub(newest)
	if newest.Equal(r.due) {
		late = now.Sub(r.at)
	}
	others := !found || r.ticks.next(r.handled).Before(newest)
	if !found {
		newest = now
	}
	if others {
		r.missed++
	}
	r.goOn(newest)
	switch {
	case !found:
		r.plan.Log.Warn("missed, and too long ago to be made up for", "first", stamp(since), "max_late", r.MaxLate.String(), "next", stamp(r.at))
	case late > punctual || others:
		r.plan.Log.Warn("a run was missed; it is made up for now", "due", stamp(newest), "late", text.Took(late), "others_missed", others)
		r.begin("missed", Scheduled)
	default:
		r.begin("schedule", Scheduled)
	}
}

func (r *Runner) overlap(now time.Time) {
	newest, _ := r.ticks.newest(r.handled, now)
	r.overlapped++
	r.goOn(newest)
	r.plan.Log.Warn("skipped: the cycle before still runs", "due", stamp(newest), "running_for", text.Took(r.Now().Sub(r.began)), "pid", r.cycle.PID(),
		"skipped_so_far", r.overlapped)
}

// setBack handles a clock that shows a time before the last handled tick.
func (r *Runner) setBack(now time.Time) {
	step := r.handled.Sub(now)
	most := repeatLimit
	if next := r.ticks.next(r.handled); !next.IsZero() {
		most = min(most, max(next.Sub(r.handled), leastStep))
	}
	if step <= most {
		r.plan.Log.Info("the clock was set back; no run is repeated", "by", "at least "+text.Took(step), "next", stamp(r.at))
		return
	}
	r.ticks = ticksOf(r.plan.Schedule, nil, now)
	r.goOn(now)
	r.plan.Log.Warn("the clock was set back; runs are counted anew from now", "by", "at least "+text.Took(step), "next", stamp(r.at))
}

// Scheduled is the trigger of the cycles that the schedule starts.
const Scheduled = "cron"

// begin starts a cycle. If that fails, the next tick tries again.
func (r *Runner) begin(why, trigger string) {
	cycle, err := r.Start(trigger)
	if err != nil {
		r.plan.Log.Error("the cycle could not be started", "reason", err.Error(), "next", stamp(r.at))
		return
	}
	r.runs++
	r.cycle, r.began, r.asked, r.why = cycle, r.Now(), false, trigger
	r.overdue = nil
	if r.plan.Longest > 0 {
		r.overdue = time.After(r.plan.Longest)
	}
	r.plan.Log.Info("cycle started", "why", why, "trigger", trigger, "pid", cycle.PID())
}

// ended returns the channel of the running cycle's exit.
func (r *Runner) ended() <-chan Exit {
	if r.cycle == nil {
		return nil
	}
	return r.cycle.Ended()
}

func (r *Runner) over(exit Exit) {
	meaning, level := exit.meaning()
	took := r.Now().Sub(r.began)
	r.plan.Log.Log(context.Background(), level, "cycle ended", "exit", exit.Code, "meaning", meaning, "took", text.Took(took), "next", stamp(r.at))
	r.cycle, r.overdue = nil, nil
	if exit.Code == lockHeld && r.why != Scheduled { // nobody else answers the request
		r.woken, r.wakeAt = r.why, r.Now().Add(gather)
	}
	r.reap()
}

// reap waits for the orphans that process 1 inherits, so that they do not stay zombies. It leaves the cycle's exit status to Program.
func (r *Runner) reap() {
	if r.Orphans == nil {
		return
	}
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is a good one
	for _, path := range processes {
		pid, _ := strconv.Atoi(filepath.Base(path)) // it is a number
		p, err := procfs.Read(pid)
		if err == nil && p.Dead() && p.Parent == os.Getpid() && (r.cycle == nil || pid != r.cycle.PID()) {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // it is a zombie of this process
		}
	}
}

// tooLong ends a cycle that exceeds its own limits, because no other one can begin while it runs.
func (r *Runner) tooLong() {
	if r.asked {
		r.plan.Log.Error("the cycle does not end: it is killed", "pid", r.cycle.PID())
		r.cycle.Kill()
		r.overdue = nil
		return
	}
	r.plan.Log.Error("the cycle takes longer than its limits together: it is ended", "pid", r.cycle.PID(), "longest", r.plan.Longest.String())
	r.cycle.Signal(syscall.SIGTERM)
	r.asked, r.overdue = true, time.After(endGrace)
}

// reload rereads the configuration. A run delayed by jitter still starts if the new schedule has it too.
func (r *Runner) reload() {
	plan, err := r.Reload()
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			r.plan.Log.Error(line)
		}
		r.plan.Log.Error("the configuration is not valid; the schedule stays as it was", "schedule", r.ticks.String(), "next", stamp(r.at))
		return
	}
	now := r.now()
	r.plan, r.ticks = plan, ticksOf(plan.Schedule, r.ticks, now)
	if waits := !r.due.IsZero() && !r.due.After(now) && r.ticks.next(r.handled).Equal(r.due); !waits {
		r.goOn(latest(r.handled, now))
	}
	r.plan.Log.Info("the configuration was read again", "schedule", r.ticks.String(), "zone", r.ticks.zones(now), "next", stamp(r.at))
}

// end passes this and every later signal on to the running cycle, and waits for it.
func (r *Runner) end(signal syscall.Signal) error {
	if r.cycle != nil {
		r.cycle.Signal(signal)
		r.plan.Log.Info("ending: waiting for the cycle that runs", "signal", unix.SignalName(signal), "pid", r.cycle.PID())
		if err := r.await(); err != nil {
			return err
		}
	}
	r.plan.Log.Info("ended", "runs", r.runs, "skipped", r.overlapped, "missed", r.missed)
	return nil
}

func (r *Runner) await() error {
	deadline, killed := time.After(endGrace), false
	for {
		select {
		case exit := <-r.ended():
			r.over(exit)
			return nil
		case again := <-r.Ends:
			r.cycle.Signal(again.(syscall.Signal)) //nolint:forcetypeassert // there is no other on Linux
		case <-r.Hangup: // too late for a new schedule
		case <-deadline:
			if killed {
				return fmt.Errorf("the cycle, process %d, was killed and does not end", r.cycle.PID())
			}
			r.plan.Log.Error("the cycle does not end: it is killed", "pid", r.cycle.PID())
			r.cycle.Kill()
			deadline, killed = time.After(killGrace), true
		}
	}
}

// now returns the wall clock time without the monotonic reading, which Go would use for comparisons.
func (r *Runner) now() time.Time { return r.Now().Round(0) }

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
