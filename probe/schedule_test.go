package probe

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// For any hosts and any order in which checks end: the limits hold, each check runs once, those of a host in order, and none waits that
// may run.
func TestScheduleKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Bounds{AtOnce: rapid.IntRange(1, 12).Draw(t, "at once"), PerHost: rapid.IntRange(1, 5).Draw(t, "per host")}
		hosts := rapid.SliceOfN(rapid.IntRange(0, 6), 0, 60).Draw(t, "hosts")
		s := newSchedule(b)
		for number, host := range hosts {
			s.add(fmt.Sprint(host), "shop", number)
		}
		waiting := map[int][]int{} // by host, the numbers that have not started
		for number, host := range hosts {
			waiting[host] = append(waiting[host], number)
		}
		type run struct{ number, host int }
		var running []run
		queues := map[int]*queue{}
		count := func(host int) (n int) {
			for _, r := range running {
				if r.host == host {
					n++
				}
			}
			return n
		}
		left := len(hosts)
		for left > 0 || len(running) > 0 {
			if number, of, ok := s.next(); ok {
				host := hosts[number]
				if waiting[host][0] != number {
					t.Fatalf("check %d of host %d starts before check %d", number, host, waiting[host][0])
				}
				waiting[host] = waiting[host][1:]
				running, left, queues[number] = append(running, run{number, host}), left-1, of
				if len(running) > b.AtOnce || count(host) > b.PerHost {
					t.Fatalf("%d run, %d of them of host %d; bounds %+v", len(running), count(host), host, b)
				}
				for other, numbers := range waiting {
					if len(numbers) > 0 && count(other)+1 < count(host) {
						t.Fatalf("host %d has %d running and was given the turn of host %d, which has %d", host, count(host), other, count(other))
					}
				}
				continue
			}
			for host, numbers := range waiting {
				if len(numbers) > 0 && len(running) < b.AtOnce && count(host) < b.PerHost {
					t.Fatalf("host %d waits although only %d of it run, and %d in all; bounds %+v", host, count(host), len(running), b)
				}
			}
			if len(running) == 0 {
				t.Fatalf("%d checks wait for ever", left)
			}
			i := rapid.IntRange(0, len(running)-1).Draw(t, "ends")
			s.end(queues[running[i].number])
			running = append(running[:i], running[i+1:]...)
		}
	})
}

// Hosts with as many running checks take turns, and so do the services of a host: one with many checks does not delay the others.
func TestScheduleServesRoundRobin(t *testing.T) {
	for _, c := range []struct{ name, hosts, services string }{
		{"hosts", "a a a b b c", "shop shop shop shop shop shop"},
		{"services of a host", "host host host host host host", "many many many two two one"},
	} {
		s := newSchedule(Bounds{AtOnce: 1, PerHost: 1})
		for number, host := range strings.Fields(c.hosts) {
			s.add(host, strings.Fields(c.services)[number], number)
		}
		var order []int
		for number, of, ok := s.next(); ok; number, of, ok = s.next() {
			order = append(order, number)
			s.end(of)
		}
		if got := fmt.Sprint(order); got != "[0 3 5 1 4 2]" {
			t.Errorf("%s: order is %s", c.name, got)
		}
	}
}

func TestBoundsHaveDefaults(t *testing.T) {
	for given, want := range map[Bounds]Bounds{
		{}:                          {AtOnce: 256, PerHost: 16},
		{AtOnce: -1, PerHost: -1}:   {AtOnce: 256, PerHost: 16},
		{AtOnce: 3}:                 {AtOnce: 3, PerHost: 16},
		{AtOnce: 1000, PerHost: 20}: {AtOnce: 1000, PerHost: 20},
	} {
		if got := given.orDefaults(); got != want {
			t.Errorf("%+v: got %+v, want %+v", given, got, want)
		}
	}
}

func TestHostOfACheck(t *testing.T) {
	url := func(u string) Check { return Check{Options: &HTTP{URL: u}} }
	database := func(u string) Check { return Check{Options: &Database{URL: u}} }
	for _, c := range []struct {
		check Check
		want  string
	}{
		{url("https://Example.org:8443/a?b=@c"), "example.org"},
		{url("http://user:p@ss@example.org./"), "example.org"},
		{url("http://[::1]:8080/"), "::1"},
		{url("http://[::1]/"), "::1"},
		{Check{Options: &DNS{Name: "example.org", Server: "10.0.0.53:53"}}, "10.0.0.53"},
		{Check{Options: &DNS{Name: "example.org", Server: "fd00::53"}}, "fd00::53"},
		{Check{Options: &DNS{Name: "example.org"}}, systemDNS},
		{Check{Options: &Container{Name: "web"}}, localEngine},
		{Check{Options: &Container{Name: "web", Engine: "unix:///run/podman/podman.sock"}}, localEngine},
		{Check{Options: &Container{Name: "web", Engine: "tcp://docker1:2376"}}, localEngine + "docker1"},
		{database("postgres://app@db1:5432/shop?sslmode=disable"), "db1"},
		{database("sqlite:///var/lib/app.db"), ""},
		{Check{Options: &TCP{Address: "db1:5432"}}, "db1"},
		{Check{Options: &TCP{Address: "/run/app.sock"}}, ""},
		{Check{Options: &Unit{Name: "nginx.service"}}, ""},
		{Check{Options: &Plugin{Command: []string{"check_load"}}}, ""},
		{Check{Options: &Plugin{Command: []string{"check_ping"}, Host: "DB1"}}, "db1"},
	} {
		if got := c.check.About().Host; got != c.want {
			t.Errorf("%+v: got %q, want %q", c.check, got, c.want)
		}
	}
}
