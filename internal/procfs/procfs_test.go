package procfs

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestReadThisProcess(t *testing.T) {
	p, err := Read(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if p.PID != os.Getpid() || p.Parent != os.Getppid() || p.Start <= 0 || p.Threads < 1 || p.Group != unix.Getpgrp() || p.Dead() || p.Stopped() {
		t.Errorf("%+v", p)
	}
	if _, err := Read(1 << 30); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no process: %v", err)
	}
}

func TestParse(t *testing.T) {
	const tail = " 7 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 0 0"
	for name, tt := range map[string]struct {
		stat string
		want Process
		ok   bool
	}{
		"plain":                 {"12 (sh) S" + tail, Process{Parent: 7, Group: 1, Threads: 1, State: 'S', Start: 4711}, true},
		"a name like the rest":  {"12 (a) Z 3 (b) c) T" + tail, Process{Parent: 7, Group: 1, Threads: 1, State: 'T', Start: 4711}, true},
		"a name of two lines":   {"12 (a\nb) Z" + tail, Process{Parent: 7, Group: 1, Threads: 1, State: 'Z', Start: 4711}, true},
		"cut off":               {"12 (sh) S 7 1 1", Process{}, false},
		"empty":                 {"", Process{}, false},
		"a parent that is none": {"12 (sh) S x 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 0 0", Process{}, false},
	} {
		got, err := parse([]byte(tt.stat))
		if (err == nil) != tt.ok || tt.ok && got != tt.want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, tt.want)
		}
	}
}
