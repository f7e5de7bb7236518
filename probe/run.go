package probe

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
)

// Run makes the checks of services. done, which may be nil, is called with each result as it comes, one at a time. A check that ctx
// ends is not a result, since it says nothing of the service.
//
// open may be nil in a program without clients: then the checks that need one are unknown, and say so.
func Run(ctx context.Context, services []inventory.Service, open Opener, s Settings, b Bounds, done func(check.Result)) Report {
	if s.Now == nil {
		s.Now = time.Now
	}
	s.Secret = slices.Concat(s.Secret, SecretVariables(services))
	s.fleet = sync.OnceValue(s.fleetSecrets)
	jobs := jobsOf(services)
	var client Client
	if open != nil && slices.ContainsFunc(jobs, job.needsClient) {
		client = open(s)
		defer client.Close() //nolint:errcheck // what it says then changes no finding
	}
	results := make([]check.Result, len(jobs)) // one that was not made has no service
	do := func(ctx context.Context, j job) (check.Result, bool) {
		return examine(ctx, j.service, j.check, func() Try { return try(j.service, j.check, client, s) }, s)
	}
	each(ctx, jobs, b.orDefaults(), do, func(number int, r check.Result) {
		results[number] = r
		if done != nil {
			done(r)
		}
	})
	report := reportOf(jobs, results)
	if client != nil {
		report.Restarts = client.Restarts()
	}
	return report
}

// job is a check to be made.
type job struct {
	service *inventory.Service
	check   *inventory.Check
}

func (j job) needsClient() bool {
	k := j.check
	return k.HTTP != nil || k.DNS != nil || k.Container != nil || k.Database != nil
}

// jobsOf lists the checks of services in the inventory's order.
func jobsOf(services []inventory.Service) []job {
	var jobs []job
	for i := range services {
		for n := range services[i].Checks {
			jobs = append(jobs, job{&services[i], &services[i].Checks[n]})
		}
	}
	return jobs
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
	for _, number := range turned(len(jobs)) {
		waiting.add(hostOf(jobs[number].check), jobs[number].service.Name, number)
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

// turned are the numbers of n jobs in their order, beginning anywhere: where there is not the time for all of them, it is not always
// the same ones that are left.
func turned(n int) []int {
	numbers := make([]int, n)
	if n == 0 {
		return numbers
	}
	first := rand.IntN(n) //nolint:gosec // which it is matters to nobody
	for i := range numbers {
		numbers[i] = (first + i) % n
	}
	return numbers
}

// try is the attempt that a check's type asks for.
func try(service *inventory.Service, k *inventory.Check, client Client, s Settings) Try {
	switch {
	case k.TCP != nil:
		return tcp(k)
	case k.Unit != nil:
		return unit(k)
	case k.Plugin != nil:
		return plugin(k, s)
	case client != nil:
		return client.Try(service, k)
	}
	return func(context.Context) Finding {
		return Finding{Status: check.Unknown, Error: "this program cannot make checks of type " + string(k.Type), Final: true}
	}
}

// reportOf parts what was made from what was not. Of a service that was not seen whole only what is wrong is told: that the rest was
// well does not make it healthy.
func reportOf(jobs []job, results []check.Result) Report {
	var report Report
	partly := map[string]bool{}
	for number, j := range jobs {
		if results[number].Service == "" {
			report.Unchecked = append(report.Unchecked, j.service.Name+" "+string(j.check.Type))
			partly[j.service.Name] = true
		}
	}
	report.Results = slices.DeleteFunc(results, func(r check.Result) bool {
		return r.Service == "" || r.Status == check.Healthy && partly[r.Service]
	})
	return report
}
