package crontab

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A schedule without a zone uses this process's zone, which these tests set to UTC.
func init() { time.Local = time.UTC }

// written is what the Runner writes while the test reads it.
type written struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (x *written) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.buf.Write(p)
}

func (x *written) String() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.buf.String()
}

// stage is a Runner that runs in a synctest bubble, with a clock that the test sets and cycles that it ends.
type stage struct {
	t       *testing.T
	ahead   atomic.Int64 // of the bubble's clock, in nanoseconds
	log     written
	cycles  []*actor
	brief   atomic.Bool // cycles end at once
	fail    chan error  // of the next start
	reload  func() (Plan, error)
	asks    chan string // requests to wake
	hangup  chan os.Signal
	ends    chan os.Signal
	result  chan error
	stopped bool
}

// actor is a cycle that runs until the test ends it.
type actor struct {
	trigger  string
	began    time.Time
	ended    chan Exit
	suffered written // the signals that it got
}

func (a *actor) PID() int                { return 4711 }
func (a *actor) Ended() <-chan Exit      { return a.ended }
func (a *actor) Signal(s syscall.Signal) { fmt.Fprint(&a.suffered, s, " ") }
func (a *actor) Kill()                   { fmt.Fprint(&a.suffered, "killed") }

func (s *stage) now() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }

func (s *stage) start(trigger string) (Process, error) {
	select {
	case err := <-s.fail:
		return nil, err
	default:
	}
	a := &actor{trigger: trigger, began: s.now(), ended: make(chan Exit, 1)}
	if s.brief.Load() {
		a.ended <- Exit{}
	}
	s.cycles = append(s.cycles, a)
	return a, nil
}

// woken takes a request to wake.
func (s *stage) woken() string {
	select {
	case trigger := <-s.asks:
		return trigger
	default:
		return ""
	}
}

func (s *stage) plan(schedules string) Plan {
	p := Plan{Log: slog.New(slog.NewTextHandler(&s.log, nil)), Longest: time.Hour}
	for text := range strings.SplitSeq(schedules, ";") {
		p.Schedule = append(p.Schedule, expression(s.t, text))
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

// run starts a Runner at a time, and stops it at the end of the test.
func run(t *testing.T, now, schedules string, options ...func(*Runner)) *stage {
	t.Helper()
	s := &stage{
		t: t, fail: make(chan error, 1), asks: make(chan string, 1),
		hangup: make(chan os.Signal), ends: make(chan os.Signal), result: make(chan error, 1),
	}
	s.ahead.Store(int64(time.Until(at(t, now))))
	r := &Runner{
		Now: s.now, Start: s.start, MaxLate: time.Hour, Hangup: s.hangup, Ends: s.ends, Woken: s.woken,
		Reload: func() (Plan, error) { return s.reload() },
	}
	for _, set := range options {
		set(r)
	}
	go func() { s.result <- r.Run(s.plan(schedules)) }()
	synctest.Wait()
	t.Cleanup(s.stop)
	return s
}

// stop ends the Runner, and the cycle that it waits for.
func (s *stage) stop() {
	s.t.Helper()
	if s.stopped {
		return
	}
	s.ends <- syscall.SIGTERM
	if !s.over() {
		s.done(Exit{})
	}
	if !s.stopped && !s.over() {
		s.t.Error("it goes on")
	}
}

// over reports whether Run has returned. It must return nil.
func (s *stage) over() bool {
	s.t.Helper()
	synctest.Wait()
	select {
	case err := <-s.result:
		s.stopped = true
		if err != nil {
			s.t.Error(err)
		}
	default:
	}
	return s.stopped
}

// sleep passes time, in which cycles that begin keep running.
func (s *stage) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (s *stage) pass(to string) {
	s.t.Helper()
	s.sleep(at(s.t, to).Sub(s.now()))
}

// jump sets the clock, as a change of it or a sleep does, so that the Runner looks next at this time.
func (s *stage) jump(to time.Time) {
	s.ahead.Add(int64(to.Sub(s.now()) - lookEvery))
	s.sleep(lookEvery)
}

// done ends the newest cycle.
func (s *stage) done(e Exit) {
	s.cycles[len(s.cycles)-1].ended <- e
	synctest.Wait()
}

// rereads makes the Runner read its configuration again.
func (s *stage) rereads(plan Plan, err error) {
	s.reload = func() (Plan, error) { return plan, err }
	s.hangup <- syscall.SIGHUP
	synctest.Wait()
}

// want compares the start times of cycles.
func (s *stage) want(began ...string) {
	s.t.Helper()
	var got []string
	for _, c := range s.cycles {
		got = append(got, c.began.UTC().Format("01-02 15:04:05"))
	}
	if strings.Join(got, ", ") != strings.Join(began, ", ") {
		s.t.Errorf("cycles began at %q, want %q:\n%s", got, began, s.log.String())
	}
}

// wantStarted compares the triggers of cycles.
func (s *stage) wantStarted(want string) {
	s.t.Helper()
	var got []string
	for _, c := range s.cycles {
		got = append(got, c.trigger)
	}
	if strings.Join(got, " ") != want {
		s.t.Errorf("cycles were started by %q, want %q", got, want)
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
	s.brief.Store(verb == "passing")
	switch verb {
	case "pass", "passing":
		s.pass(to)
	case "jump":
		s.jump(at(s.t, to))
	case "done":
		s.done(Exit{})
	case "fail": // the next start
		s.fail <- errors.New(to)
	case "reload":
		s.rereads(s.plan(to), nil)
	case "spoil":
		s.rereads(Plan{}, errors.New(to))
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
		"two ticks seen at once while a cycle runs are skipped": { // this process slept while the cycle continued
			"11-21 10:00:00", "*/10 * * * *", []string{"pass 11-21 10:15:00", "jump 11-21 10:45:00"}, 1, 0, []string{"11-21 10:10:00"}, nil,
		},
		"a missed run is made up for once": {
			"11-21 10:30:00", "0 * * * *", []string{"jump 11-21 14:20:00", "done", "pass 11-21 15:10:00"}, 0, 1, []string{"11-21 14:20:00", "11-21 15:00:00"},
			[]string{"a run was missed; it is made up for now", "due=2026-11-21T14:00:00Z late=\"20 min\" others_missed=true"},
		},
		"a missed run that is too old is logged": {
			"11-21 02:00:00", "0 3 * * *", []string{"jump 11-21 08:00:00", "passing 11-22 09:00:00"}, 0, 1, []string{"11-22 03:00:00"},
			[]string{"missed, and too long ago to be made up for"},
		},
		"the clock is set back a little": {
			"11-21 09:00:30", "0 * * * *", []string{"passing 11-21 10:10:00", "jump 11-21 09:50:00", "passing 11-21 11:10:00"},
			0, 0, []string{"11-21 10:00:00", "11-21 11:00:00"}, nil,
		},
		"the clock is set back by three hours, a daily run": {
			"11-21 09:00:30", "0 10 * * *", []string{"passing 11-21 10:10:00", "jump 11-21 07:10:00", "passing 11-22 10:10:00"},
			0, 0, []string{"11-21 10:00:00", "11-22 10:00:00"}, nil,
		},
		"the clock is set back by more, a daily run": {
			"11-21 09:00:30", "0 10 * * *", []string{"passing 11-21 10:10:00", "jump 11-21 06:50:00", "passing 11-21 10:10:00"},
			0, 0, []string{"11-21 10:00:00", "11-21 10:00:00"}, nil,
		},
		"the clock is set back by more than two runs are apart": {
			"11-21 10:00:30", "*/10 * * * *", []string{"passing 11-21 10:10:30", "jump 11-21 09:15:00", "passing 11-21 09:25:00"},
			0, 0, []string{"11-21 10:10:00", "11-21 09:20:00"}, nil,
		},
		"the clock is set back, an interval": {
			"11-21 10:00:30", "@every 10m", []string{"passing 11-21 10:10:30", "jump 11-21 09:15:00", "passing 11-21 09:26:00"},
			0, 0, []string{"11-21 10:10:30", "11-21 09:25:00"}, nil,
		},
		"the clock is set back by months": {
			"11-21 09:00:30", "0 * * * *", []string{"passing 11-21 10:10:00", "jump 01-01 00:00:10", "passing 01-01 01:10:00"},
			0, 0, []string{"11-21 10:00:00", "01-01 01:00:00"}, nil,
		},
		"reload takes the new schedule": {
			"11-21 10:05:00", "0 * * * *", []string{"passing 11-21 11:05:00", "reload */10 * * * *", "passing 11-21 11:25:00"},
			0, 0, []string{"11-21 11:00:00", "11-21 11:10:00", "11-21 11:20:00"}, []string{`schedule="*/10 * * * *"`},
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
			synctest.Test(t, func(t *testing.T) {
				s := run(t, test.now, test.schedule)
				for _, step := range test.steps {
					s.do(step)
				}
				for _, c := range s.cycles {
					if got := c.suffered.String(); got != "" {
						t.Errorf("a cycle was disturbed: %s", got)
					}
				}
				s.stop()
				s.want(test.began...)
				s.says(fmt.Sprintf("skipped=%d missed=%d", test.skipped, test.missed))
				for _, text := range test.says {
					s.says(text)
				}
			})
		})
	}
}

func TestMaxLate(t *testing.T) {
	for _, test := range []struct {
		late    string
		maxLate time.Duration
		runs    int
	}{
		{"11-21 03:59:59", time.Hour, 1},
		{"11-21 04:00:00", time.Hour, 0},
		{"11-21 03:00:02", time.Millisecond, 1}, // as on a busy machine
		{"11-21 03:00:30", time.Second, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := run(t, "11-21 02:00:00", "0 3 * * *", func(r *Runner) { r.MaxLate = test.maxLate })
			s.jump(at(t, test.late))
			if len(s.cycles) != test.runs {
				t.Errorf("seen at %s with --max-late %v: %d runs, want %d", test.late, test.maxLate, len(s.cycles), test.runs)
			}
		})
	}
}

func TestTheClockIsSetForwardByYears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, "01-01 00:00:30", "* * * * *")
		s.brief.Store(true)
		s.jump(s.now().AddDate(30, 0, 0))
		s.sleep(time.Minute)
		if len(s.cycles) != 2 {
			t.Errorf("%d cycles, want one for those that were missed and the next one within a minute", len(s.cycles))
		}
		s.says(`others_missed=true`)
	})
}

func TestJitterMovesARunAndNeverIntoTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		longest := time.Duration(0)
		s := run(t, "11-21 10:00:00", "0 * * * *;10 * * * *", func(r *Runner) {
			r.Jitter = 30 * time.Minute
			r.Random = func(below time.Duration) time.Duration {
				longest = below
				return below - time.Second
			}
		})
		s.do("passing 11-21 12:00:00")
		if longest != 10*time.Minute {
			t.Errorf("the run at 12:00 may be %v late, want until 12:10", longest)
		}
		s.want("11-21 10:39:59", "11-21 11:09:59", "11-21 11:39:59")
	})
}

func TestJitterIsNoLateness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, "11-21 02:00:00", "0 3 * * *", func(r *Runner) {
			r.Jitter, r.MaxLate = 2*time.Hour, time.Minute
			r.Random = func(below time.Duration) time.Duration { return below / 2 }
		})
		s.do("passing 11-21 05:00:00")
		s.want("11-21 04:00:00")
		s.says("why=schedule")
	})
}

func TestReloadKeepsARunThatWaitsForItsJitter(t *testing.T) {
	for schedules, want := range map[string][]string{"0 * * * *": {"11-21 11:10:00"}, "30 * * * *": nil} {
		synctest.Test(t, func(t *testing.T) {
			s := run(t, "11-21 10:05:00", "0 * * * *", func(r *Runner) {
				r.Jitter, r.Random = time.Hour, func(time.Duration) time.Duration { return 10 * time.Minute }
			})
			s.pass("11-21 11:05:00")
			s.rereads(s.plan(schedules), nil)
			s.pass("11-21 11:20:00")
			s.want(want...)
		})
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
		{Exit{Code: -1, Err: errors.New("lost")}, "how it ended is not known: lost", slog.LevelError},
	} {
		if text, level := test.exit.meaning(); !strings.Contains(text, test.text) || level != test.level {
			t.Errorf("%+v: %v %q, want %v %q", test.exit, level, text, test.level, test.text)
		}
	}
}

func TestSignalsArePassedOnAndWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, "11-21 10:00:00", "0 * * * *")
		s.sleep(61 * time.Minute)
		s.ends <- syscall.SIGINT
		s.ends <- syscall.SIGTERM
		if s.over() {
			t.Fatal("it ended before its cycle did")
		}
		if got := s.cycles[0].suffered.String(); got != "interrupt terminated " {
			t.Errorf("the cycle got %s", got)
		}
		s.done(Exit{Code: 130})
		if !s.over() {
			t.Fatal("it did not end after its cycle")
		}
		s.says("exit=130")
	})
}

func TestItEndsAtOnceWhereNothingRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, "11-21 10:00:00", "0 * * * *")
		s.ends <- syscall.SIGTERM
		if !s.over() || len(s.cycles) != 0 {
			t.Errorf("it goes on, or ran %d cycles", len(s.cycles))
		}
	})
}

func TestACycleThatDoesNotEndIsKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, "11-21 10:00:00", "0 * * * *", func(r *Runner) { r.RunOnStart = true })
		s.says(`why="at start"`)
		s.ends <- syscall.SIGTERM
		s.sleep(endGrace - time.Second)
		if got := s.cycles[0].suffered.String(); got != "terminated " {
			t.Errorf("before its time it got %s", got)
		}
		s.sleep(2 * time.Second)
		if got := s.cycles[0].suffered.String(); got != "terminated killed" {
			t.Errorf("it got %s, want to be killed", got)
		}
		s.sleep(killGrace)
		s.stopped = true
		if err := <-s.result; err == nil || !strings.Contains(err.Error(), "4711") {
			t.Errorf("the error is %v; want one that names the process", err)
		}
	})
}

func TestALimitEndsACycleWhileTicksGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, "11-21 10:00:00", "*/10 * * * *") // the plan's limit is an hour
		s.sleep(71 * time.Minute)
		if got := s.cycles[0].suffered.String(); got != "terminated " {
			t.Errorf("after its hour the cycle had got %s, want SIGTERM", got)
		}
		s.says("skipped_so_far=6")
		s.sleep(endGrace)
		if got := s.cycles[0].suffered.String(); got != "terminated killed" {
			t.Errorf("it did not end and got %s, want to be killed", got)
		}
		s.done(Exit{Code: -1, Signal: syscall.SIGKILL})
		s.sleep(10 * time.Minute)
		if len(s.cycles) != 2 {
			t.Errorf("%d cycles, want another one after the first had ended", len(s.cycles))
		}
	})
}

func TestARequestStartsACycleWithinTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, "11-21 10:00:00", "0 * * * *")
		s.asks <- "alert"
		s.sleep(2 * time.Second)
		s.wantStarted("")
		s.asks <- "approval" // joins the first request, whose time counts
		s.sleep(3 * time.Second)
		s.wantStarted("approval")
		s.done(Exit{})
		s.sleep(time.Minute)
		s.wantStarted("approval")
	})
}

func TestARequestDuringACycleStartsTheNextOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, "11-21 10:00:00", "0 * * * *")
		s.asks <- "alert"
		s.sleep(5 * time.Second)
		s.asks <- "alert"
		s.sleep(10 * time.Minute)
		s.wantStarted("alert")
		s.done(Exit{})
		s.sleep(10 * time.Second)
		s.wantStarted("alert alert")
		s.done(Exit{Code: 1}) // it has run, so the request is answered
		s.sleep(time.Minute)
		s.wantStarted("alert alert")
	})
}

func TestARequestWaitsForACycleThatSomebodyElseRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, "11-21 10:00:00", "0 * * * *")
		s.asks <- "approval"
		s.sleep(5 * time.Second)
		s.done(Exit{Code: lockHeld})
		s.sleep(5 * time.Second)
		s.wantStarted("approval approval")
		s.done(Exit{})
		s.sleep(time.Minute)
		s.wantStarted("approval approval")
	})
}

// A woken cycle neither replaces nor delays a scheduled one, and a tick during it is skipped as usual.
func TestARequestChangesNoTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, "11-21 10:00:00", "* * * * *")
		s.sleep(30 * time.Second)
		s.asks <- "manual"
		s.sleep(5 * time.Second)
		s.wantStarted("manual")
		s.done(Exit{})
		s.sleep(26 * time.Second)
		s.wantStarted("manual cron")
		s.done(Exit{Code: lockHeld}) // no request is needed for the next tick
		s.sleep(50 * time.Second)
		s.wantStarted("manual cron")
		s.asks <- "alert"
		s.sleep(5 * time.Second)
		s.wantStarted("manual cron alert")
		s.sleep(time.Minute)
		s.done(Exit{})
		s.wantStarted("manual cron alert")
		s.says("skipped_so_far=1")
	})
}
