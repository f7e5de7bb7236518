package probe

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/claudeops/claudeops/check"
)

const (
	// grace is how long an attempt may continue after its timeout. Then it is abandoned.
	grace = 2 * time.Second
	// maxPause limits the pause between two attempts. A check with a short timeout pauses for a quarter of it.
	maxPause = time.Second
)

// examine makes one check, with up to its number of attempts: the first healthy one counts, or else the last. prepare returns the Try; it
// is called once, in the first attempt. made is false if ctx ended before there was a conclusive finding.
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

// prepared returns a Try that calls prepare on first use. A panic in prepare then becomes a finding, too.
func prepared(prepare func() Try) Try {
	var try Try
	return func(ctx context.Context) Finding {
		if try == nil {
			try = prepare()
		}
		return try(ctx)
	}
}

// once makes one attempt. It returns at most grace after the timeout or the end of ctx, whatever the attempt does.
func once(ctx context.Context, timeout time.Duration, try Try) Finding {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	found := make(chan Finding, 1) // buffered, so that an abandoned attempt can still end
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

// pause waits for d. It returns false if ctx ends first.
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

// resultOf converts a finding to a result.
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
	case f.Asks:
		f.Error = check.AsksForTime + f.Error
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

// brief formats a duration with three significant digits.
func brief(d time.Duration) string {
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 1000*unit || unit >= time.Second {
			return d.Round(unit).String()
		}
	}
}
