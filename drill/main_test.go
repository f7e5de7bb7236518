package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestWhatADrillMustReach(t *testing.T) {
	skipped := []Result{{Name: "unit-failed", Skipped: "systemd does not run"}}
	for _, row := range []struct {
		flags  flags
		report Report
		want   string
	}{
		{flags{}, Report{}, ""},
		{flags{min: 60}, Report{Score: 60}, ""},
		{flags{min: 60}, Report{Score: 59.9}, "the score is 59.9, below 60.0"},
		{flags{}, Report{Cases: skipped}, ""},
		{flags{requireAll: true}, Report{Cases: skipped}, "cases were skipped, and --require-all wants all of them"},
	} {
		got := ""
		if err := row.flags.wanted(row.report); err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%+v of %+v: %q, want %q", row.flags, row.report, got, row.want)
		}
	}
}

func TestTheCommandLine(t *testing.T) {
	for _, row := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--list"}, 0, "crash                fault          a process was killed"},
		{[]string{"--list"}, 0, "clock-wrong          fault, unseen  "},
		{[]string{"--list", "--json", "--case", "cache-memory"}, 0, `[{"name":"cache-memory","kind":"fault","unseen":false,`},
		{[]string{"--list", "--case", "none"}, 2, `no case is called "none"`},
		{[]string{"--min", "abc"}, 2, "invalid value"},
		{[]string{"--min", "NaN"}, 2, "not a score of 0 to 100"},
		{[]string{"--min", "150"}, 2, "not a score of 0 to 100"},
		{[]string{"sweep"}, 2, "unexpected: sweep"},
		{[]string{"--program", "/nowhere/claudeops"}, 2, "`make` builds it"},
		{[]string{"sweep", "/nowhere/photos"}, 1, "is no folder of a drill"},
		{[]string{"part", "mainframe"}, 1, "no server of the homelab is called mainframe"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), row.args, &out, &out); code != row.code || !strings.Contains(out.String(), row.want) {
			t.Errorf("%q: exit %d, want %d with %q:\n%s", row.args, code, row.code, row.want, out.String())
		}
	}
}
