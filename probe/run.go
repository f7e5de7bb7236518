package probe

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/claudeops/claudeops/check"
)

// Run makes the checks of services. done may be nil; it is called with each result as it arrives, one at a time. A check that was ended
// by ctx has no result, because this says nothing about the service.
func Run(ctx context.Context, services []Service, s Settings, b Bounds, done func(check.Result)) Report {
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
	results := make([]check.Result, len(jobs)) // the zero result marks a check that was not made
	do := func(ctx context.Context, j job) (check.Result, bool) {
		return examine(ctx, j.service, j.check, func() Try { return j.check.Options.Prepare(client, j.check, j.service) }, s)
	}
	each(ctx, jobs, b.orDefaults(), do, func(number int, r check.Result) {
		results[number] = r
		if done != nil {
			done(r)
		}
	})
	report := reportOf(jobs, results)
	report.Restarts = client.restarts.all()
	return report
}

// job is a check to make.
type job struct {
	service string
	check   *Check
}

// each makes the jobs within the bounds until ctx ends, and calls done from this goroutine with each result. Goroutines are started only
// for running checks.
func each(ctx context.Context, jobs []job, b Bounds, do func(context.Context, job) (check.Result, bool), done func(int, check.Result)) {
	type outcome struct {
		number int
		of     *queue
		result check.Result
		made   bool
	}
	waiting := newSchedule(b)
	// Start at a random check, so that a short run does not always omit the same ones.
	first := rand.Int() //nolint:gosec // not for security
	for i := range jobs {
		number := (first%len(jobs) + i) % len(jobs)
		waiting.add(jobs[number].check.About().Host, jobs[number].service, number)
	}
	ended := make(chan outcome, b.AtOnce) // an ended check never waits for done
	for {
		for ctx.Err() == nil {
			number, of, ok := waiting.next()
			if !ok {
				break
			}
			go func() {
				result, made := do(ctx, jobs[number])
				ended <- outcome{number, of, result, made}
			}()
		}
		if waiting.running == 0 {
			return
		}
		o := <-ended
		waiting.end(o.of)
		if o.made {
			done(o.number, o.result)
		}
	}
}

// reportOf separates the checks that were made from the others. For a service with both, only problems are reported: the healthy results
// do not show that the service is healthy.
func reportOf(jobs []job, results []check.Result) Report {
	var report Report
	partly := map[string]bool{}
	for number, j := range jobs {
		if results[number].Service == "" {
			report.Unchecked = append(report.Unchecked, j.service+" "+string(j.check.Type))
			partly[j.service] = true
		}
	}
	report.Results = slices.DeleteFunc(results, func(r check.Result) bool {
		return r.Service == "" || r.Status == check.Healthy && partly[r.Service]
	})
	return report
}
