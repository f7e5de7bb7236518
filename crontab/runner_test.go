package crontab

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/claudeops/claudeops/schedule"
)

// A schedule without a zone uses this process's zone, which these tests set to UTC.
func init() { time.Local = time.UTC }

// stage is a Runner whose clock and cycles only the test moves.
type stage struct {
	t      *testing.T
	r      *Runner
	now    time.Time
	log    bytes.Buffer
	cycles []*actor
	reload func() (Plan, error)
	fail   error // the error of the next start
}

// actor is a cycle that runs until the test ends it.
type actor struct {
	trigger string
	began   time.Time
	ended   chan Exit

	mu     sync.Mutex
	got    []syscall.Signal
	killed bool
}

func (a *actor) PID() int           { return 4711 }
func (a *actor) Ended() <-chan Exit { return a.ended }
func (a *actor) Signal(s syscall.Signal) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.got = append(a.got, s)
}
func (a *actor) Kill() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.killed = true
}

// suffered returns the signals that it got, followed by "killed" if it was.
func (a *actor) suffered() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	text := fmt.Sprint(a.got)
	if a.killed {
		text += " killed"
	}
	return text
}

func (s *stage) start(trigger string) (Process, error) {
	if err := s.fail; err != nil {
		s.fail = nil
		return nil, err
	}
	a := &actor{trigger: trigger, began: s.now, ended: make(chan Exit, 1)}
	s.cycles = append(s.cycles, a)
	return a, nil
}

func (s *stage) plan(schedules string) Plan {
	s.t.Helper()
	p := Plan{Log: slog.New(slog.NewTextHandler(&s.log, nil)), Longest: time.Hour}
	for text := range strings.SplitSeq(schedules, ";") {
		e, err := schedule.Parse(text)
		if err != nil {
			s.t.Fatal(err)
		}
		p.Schedule = append(p.Schedule, e)
	}
	return p
}

// at parses a time of 2026 in UTC: month-day hour:minute:second.
func at(t *testing.T, text string) time.Time {
	t.Helper()
	moment, err := time.Parse("2006-01-02 15:04:05", "2026-"+text)
	if err != nil {
		t.Fatal(err)
	}
	return moment
}

func newStage(t *testing.T, now, schedules string, options ...func(*Runner)) *stage {
	s := &stage{t: t, now: at(t, now)}
	s.r = &Runner{Now: func() time.Time { return s.now }, Start: s.start, MaxLate: time.Hour, Reload: func() (Plan, error) { return s.reload() }}
	for _, set := range options {
		set(s.r)
	}
	plan := s.plan(schedules)
	s.r.plan, s.r.ticks = plan, ticksOf(plan.Schedule, nil, s.now)
	s.r.goOn(s.now)
	return s
}

// pass advances the clock step by step, as for a process that is awake.
func (s *stage) pass(to string) {
	s.t.Helper()
	end := at(s.t, to)
	for !s.r.at.IsZero() && !s.r.at.After(end) {
		s.now = s.r.at
		s.r.look()
	}
	s.now = end
}

// jump sets the clock at once, as a change of the clock or a sleep does.
func (s *stage) jump(to string) {
	s.t.Helper()
	s.now = at(s.t, to)
	s.r.look()
}

// done ends the running cycle.
func (s *stage) done() {
	s.t.Helper()
	if s.r.cycle == nil {
		s.t.Fatal("no cycle runs")
	}
	s.cycles[len(s.cycles)-1].ended <- Exit{}
	s.r.over(<-s.r.ended())
}

// passing is pass, but ends each cycle at once.
func (s *stage) passing(to string) {
	s.t.Helper()
	end := at(s.t, to)
	for !s.r.at.IsZero() && !s.r.at.After(end) {
		s.now = s.r.at
		s.r.look()
		if s.r.cycle != nil {
			s.done()
		}
	}
	s.now = end
}

// want compares the start times of cycles, and the counts of skipped and missed runs.
func (s *stage) want(skipped, missed int, began ...string) {
	s.t.Helper()
	var got []string
	for _, c := range s.cycles {
		got = append(got, c.began.UTC().Format("01-02 15:04:05"))
	}
	if strings.Join(got, ", ") != strings.Join(began, ", ") {
		s.t.Errorf("cycles began at %q, want %q", got, began)
	}
	if s.r.overlapped != skipped || s.r.missed != missed {
		s.t.Errorf("%d skipped and %d missed, want %d and %d", s.r.overlapped, s.r.missed, skipped, missed)
	}
	if s.t.Failed() {
		s.t.Log(s.log.String())
	}
}

func (s *stage) says(text string) {
	s.t.Helper()
	if !strings.Contains(s.log.String(), text) {
		s.t.Errorf("the log does not say %q:\n%s", text, s.log.String())
	}
}

// do executes one step of a row of TestRunner.
func (s *stage) do(step string) {
	s.t.Helper()
	verb, to, _ := strings.Cut(step, " ")
	switch verb {
	case "pass": // cycles that begin keep running
		s.pass(to)
	case "passing": // each cycle ends at once
		s.passing(to)
	case "jump": // a sleep, or a change of the clock
		s.jump(to)
	case "done":
		s.done()
	case "ended": // but the Runner has not seen it yet
		s.cycles[len(s.cycles)-1].ended <- Exit{}
	case "forget":
		s.cycles = nil
	case "fail": // the next start
		s.fail = errors.New(to)
	case "reload":
		s.reload = func() (Plan, error) { return s.plan(to), nil }
		s.r.reload()
	case "spoil":
		s.reload = func() (Plan, error) { return Plan{}, errors.New(to) }
		s.r.reload()
	default:
		s.t.Fatalf("no step: %s", step)
	}
}

func TestRunner(t *testing.T) {
	for name, test := range map[string]struct {
		now, schedule   string
		steps           []string
		skipped, missed int
		began, says     []string
	}{
		"every tick is one cycle": {
			"11-21 10:00:00", "0 * * * *;*/30 * * * *;CRON_TZ=Asia/Kolkata 30 * * * *", []string{"passing 11-21 12:00:00"},
			0, 0, []string{"11-21 10:30:00", "11-21 11:00:00", "11-21 11:30:00", "11-21 12:00:00"}, nil,
		},
		"intervals are counted from the start": {
			"11-21 10:07:13", "@every 20m", []string{"passing 11-21 11:10:00"}, 0, 0, []string{"11-21 10:27:13", "11-21 10:47:13", "11-21 11:07:13"}, nil,
		},
		"what is due while a cycle runs is skipped and counted": {
			"11-21 10:00:00", "*/10 * * * *", []string{"pass 11-21 10:35:00", "done", "pass 11-21 10:45:00"}, 2, 0, []string{"11-21 10:10:00", "11-21 10:40:00"},
			[]string{`msg="skipped: the cycle before still runs" due=2026-11-21T10:20:00Z running_for="10 min"`},
		},
		"two ticks seen at once while a cycle runs are two": { // this process slept while the cycle continued
			"11-21 10:00:00", "*/10 * * * *", []string{"pass 11-21 10:15:00", "jump 11-21 10:45:00"}, 3, 0, []string{"11-21 10:10:00"}, nil,
		},
		"a cycle that ended before the tick was seen does not overlap it": {
			"11-21 10:00:00", "*/10 * * * *", []string{"pass 11-21 10:15:00", "ended", "jump 11-21 10:20:01"}, 0, 0, []string{"11-21 10:10:00", "11-21 10:20:01"}, nil,
		},
		"a missed run is made up for once": {
			"11-21 10:30:00", "0 * * * *", []string{"jump 11-21 14:20:00", "done", "pass 11-21 15:10:00"}, 0, 3, []string{"11-21 14:20:00", "11-21 15:00:00"},
			[]string{"a run was missed; it is made up for now", "due=2026-11-21T14:00:00Z late=\"20 min\" others_missed=3"},
		},
		"a missed run that is too old is logged": {
			"11-21 02:00:00", "0 3 * * *", []string{"jump 11-21 08:00:00", "passing 11-22 09:00:00"}, 0, 1, []string{"11-22 03:00:00"},
			[]string{"missed, and too long ago to be made up for"},
		},
		"the clock is set back a little": {
			"11-21 09:00:30", "0 * * * *", []string{"passing 11-21 10:10:00", "forget", "jump 11-21 09:50:00", "passing 11-21 11:10:00"}, 0, 0, []string{"11-21 11:00:00"}, nil,
		},
		"the clock is set back over no run": {
			"11-21 09:00:30", "0 * * * *", []string{"passing 11-21 10:50:00", "forget", "jump 11-21 10:20:00", "passing 11-21 11:10:00"}, 0, 0, []string{"11-21 11:00:00"}, nil,
		},
		"the clock is set back by three hours, a daily run": {
			"11-21 09:00:30", "0 10 * * *", []string{"passing 11-21 10:10:00", "forget", "jump 11-21 07:10:00", "passing 11-22 10:10:00"}, 0, 0, []string{"11-22 10:00:00"}, nil,
		},
		"the clock is set back by more, a daily run": {
			"11-21 09:00:30", "0 10 * * *", []string{"passing 11-21 10:10:00", "forget", "jump 11-21 06:50:00", "passing 11-21 10:10:00"}, 0, 0, []string{"11-21 10:00:00"}, nil,
		},
		"the clock is set back by more than two runs are apart": {
			"11-21 09:00:30", "*/10 * * * *", []string{"passing 11-21 10:10:30", "forget", "jump 11-21 09:15:00", "passing 11-21 09:25:00"}, 0, 0, []string{"11-21 09:20:00"}, nil,
		},
		"the clock is set back, an interval": {
			"11-21 09:00:30", "@every 10m", []string{"passing 11-21 10:10:30", "forget", "jump 11-21 09:15:00", "passing 11-21 09:26:00"}, 0, 0, []string{"11-21 09:25:00"}, nil,
		},
		"the clock is set back by months": {
			"11-21 09:00:30", "0 * * * *", []string{"passing 11-21 10:10:00", "forget", "jump 01-01 00:00:10", "passing 01-01 01:10:00"}, 0, 0, []string{"01-01 01:00:00"}, nil,
		},
		"reload takes the new schedule": {
			"11-21 10:05:00", "0 * * * *", []string{"passing 11-21 11:05:00", "reload */10 * * * *", "passing 11-21 11:25:00"},
			0, 0, []string{"11-21 11:00:00", "11-21 11:10:00", "11-21 11:20:00"}, nil,
		},
		"reload of an invalid configuration changes nothing": {
			"11-21 10:05:00", "0 * * * *", []string{"spoil CLAUDEOPS_SCHEDULE=x: first line\nsecond line", "passing 11-21 11:05:00"}, 0, 0, []string{"11-21 11:00:00"},
			[]string{"first line", `level=ERROR msg="second line"`, "the schedule stays as it was"},
		},
		"reload leaves the running cycle alone": {
			"11-21 10:05:00", "0 * * * *", []string{"pass 11-21 11:05:00", "reload 30 * * * *", "pass 11-21 11:45:00"}, 1, 0, []string{"11-21 11:00:00"}, nil,
		},
		"reload keeps the beat of an interval": {
			"11-21 10:00:00", "@every 20m", []string{"passing 11-21 10:05:00", "reload @every 20m;@every 25m", "passing 11-21 10:45:00"},
			0, 0, []string{"11-21 10:20:00", "11-21 10:30:00", "11-21 10:40:00"}, nil,
		},
		"a cycle that cannot be started is tried again": {
			"11-21 10:05:00", "0 * * * *", []string{"fail start /usr/bin/claudeops: no such file or directory", "passing 11-21 12:05:00"}, 0, 0, []string{"11-21 12:00:00"},
			[]string{"the cycle could not be started", "no such file or directory"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, test.now, test.schedule)
			for _, step := range test.steps {
				s.do(step)
			}
			s.want(test.skipped, test.missed, test.began...)
			for _, text := range test.says {
				s.says(text)
			}
			for _, c := range s.cycles {
				if got := c.suffered(); got != "[]" {
					t.Errorf("a cycle was disturbed: %s", got)
				}
			}
		})
	}
}

func TestMaxLate(t *testing.T) {
	for _, test := range []struct {
		late    string
		maxLate time.Duration
		runs    bool
	}{
		{"11-21 03:59:59", time.Hour, true},
		{"11-21 04:00:00", time.Hour, false},
		{"11-21 03:00:02", time.Millisecond, true}, // as on a busy machine
		{"11-21 03:00:30", time.Second, false},
		{"11-21 23:00:00", 24 * time.Hour, true},
	} {
		s := newStage(t, "11-21 02:00:00", "0 3 * * *", func(r *Runner) { r.MaxLate = test.maxLate })
		s.jump(test.late)
		if runs := len(s.cycles) == 1; runs != test.runs {
			t.Errorf("seen at %s with --max-late %v: runs %v, want %v", test.late, test.maxLate, runs, test.runs)
		}
	}
}

func TestTheClockIsSetForwardByYears(t *testing.T) {
	s := newStage(t, "01-01 00:00:30", "* * * * *")
	s.now = s.now.AddDate(30, 0, 0)
	s.r.look()
	if len(s.cycles) != 1 {
		t.Fatalf("%d cycles, want 1", len(s.cycles))
	}
	s.says(`others_missed="999 or more"`)
	if next := s.r.at.Sub(s.now); next <= 0 || next > time.Minute {
		t.Errorf("the next run is %v from now, want within a minute", next)
	}
}

func TestJitterMovesARunAndNeverIntoTheNext(t *testing.T) {
	longest := time.Duration(0)
	s := newStage(t, "11-21 10:00:00", "0 * * * *;10 * * * *", func(r *Runner) {
		r.Jitter = 30 * time.Minute
		r.Random = func(below time.Duration) time.Duration {
			longest = below
			return below - time.Second
		}
		r.goOn(at(t, "11-21 10:00:00"))
	})
	s.passing("11-21 12:00:00")
	if longest != 10*time.Minute {
		t.Errorf("the run at 12:00 may be %v late, want until 12:10", longest)
	}
	s.want(0, 0, "11-21 10:39:59", "11-21 11:09:59", "11-21 11:39:59")
}

func TestJitterIsNoLateness(t *testing.T) {
	s := newStage(t, "11-21 02:00:00", "0 3 * * *", func(r *Runner) {
		r.Jitter, r.MaxLate = 2*time.Hour, time.Minute
		r.Random = func(below time.Duration) time.Duration { return below / 2 }
	})
	s.pass("11-21 05:00:00")
	s.want(0, 0, "11-21 04:00:00")
	if strings.Contains(s.log.String(), "missed") {
		t.Errorf("a run that jitter moved was called missed:\n%s", s.log.String())
	}
}

func TestADailyRunComesOnceADayThroughChangesOfTheClock(t *testing.T) {
	for _, zone := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Africa/Casablanca"} {
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		for _, hour := range []int{0, 1, 2, 3, 12} {
			s := newStage(t, "01-01 12:30:00", fmt.Sprintf("CRON_TZ=%s 30 %d * * *", zone, hour))
			s.passing("12-31 12:00:00")
			days := map[string]int{}
			for _, c := range s.cycles {
				days[c.began.In(location).Format(time.DateOnly)]++
			}
			if len(s.cycles) < 363 || len(days) != len(s.cycles) {
				t.Errorf("%s at %d:30: %d runs on %d days", zone, hour, len(s.cycles), len(days))
			}
		}
	}
}

func TestReloadKeepsARunThatWaitsForItsJitter(t *testing.T) {
	for schedules, want := range map[string][]string{"0 * * * *": {"11-21 11:10:00"}, "30 * * * *": nil} {
		s := newStage(t, "11-21 10:05:00", "0 * * * *", func(r *Runner) {
			r.Jitter, r.Random = time.Hour, func(time.Duration) time.Duration { return 10 * time.Minute }
		})
		s.pass("11-21 11:05:00")
		s.reload = func() (Plan, error) { return s.plan(schedules), nil }
		s.r.reload()
		s.pass("11-21 11:20:00")
		s.want(0, 0, want...)
	}
}

func TestACycleThatTakesLongerThanItsLimitsIsEnded(t *testing.T) {
	s := newStage(t, "11-21 10:05:00", "0 * * * *")
	s.pass("11-21 11:05:00")
	s.r.tooLong()
	c := s.cycles[0]
	if got := c.suffered(); got != "[terminated]" {
		t.Errorf("at its limit it got %s, want SIGTERM", got)
	}
	s.r.tooLong()
	if got := c.suffered(); got != "[terminated] killed" {
		t.Errorf("it did not end and got %s, want to be killed", got)
	}
}

func TestExitsAreSaidInWords(t *testing.T) {
	for _, test := range []struct {
		exit  Exit
		text  string
		level slog.Level
	}{
		{Exit{}, "the cycle ran to its end", slog.LevelInfo},
		{Exit{Code: 1}, "a tier failed", slog.LevelWarn},
		{Exit{Code: 2}, "configuration error", slog.LevelError},
		{Exit{Code: 75}, "another cycle was running", slog.LevelWarn},
		{Exit{Code: 143}, "ended by SIGTERM", slog.LevelWarn},
		{Exit{Code: -1, Signal: syscall.SIGKILL}, "killed by SIGKILL", slog.LevelError},
		{Exit{Code: 99}, "not an exit code of run-once", slog.LevelError},
		{Exit{Code: 255}, "not an exit code of run-once", slog.LevelError},
		{Exit{Code: -1, Err: errors.New("lost")}, "how it ended is not known: lost", slog.LevelError},
	} {
		if text, level := test.exit.meaning(); !strings.Contains(text, test.text) || level != test.level {
			t.Errorf("%+v: %v %q, want %v %q", test.exit, level, text, test.level, test.text)
		}
	}
}

// whole is a Runner whose Run executes in a synctest bubble.
type whole struct {
	*stage
	hangup chan os.Signal
	ends   chan os.Signal
	result chan error
}

func run(t *testing.T, schedules string, options ...func(*Runner)) *whole {
	w := &whole{
		stage: &stage{t: t}, hangup: make(chan os.Signal), ends: make(chan os.Signal), result: make(chan error, 1),
	}
	start := func(trigger string) (Process, error) {
		w.now = time.Now()
		return w.start(trigger)
	}
	w.r = &Runner{
		Now: time.Now, Start: start, MaxLate: time.Hour, Hangup: w.hangup, Ends: w.ends,
		Reload: func() (Plan, error) { return w.reload() },
	}
	for _, set := range options {
		set(w.r)
	}
	go func() { w.result <- w.r.Run(w.plan(schedules)) }()
	synctest.Wait()
	return w
}

func (w *whole) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// over reports whether Run has returned. It must return nil.
func (w *whole) over() bool {
	synctest.Wait()
	select {
	case err := <-w.result:
		if err != nil {
			w.t.Error(err)
		}
		return true
	default:
		return false
	}
}

func TestSignalsArePassedOnAndWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := run(t, "0 * * * *")
		w.sleep(61 * time.Minute)
		w.ends <- syscall.SIGINT
		w.ends <- syscall.SIGTERM
		if w.over() {
			t.Fatal("it ended before its cycle did")
		}
		if got := w.cycles[0].suffered(); got != "[interrupt terminated]" {
			t.Errorf("the cycle got %s", got)
		}
		w.cycles[0].ended <- Exit{Code: 130}
		if !w.over() {
			t.Fatal("it did not end after its cycle")
		}
		w.says("exit=130")
		w.says("msg=ended runs=1 skipped=0 missed=0")
	})
}

func TestItEndsAtOnceWhereNothingRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := run(t, "0 * * * *")
		w.ends <- syscall.SIGTERM
		if !w.over() || len(w.cycles) != 0 {
			t.Errorf("it goes on, or ran %d cycles", len(w.cycles))
		}
	})
}

func TestACycleThatDoesNotEndIsKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := run(t, "0 * * * *", func(r *Runner) { r.RunOnStart = true })
		w.ends <- syscall.SIGTERM
		w.sleep(endGrace - time.Second)
		if got := w.cycles[0].suffered(); got != "[terminated]" {
			t.Errorf("before its time it got %s", got)
		}
		w.sleep(2 * time.Second)
		if got := w.cycles[0].suffered(); got != "[terminated] killed" {
			t.Errorf("it got %s, want to be killed", got)
		}
		w.sleep(killGrace)
		if err := <-w.result; err == nil || !strings.Contains(err.Error(), "4711") {
			t.Errorf("the error is %v; want one that names the process", err)
		}
	})
}

func TestALimitEndsACycleWhileTicksGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := run(t, "*/10 * * * *") // the plan's limit is an hour
		w.sleep(71 * time.Minute)
		if got := w.cycles[0].suffered(); got != "[terminated]" || w.r.overlapped != 6 {
			t.Errorf("after its hour the cycle had got %s, with %d ticks skipped; want SIGTERM, 6", got, w.r.overlapped)
		}
		w.cycles[0].ended <- Exit{Code: 143}
		w.sleep(10 * time.Minute)
		if len(w.cycles) != 2 {
			t.Errorf("%d cycles, want another one after the first had ended", len(w.cycles))
		}
		w.cycles[1].ended <- Exit{}
		w.ends <- syscall.SIGTERM
		if !w.over() {
			t.Error("it goes on")
		}
	})
}

func TestRunOnStartAndReload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := run(t, "0 * * * *", func(r *Runner) { r.RunOnStart = true })
		w.cycles[0].ended <- Exit{}
		w.reload = func() (Plan, error) { return w.plan("*/15 * * * *"), nil }
		w.hangup <- syscall.SIGHUP
		w.sleep(16 * time.Minute)
		if len(w.cycles) != 2 {
			t.Errorf("%d cycles, want one at the start and one at a quarter past", len(w.cycles))
		}
		w.cycles[1].ended <- Exit{Code: 1}
		w.ends <- syscall.SIGINT
		if !w.over() {
			t.Error("it goes on")
		}
		w.says(`why="at start"`)
		w.says(`schedule="*/15 * * * *"`)
		w.says("level=WARN msg=\"cycle ended\" exit=1")
	})
}

// requests has a Runner's Woken function, and the requests that were not taken yet.
type requests struct {
	mu      sync.Mutex
	trigger string
}

func (q *requests) ask(trigger string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.trigger = trigger
}

func (q *requests) take() (trigger string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	trigger, q.trigger = q.trigger, ""
	return trigger
}

func woken(t *testing.T, schedules string) (*whole, *requests) {
	q := &requests{}
	return run(t, schedules, func(r *Runner) { r.Woken = q.take }), q
}

// started returns the triggers of all cycles, in order.
func (w *whole) started() string {
	var all []string
	for _, a := range w.cycles {
		all = append(all, a.trigger)
	}
	return strings.Join(all, " ")
}

func (w *whole) wantStarted(want string) {
	w.t.Helper()
	synctest.Wait()
	if got := w.started(); got != want {
		w.t.Errorf("cycles were started by %q, want %q", got, want)
	}
}

func (w *whole) stop() {
	w.t.Helper()
	w.ends <- syscall.SIGTERM
	if !w.over() {
		w.t.Error("it goes on")
	}
}

func TestARequestStartsACycleWithinTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, q := woken(t, "0 * * * *")
		q.ask("alert")
		w.sleep(2 * time.Second)
		w.wantStarted("")
		q.ask("approval") // joins the first request, whose time counts
		w.sleep(3 * time.Second)
		w.wantStarted("approval")
		w.cycles[0].ended <- Exit{}
		w.sleep(time.Minute)
		w.wantStarted("approval")
		w.stop()
	})
}

func TestARequestDuringACycleStartsTheNextOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, q := woken(t, "0 * * * *")
		q.ask("alert")
		w.sleep(5 * time.Second)
		q.ask("alert")
		w.sleep(10 * time.Minute)
		w.wantStarted("alert")
		w.cycles[0].ended <- Exit{}
		w.sleep(10 * time.Second)
		w.wantStarted("alert alert")
		w.cycles[1].ended <- Exit{Code: 1} // it has run, so the request is answered
		w.sleep(time.Minute)
		w.wantStarted("alert alert")
		w.stop()
	})
}

func TestARequestWaitsForACycleThatSomebodyElseRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, q := woken(t, "0 * * * *")
		q.ask("approval")
		w.sleep(5 * time.Second)
		w.cycles[0].ended <- Exit{Code: lockHeld}
		w.sleep(5 * time.Second)
		w.wantStarted("approval approval")
		w.cycles[1].ended <- Exit{}
		w.sleep(time.Minute)
		w.wantStarted("approval approval")
		w.stop()
	})
}

// A woken cycle neither replaces nor delays a scheduled one, and a tick during it is skipped as usual.
func TestARequestChangesNoTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, q := woken(t, "* * * * *") // the test begins at midnight
		w.sleep(30 * time.Second)
		q.ask("manual")
		w.sleep(5 * time.Second)
		w.wantStarted("manual")
		w.cycles[0].ended <- Exit{}
		w.sleep(26 * time.Second)
		w.wantStarted("manual cron")
		w.cycles[1].ended <- Exit{Code: lockHeld} // no request is needed for the next tick
		w.sleep(50 * time.Second)
		w.wantStarted("manual cron")
		q.ask("alert")
		w.sleep(5 * time.Second)
		w.wantStarted("manual cron alert")
		w.sleep(time.Minute)
		w.cycles[2].ended <- Exit{}
		w.wantStarted("manual cron alert")
		if w.r.overlapped != 1 {
			t.Errorf("%d ticks were skipped, want 1", w.r.overlapped)
		}
		w.stop()
	})
}
