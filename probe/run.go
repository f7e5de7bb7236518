package probe

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/claudeops/claudeops/check"
)

// Run makes the checks of services. done, which may be nil, is called with each result as it comes, one at a time. A check that ctx
// ends is not a result, since it says nothing of the service.
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
	results := make([]check.Result, len(jobs)) // one that was not made has no service
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

// job is a check to be made.
type job struct {
	service string
	check   *Check
}

// each makes the jobs within the bounds, until ctx ends, and calls done, from this goroutine, with the result of each that was made.
// There is a goroutine only for what runs.
func each(ctx context.Context, jobs []job, b Bounds, do func(context.Context, job) (check.Result, bool), done func(int, check.Result)) {
	type outcome struct {
		number int
		of     *queue
		result check.Result
		made   bool
	}
	waiting := newSchedule(b)
	// They begin anywhere: where there is not the time for all of them, it is not always the same ones that are left.
	first := rand.Int() //nolint:gosec // no secret
	for i := range jobs {
		number := (first%len(jobs) + i) % len(jobs)
		waiting.add(jobs[number].check.About().Host, jobs[number].service, number)
	}
	ended := make(chan outcome, b.AtOnce) // nothing that has ended waits for done
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

// reportOf separates the checks that were made from the others. Of a service with both only what is wrong is reported: that the rest was
// well does not make it healthy.
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
