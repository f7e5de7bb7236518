package probe

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/claudeops/claudeops/check"
)

// Run makes the checks of services and returns their results in inventory order; a check that ctx ends, or keeps from being made, is unknown
// (check.NoTime). done may be nil; it is called with each result as it arrives, one at a time.
func Run(ctx context.Context, services []Service, s Settings, b Bounds, done func(check.Result)) []check.Result {
	s.Secret = slices.Concat(s.Secret, SecretVariables(services))
	s.fleet = sync.OnceValue(s.fleetSecrets)
	client := newClient(s)
	defer client.close()
	var jobs []job
	for _, service := range services {
		for n := range service.Checks {
			jobs = append(jobs, job{service.Name, &service.Checks[n]})
		}
	}
	results := make([]check.Result, len(jobs))
	for n, j := range jobs {
		results[n] = check.Result{Service: j.service, Type: j.check.Type, Status: check.Unknown, Error: check.NoTime}
	}
	do := func(ctx context.Context, j job) (check.Result, bool) {
		return examine(ctx, j.service, j.check, func() Try { return j.check.Options.Prepare(client, j.check, j.service) }, s)
	}
	each(ctx, jobs, b, do, func(number int, r check.Result) {
		results[number] = r
		if done != nil {
			done(r)
		}
	})
	return results
}

// job is a check to make.
type job struct {
	service string
	check   *Check
}

// Default bounds of a run.
const (
	defaultAtOnce  = 256
	defaultPerHost = 16
)

// The hosts of checks that name none. No real host has such a name.
const (
	systemDNS   = "dns:"
	localEngine = "engine:"
)

// each makes the jobs within the bounds until ctx ends, and calls done from this goroutine with each result. Their order is random, so that a
// short run does not always omit the same ones. A job has a place of its host before it waits for a common one, so that a host that hangs
// delays no other.
func each(ctx context.Context, jobs []job, b Bounds, do func(context.Context, job) (check.Result, bool), done func(int, check.Result)) {
	common := make(chan struct{}, cmp.Or(b.AtOnce, defaultAtOnce))
	hosts := map[string]chan struct{}{}
	type outcome struct {
		number int
		result check.Result
		made   bool
	}
	// An ended check never waits for done.
	ended := make(chan outcome, len(jobs))
	for _, number := range rand.Perm(len(jobs)) { //nolint:gosec // not for security
		host := jobs[number].check.About().Host
		if hosts[host] == nil {
			hosts[host] = make(chan struct{}, cmp.Or(b.PerHost, defaultPerHost))
		}
		places := []chan struct{}{hosts[host], common}
		go func() {
			o := outcome{number: number}
			defer func() { ended <- o }()
			for _, place := range places {
				select {
				case place <- struct{}{}:
					defer func() { <-place }()
				case <-ctx.Done():
					return
				}
			}
			if ctx.Err() == nil {
				o.result, o.made = do(ctx, jobs[number])
			}
		}()
	}
	for range jobs {
		if o := <-ended; o.made {
			done(o.number, o.result)
		}
	}
}
