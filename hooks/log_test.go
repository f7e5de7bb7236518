package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestANTILOOP_Logging(t *testing.T) {
	home := inHome(t, "circuit_breaker: {failure_threshold: 1}\nlogging: {level: DEBUG}")
	call(t, stop, "-c", "echo ok")
	call(t, stop, "-c", "echo bad >&2; exit 1")
	call(t, stop, "-c", "echo bad >&2; exit 1")
	text, err := os.ReadFile(filepath.Join(home, ".claude", "logs", "circuit_breaker.log"))
	must(t, err)
	want := regexp.MustCompile(`^(?s)DATE \| DEBUG \| echo ok \| Hook ended with 0
DATE \| WARNING \| echo bad >&2; exit 1 \| Hook failed: Exit code 1: bad
DATE \| INFO \| echo bad >&2; exit 1 \| Circuit CLOSED -> OPEN \(Exit code 1: bad\); next try at \S+
DATE \| INFO \| echo bad >&2; exit 1 \| Hook disabled due to repeated failures
$`)
	if got := regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}`).ReplaceAllString(string(text), "DATE"); !want.MatchString(got) {
		t.Error(got)
	}
}

func TestLogLines(t *testing.T) {
	c := &Config{}
	c.Logging.File = filepath.Join(t.TempDir(), "logs", "x.log")
	c.Logging.Format, c.Logging.Level = "%(levelname)s %(hook_cmd)s %(message)s %(asctime)s", "WARNING"
	l := c.Log(func() time.Time { return noon })
	l.Info("x", "not logged")
	var writers sync.WaitGroup
	for i := range 20 {
		writers.Go(func() { l.Error(fmt.Sprint(i), "a\nb\x1b[2J\x00"+strings.Repeat("y", 3000)) })
	}
	writers.Wait()
	lines, err := tail(c.Logging.File, "ERROR", 30)
	must(t, err)
	if len(lines) != 20 || !strings.Contains(lines[0], " a b\ufffdyyy") || !strings.Contains(lines[0], "y… "+noon.Local().Format("2006-01-02")) {
		t.Errorf("%d lines, %.100q", len(lines), lines)
	}
	must(t, os.Truncate(c.Logging.File, maxLog))
	l.Error("x", "the first of a new log")
	if lines, err = tail(c.Logging.File, "", 5); err != nil || len(lines) != 1 {
		t.Errorf("%q, %v", lines, err)
	}
	if is, err := os.Stat(c.Logging.File + ".1"); err != nil || is.Size() != maxLog {
		t.Errorf("%v, %v", is, err)
	}
}
