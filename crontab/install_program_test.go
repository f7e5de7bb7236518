package crontab

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestAProgramHasItsInputAndItsOutputIsReturned(t *testing.T) {
	t.Setenv("LANG", "de_DE.UTF-8")
	t.Setenv("CRONTAB_NOHEADER", "N")
	out, err := RunProgram(context.Background(), []byte("in\n"), "/bin/sh", "-c", `cat; echo "$LANG$LC_ALL $CRONTAB_NOHEADER"`)
	if err != nil || string(out) != "in\nC Y\n" {
		t.Errorf("%q, %v", out, err)
	}
}

func TestAProgramsOwnWordsArePassedOn(t *testing.T) {
	_, err := RunProgram(context.Background(), nil, "/bin/sh", "-c", "echo out; echo no such thing >&2; exit 3")
	var failed *ProgramError
	if !errors.As(err, &failed) || failed.Code != 3 || failed.Said != "no such thing" || !strings.HasPrefix(err.Error(), "`sh -c ") {
		t.Errorf("%v", err)
	}
	if _, err := RunProgram(context.Background(), nil, "/none/such"); err == nil || !strings.Contains(err.Error(), "start `such`") {
		t.Errorf("%v", err)
	}
}

func TestAProgramThatDoesNotEndIsEndedWithItsChildren(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := RunProgram(ctx, nil, "/bin/sh", "-c", "sleep 600 & wait"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if _, err := RunProgram(context.Background(), nil, "/bin/sh", "-c", "yes"); err == nil || !strings.Contains(err.Error(), "wrote more than") {
		t.Errorf("%v", err)
	}
}
