package crontab

import "testing"

func TestProgramsSpeakEnglishAndGetTheirInput(t *testing.T) {
	t.Setenv("LANG", "de_DE.UTF-8")
	t.Setenv("CRONTAB_NOHEADER", "N")
	out, err := runProgram(t.Context(), []byte("in\n"), "/bin/sh", "-c", `cat; echo "$LANG$LC_ALL $CRONTAB_NOHEADER"`)
	if err != nil || string(out) != "in\nC Y\n" {
		t.Errorf("%q, %v", out, err)
	}
}
