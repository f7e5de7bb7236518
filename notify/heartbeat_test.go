package notify

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/testkit/receiver"
)

const run = "5f1f2c5e-4f86-4c39-9f57-0d8a8a0c7a11"

// ping sends a heartbeat as a cycle without proxies does.
func ping(ctx context.Context, url string, beat Beat, text string) error {
	return Monitor{URL: url, Run: run, Version: "1.2.3"}.Beat(ctx, beat, text)
}

func TestBeatsArriveWithTheirTextAndRun(t *testing.T) {
	r := receiver.New(t)
	long := strings.Repeat("ä", 6000)
	for beat, text := range map[Beat]string{Started: "", Well: "2 services healthy\n", Failed: long} {
		if err := ping(t.Context(), r.PingURL(), beat, text); err != nil {
			t.Fatal(err)
		}
		all := r.Pings()
		got := all[len(all)-1]
		if got.Beat != string(beat) || got.Run != run || !strings.HasPrefix(text, got.Text) || len(got.Text) < min(len(strings.TrimSpace(text)), 9_999) {
			t.Errorf("%q: %+v", beat, got)
		}
	}
}

func TestBeatKeepsTheQueryOfItsURL(t *testing.T) {
	r := receiver.New(t)
	if err := ping(t.Context(), r.PingURL()+"/?create=1", Failed, ""); err != nil {
		t.Fatal(err)
	}
	if got := r.Pings()[0]; got.Beat != "fail" || got.Run != run {
		t.Errorf("%+v", got)
	}
}

func TestBeatThatFailsSaysWhyWithoutTheURL(t *testing.T) {
	elsewhere := receiver.New(t)
	for _, row := range []struct {
		answer   receiver.Answer
		attempts int
		part     string
	}{
		{receiver.Answer{Status: 500, Body: "broken"}, 2, "answered 500: broken"},
		{receiver.Answer{Status: 404}, 1, "answered 404: it has no such check"},
		{receiver.Answer{Status: 200, Body: "OK (not found)"}, 1, "it has no such check; see CLAUDEOPS_HEARTBEAT_URL"},
		{receiver.Answer{Status: 200, Body: "OK (rate limited)"}, 1, "beaten too often"},
		{receiver.Answer{Redirect: elsewhere.PingURL()}, 1, "answered 302, to " + elsewhere.URL + ": name that in CLAUDEOPS_HEARTBEAT_URL"},
		{receiver.Answer{Close: true}, 2, "gave no answer: "},
		{receiver.Answer{Raw: endlessHeader}, 2, "gave no answer: "},
	} {
		r := receiver.New(t)
		r.AnswerPing(func(int, receiver.Ping) receiver.Answer { return row.answer })
		err := ping(t.Context(), r.PingURL(), Well, "B")
		want := "the heartbeat monitor at " + strings.TrimPrefix(r.URL, "http://") + " "
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), row.part) || strings.Contains(err.Error(), "0b3e5a0e") {
			t.Errorf("%v; want %q", err, want+row.part)
		}
		if got := len(r.Pings()); got != row.attempts {
			t.Errorf("%s: %d attempts; want %d", row.part, got, row.attempts)
		}
	}
	if diff := cmp.Diff([]receiver.Ping(nil), elsewhere.Pings()); diff != "" {
		t.Error(diff)
	}
}

func TestBeatSucceedsAtTheSecondAttempt(t *testing.T) {
	r := receiver.New(t)
	r.AnswerPing(func(n int, _ receiver.Ping) receiver.Answer { return receiver.Answer{Status: []int{0, 503, 200}[n]} })
	if err := ping(t.Context(), r.PingURL(), Well, ""); err != nil {
		t.Error(err)
	}
}

func TestBeatEndsWithItsContext(t *testing.T) {
	r := receiver.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.AnswerPing(func(int, receiver.Ping) receiver.Answer {
		cancel()
		return receiver.Answer{Hang: true}
	})
	if err := ping(ctx, r.PingURL(), Well, ""); err == nil || !strings.Contains(err.Error(), "gave no answer in the time that was left") {
		t.Error(err)
	}
	r.Down()
	if err := ping(t.Context(), r.PingURL(), Well, ""); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Error(err)
	}
	if err := ping(t.Context(), "hc-ping.com/"+secret, Well, ""); err == nil || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
}
