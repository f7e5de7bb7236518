package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLogTail(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "logs", "x.log")
	c := settingsOf("GUARDRAILS_LOGGING_FILE="+path, "GUARDRAILS_LOGGING_FORMAT=%(hook_cmd)s: %(message)s")
	log := c.OpenLog(time.Now)
	tail := func(n int, hook string) string {
		t.Helper()
		lines, err := log.Tail(n, hook)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(lines, "|")
	}
	if got := tail(10, ""); got != "" {
		t.Errorf("without a log: %q", got)
	}
	for i := range 3 {
		log.Info("/h/a", fmt.Sprint(i))
		log.Info("/h/b\n", fmt.Sprint(i))
	}
	if err := os.WriteFile(path+".1", []byte("/h/a: old\n\n/h/b\\n: old\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		n    int
		hook string
		want string
	}{
		{0, "", ""},
		{2, "", `/h/a: 2|/h/b\n: 2`},
		{3, "/h/a", "/h/a: 0|/h/a: 1|/h/a: 2"},
		{4, "/h/a", "/h/a: old|/h/a: 0|/h/a: 1|/h/a: 2"},
		{9, "/h/b\n", `/h/b\n: old|/h/b\n: 0|/h/b\n: 1|/h/b\n: 2`},
		{7, "", `x|/h/a: 0|/h/b\n: 0|/h/a: 1|/h/b\n: 1|/h/a: 2|/h/b\n: 2`},
		{9, "none", ""},
	} {
		if got := tail(row.n, row.hook); got != row.want {
			t.Errorf("%d lines of %q: %q, want %q", row.n, row.hook, got, row.want)
		}
	}
	if lines, err := (*Log)(nil).Tail(1, ""); lines != nil || err != nil {
		t.Errorf("%q, %v", lines, err)
	}
}

// A log from before the breaker may exceed maxLog; its end is read.
func TestLogTailOfALargeLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	if err := os.WriteFile(path, []byte(strings.Repeat("a line\n", 3*maxLog/len("a line\n")+1)+"the last\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, err := (&Log{path: path}).Tail(2, "")
	if got := strings.Join(lines, "|"); err != nil || got != "a line|the last" {
		t.Errorf("%q, %v", got, err)
	}
}

// A log must be a regular file, not a link or anything that blocks.
func TestLogTailOfNoFile(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "log"), link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, link} {
		if _, err := (&Log{path: path}).Tail(1, ""); err == nil {
			t.Errorf("%s was read", path)
		}
	}
}
