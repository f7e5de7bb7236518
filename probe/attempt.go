package probe

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/check"
)

const (
	// grace is how long an attempt may go on after its time is over. Then it is left to itself.
	grace = 2 * time.Second
	// maxPause is the longest pause between two attempts; a quarter of the timeout is less for impatient checks.
	maxPause = time.Second
)

// examine makes one check: up to its attempts, of which the first healthy one counts, else the last. prepare makes the Try; it is
// called once, within the first attempt. made is false where ctx ended before there was a finding worth telling.
func examine(ctx context.Context, service string, k *Check, prepare func() Try, s Settings) (
	result check.Result, made bool,
) {
	timeout := cmp.Or(max(k.Timeout, 0), DefaultTimeout)
	var found Finding
	try := prepared(prepare)
	for n := 1; ; n++ {
		found = once(ctx, timeout, try)
		if found.Status == check.Healthy {
			break
		}
		if ctx.Err() != nil {
			return check.Result{}, false
		}
		if found.Final || n >= k.Attempts {
			break
		}
		if !pause(ctx, min(maxPause, timeout/4)) {
			return check.Result{}, false
		}
	}
	return resultOf(service, k, found, s), true
}

// prepared is a Try that makes the real one when it is first called. What panics on the way is then a finding too.
func prepared(prepare func() Try) Try {
	var try Try
	return func(ctx context.Context) Finding {
		if try == nil {
			try = prepare()
		}
		return try(ctx)
	}
}

// once makes one attempt. It returns at the latest when grace is over after the timeout or the end of ctx, whatever the attempt does.
func once(ctx context.Context, timeout time.Duration, try Try) Finding {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	found := make(chan Finding, 1) // so that an attempt which was given up can still end
	go func() {
		f := unmade("the check ended without finding anything")
		defer func() {
			if p := recover(); p != nil {
				f = unmade(fmt.Sprintf("the check itself failed, which is a bug: %v", p))
			}
			found <- f
		}()
		f = try(ctx)
	}()
	select {
	case f := <-found:
		return f
	case <-ctx.Done():
	}
	over := time.NewTimer(grace)
	defer over.Stop()
	select {
	case f := <-found:
		return f
	case <-over.C:
		return staysDown(fmt.Sprintf("did not end within %s, nor %s after it was stopped", brief(timeout), brief(grace)))
	}
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	over := time.NewTimer(d)
	defer over.Stop()
	select {
	case <-over.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// resultOf is the result that a finding is.
func resultOf(service string, k *Check, f Finding, s Settings) check.Result {
	result := check.Result{Service: service, Type: k.Type, Status: f.Status}
	switch {
	case !f.Status.Valid():
		result.Status, f.Error = check.Unknown, fmt.Sprintf("the check found no status, but %q, which is a bug", string(f.Status))
	case f.Status == check.Healthy && k.DegradedAfter > 0 && f.Took >= k.DegradedAfter:
		result.Status = check.Degraded
		f.Error = fmt.Sprintf("%s answered in %s, slower than %s", cmp.Or(k.About().Asked, service), brief(f.Took), brief(k.DegradedAfter))
	case f.Status == check.Healthy:
		f.Error = ""
	case f.Error == "":
		f.Error = cmp.Or(k.About().Asked, service) + " is " + string(f.Status) + "; the check did not say why"
	}
	if f.Error != "" {
		secrets := secretsOf(k.About(), s.Environ)
		if s.fleet != nil {
			secrets.fleet = s.fleet()
		}
		result.Error = clean(f.Error, secrets)
	}
	if f.Took > 0 {
		ms := int64((f.Took + time.Millisecond - 1) / time.Millisecond)
		result.ResponseTimeMS = &ms
	}
	return result
}

// brief writes a duration with the three digits that matter.
func brief(d time.Duration) string {
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 1000*unit || unit >= time.Second {
			return d.Round(unit).String()
		}
	}
}
