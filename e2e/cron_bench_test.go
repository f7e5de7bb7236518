package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// cronTicks is the number of minutes that BenchmarkCron measures.
const cronTicks = 4

// BenchmarkCron measures claudeops cron with a run each minute: the delay until the run's program is executed, according to the kernel, and
// what waiting costs. Goals: within 50 ms; at most 15 MB of memory that is in no file; no wake-ups of ours in between.
func BenchmarkCron(b *testing.B) {
	program := filepath.Join(b.TempDir(), "claudeops") // a file that no other test executes
	if out, err := exec.Command("cp", release(b, "claudeops"), program).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	for b.Loop() {
		inventory, _ := fleet(b, 1)
		_, environ := stage(b, "CLAUDEOPS_INVENTORY="+inventory, "CLAUDEOPS_TIER1_AGENT=probe", "CLAUDEOPS_SCHEDULE=* * * * *")
		cmd := exec.Command(program, "cron")
		cmd.Env = environ
		var log bytes.Buffer
		cmd.Stderr = &log
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		time.Sleep(2 * time.Second) // time to start waiting
		peak, idle, anonymous := memory(b, cmd.Process.Pid)
		executed := executions(b, program)
		var late, waits []time.Duration
		for range cronTicks {
			at := <-executed
			late = append(late, at.Sub(at.Truncate(time.Minute)))
			time.Sleep(5 * time.Second) // a cycle takes less
			before := switches(b, cmd.Process.Pid)
			time.Sleep(time.Until(at.Truncate(time.Minute).Add(58 * time.Second)))
			waits = append(waits, time.Duration(switches(b, cmd.Process.Pid)-before))
		}
		_, later, laterAnonymous := memory(b, cmd.Process.Pid)
		if err := cmd.Process.Signal(unix.SIGTERM); err != nil {
			b.Fatal(err)
		}
		_ = cmd.Wait() // it exits with 143
		if strings.Count(log.String(), `exit=0`) < cronTicks {
			b.Fatalf("not every cycle ran:\n%s", log.String())
		}
		worst := median(late)
		for _, l := range late {
			worst = max(worst, l)
		}
		b.ReportMetric(0, "ns/op") // it would be the minutes themselves
		b.ReportMetric(float64(median(late).Microseconds())/1000, "ms-late")
		b.ReportMetric(float64(worst.Microseconds())/1000, "ms-late-worst")
		b.ReportMetric(float64(max(idle, later))/1024, "MB-idle")
		b.ReportMetric(float64(max(anonymous, laterAnonymous))/1024, "MB-anonymous")
		b.ReportMetric(float64(peak)/1024, "MB-peak")
		b.ReportMetric(float64(median(waits)), "switches/53s")
	}
}

// executions returns the time of each execution of a file, from the kernel: a program is opened when it is executed.
func executions(b *testing.B, path string) <-chan time.Time {
	b.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err == nil {
		_, err = unix.InotifyAddWatch(fd, path, unix.IN_OPEN)
	}
	if err != nil {
		b.Fatal(err)
	}
	moments := make(chan time.Time, 100)
	go func() {
		events := make([]byte, 4096)
		for last := (time.Time{}); ; {
			if _, err := unix.Read(fd, events); err != nil {
				return
			}
			if now := time.Now(); now.Sub(last) > 10*time.Second { // it may open itself later
				last = now
				moments <- now
			}
		}
	}()
	return moments
}

// status returns the sum of a number in /proc/PID/FILE over all lines with that name.
func status(b *testing.B, file, name string) (sum int64) {
	b.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name+":" {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				b.Fatal(err)
			}
			sum += n
		}
	}
	return sum
}

// memory returns a process's peak memory, its current memory, and the part of that which is in no file, in KiB.
func memory(b *testing.B, pid int) (peak, now, anonymous int64) {
	b.Helper()
	rollup := fmt.Sprintf("/proc/%d/smaps_rollup", pid)
	return status(b, fmt.Sprintf("/proc/%d/status", pid), "VmHWM"), status(b, rollup, "Rss"), status(b, rollup, "Anonymous")
}

// switches returns the voluntary context switches of all threads of a process: each is a wake-up.
func switches(b *testing.B, pid int) (sum int64) {
	b.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for _, thread := range threads {
		sum += status(b, thread, "voluntary_ctxt_switches")
	}
	return sum
}
