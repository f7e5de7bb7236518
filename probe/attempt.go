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
// is called once, in the first attempt. made is false if ctx ended before there was a conclusive result.
func examine(ctx context.Context, service string, k *Check, prepare func() Try, s Settings) (
	result check.Result, made bool,
) {
	timeout := cmp.Or(max(k.Timeout, 0), DefaultTimeout)
	try := prepared(prepare)
	for n := 1; ; n++ {
		found, ended := once(ctx, timeout, try)
		if found.Status != check.Healthy && ctx.Err() != nil {
			return check.Result{}, false
		}
		if !ended || n >= k.Attempts || found.Status == check.Healthy || found.Status == check.Unknown {
			return resultOf(service, k, found, s), true
		}
		if !pause(ctx, min(maxPause, timeout/4)) {
			return check.Result{}, false
		}
	}
}

// prepared returns a Try that calls prepare on first use. A panic in prepare then becomes a result, too.
func prepared(prepare func() Try) Try {
	var try Try
	return func(ctx context.Context) check.Result {
		if try == nil {
			try = prepare()
		}
		return try(ctx)
	}
}

// once makes one attempt. It returns at most grace after the timeout or the end of ctx, even if the attempt has not ended.
func once(ctx context.Context, timeout time.Duration, try Try) (result check.Result, ended bool) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	found := make(chan check.Result, 1) // buffered, so that an abandoned attempt can still end
	go func() {
		r := unmade("the check ended without finding anything")
		defer func() {
			if p := recover(); p != nil {
				r = unmade(fmt.Sprintf("the check itself failed, which is a bug: %v", p))
			}
			found <- r
		}()
		r = try(ctx)
	}()
	select {
	case r := <-found:
		return r, true
	case <-ctx.Done():
	}
	over := time.NewTimer(grace)
	defer over.Stop()
	select {
	case r := <-found:
		return r, true
	case <-over.C:
		return down(fmt.Sprintf("did not end within %s, nor %s after it was stopped", brief(timeout), brief(grace))), false
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

// resultOf completes the result of an attempt.
func resultOf(service string, k *Check, r check.Result, s Settings) check.Result {
	r.Service, r.Type, r.Status = service, k.Type, cmp.Or(r.Status, check.Unknown)
	var took time.Duration
	if r.ResponseTimeMS != nil {
		took = time.Duration(*r.ResponseTimeMS) * time.Millisecond
	}
	asked := cmp.Or(k.About().Asked, service)
	switch {
	case r.Status == check.Healthy && k.DegradedAfter > 0 && took >= k.DegradedAfter:
		r.Status, r.Error = check.Degraded, fmt.Sprintf("%s answered in %s, slower than %s", asked, brief(took), brief(k.DegradedAfter))
	case r.Status == check.Healthy:
		r.Error = ""
	case r.Error == "":
		r.Error = asked + " is " + string(r.Status) + "; the check did not say why"
	}
	if r.Error != "" {
		secrets := secretsOf(k.About(), s.Environ)
		if s.fleet != nil {
			secrets.fleet = s.fleet()
		}
		r.Error = clean(r.Error, secrets)
	}
	return r
}

// brief formats a duration with three significant digits.
func brief(d time.Duration) string {
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 1000*unit || unit >= time.Second {
			return d.Round(unit).String()
		}
	}
}
