package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// figures are what TestFirstAidBesideRestartPolicies measures of one kind of service, in seconds from the end of its process. Each trial is
// made with a service of its own, because what recovers by a remedy is not restarted for ever.
type figures struct {
	t    *testing.T
	kind string
	// kill ends the process of a service, calls then, and returns after how long and when the service ran again.
	kill func(name string, then func()) (time.Duration, time.Time)
}

const trials = 3

// TestFirstAidBesideRestartPolicies measures how long a service is gone whose process is killed: by the restart policy of Docker and of
// systemd, by a cycle that begins at once, and by the minute's cycle.
//
//	FIRST_AID_FIGURES=1 go test -v -timeout 30m -run '^TestFirstAidBesideRestartPolicies$' ./e2e
func TestFirstAidBesideRestartPolicies(t *testing.T) {
	if os.Getenv("FIRST_AID_FIGURES") == "" {
		t.Skip("FIRST_AID_FIGURES is not set")
	}
	t.Run("container", func(t *testing.T) { dockerFigures(t, false) })
	t.Run("compose", func(t *testing.T) { dockerFigures(t, true) })
	t.Run("unit", unitFigures)
}

// measured makes the trials of one way to come back, and logs their figures. then is what a trial does after the kill.
func (f figures) measured(way string, then func(name string)) {
	f.t.Helper()
	var all, late []string
	for n := range trials {
		name := way + strconv.Itoa(n)
		if way == "minute" { // a cycle has just ended
			time.Sleep(time.Until(time.Now().Add(50 * time.Second).Truncate(time.Minute).Add(10 * time.Second)))
		}
		took, at := f.kill(name, func() { then(name) })
		all, late = append(all, fmt.Sprintf("%.2f", took.Seconds())), append(late, fmt.Sprintf("%.2f", at.Sub(at.Truncate(time.Minute)).Seconds()))
	}
	f.t.Logf("%s, %s: %s s; at second %s", f.kind, way, strings.Join(all, ", "), strings.Join(late, ", "))
}

// dockerFigures measures containers, or the services of a compose project.
func dockerFigures(t *testing.T, compose bool) {
	c := newComposed(t)
	c.builds("sh", "-c", "sleep infinity & echo $! >/child; wait")
	f := figures{t: t, kind: "container"}
	container := func(name string) string { return name }
	if compose {
		f.kind, container = "compose", func(name string) string { return "shop-" + name + "-1" }
	}
	project, services := "services:\n", "services:\n"
	for _, way := range []string{"policy", "cycle", "minute"} {
		for n := range trials {
			name, restart := way+strconv.Itoa(n), "no"
			if way == "policy" {
				restart = "always"
			}
			remedy := "restart: container, name: " + name
			if compose {
				project += fmt.Sprintf("  %s: {image: 'shop:1', network_mode: none, restart: %q, volumes: ['/run/homelab:/usr:ro']}\n", name, restart)
				remedy = "restart: compose, name: " + name + ", project: " + c.file
			} else {
				c.docker("run", "--detach", "--network", "none", "--restart", restart, "--volume", "/run/homelab:/usr:ro", "--name", name, "shop:1")
			}
			if way != "policy" {
				services += fmt.Sprintf("  - {name: %s, remedy: {%s, settle: 1s}, checks: [{type: container, container: %s, attempts: 1}]}\n", name, remedy, container(name))
			}
		}
	}
	if compose {
		must(t, os.WriteFile(c.file, []byte(project), 0o644))
		c.docker("compose", "-f", c.file, "up", "--detach", "--remove-orphans")
	}
	w := c.w
	w.services(services)
	w.env["CLAUDEOPS_MAX_SERVICES_PER_HOUR"], w.env["ANTHROPIC_API_KEY"], w.env["CLAUDEOPS_SCHEDULE"] = "0", "", "* * * * *"
	w.cycle(0)

	events := exec.Command("docker", "events", "--filter", "type=container", "--filter", "event=die", "--filter", "event=start",
		"--format", `{{.TimeNano}} {{.Action}} {{index .Actor.Attributes "name"}}`)
	events.Env = append(w.environ(), "PATH="+os.Getenv("PATH"))
	out, err := events.StdoutPipe()
	must(t, err)
	must(t, events.Start())
	killInTime(t, events)
	lines := bufio.NewScanner(out)
	f.kill = func(name string, then func()) (time.Duration, time.Time) {
		cmd := exec.Command("docker", "exec", container(name), "sh", "-c", "kill -9 $(cat /child)")
		cmd.Env = events.Env
		_ = cmd.Run() // its own end may come first
		then()
		var died int64
		for lines.Scan() {
			at, what, _ := strings.Cut(lines.Text(), " ")
			nano, err := strconv.ParseInt(at, 10, 64)
			must(t, err)
			switch what {
			case "die " + container(name):
				died = nano
			case "start " + container(name):
				if died != 0 {
					return time.Duration(nano - died), time.Unix(0, nano)
				}
			}
		}
		t.Fatalf("%s was not started again: %v", name, lines.Err())
		return 0, time.Time{}
	}
	f.measured("policy", func(string) {})
	f.measured("cycle", func(string) { w.cycle(0) })
	cron := w.start("cron")
	f.measured("minute", func(string) {})
	must(t, cron.Process.Signal(unix.SIGTERM))
	_ = cron.Wait() // it exits with 143
	equal(t, "first aid", w.givenFirstAid(), 2*trials)
}

// unitFigures measures units of a booted machine, restarted by the user of the hardened unit.
func unitFigures(t *testing.T) {
	h := newHost(t, nil)
	services, allowed, names := "", "", ""
	for _, way := range []string{"policy", "cycle", "minute"} {
		for n := range trials {
			name, restart := way+strconv.Itoa(n), "no"
			if way == "policy" {
				restart = "always"
			} else {
				services += fmt.Sprintf("  - {name: %[1]s, remedy: {restart: unit, name: %[1]s.service, settle: 1s}, checks: [{type: service, unit: %[1]s.service, attempts: 1}]}\n", name)
				allowed += " --allow-unit " + name + ".service"
			}
			h.Write("/etc/systemd/system/"+name+".service", "[Service]\nExecStart=/bin/sleep infinity\nRestart="+restart+"\n", 0o644)
			names += " " + name
		}
	}
	h.configure(services, "CLAUDEOPS_TIER1_AGENT=probe", "CLAUDEOPS_MAX_SERVICES_PER_HOUR=0")
	install := func(schedule string) {
		h.Run("claudeops crontab install --target systemd --schedule '" + schedule + "'" + allowed)
	}
	install(newYear)
	h.Run("systemctl start" + names + "; systemctl start claudeops.service")

	f := figures{t: t, kind: "unit"}
	var after string // what the script does after the kill
	f.kill = func(name string, _ func()) (time.Duration, time.Time) {
		out := strings.Fields(h.Run(fmt.Sprintf(`
			set -e
			before=$(systemctl show --property=InvocationID --value %[1]s)
			pid=$(systemctl show --property=MainPID --value %[1]s)
			read killed rest < /proc/uptime
			kill -9 $pid
			%[2]s
			until [ "$(systemctl show --property=InvocationID --value %[1]s)" != "$before" ] && systemctl --quiet is-active %[1]s; do sleep 0.1; done
			read now rest < /proc/uptime
			echo $killed $(systemctl show --property=ActiveEnterTimestampMonotonic --value %[1]s) $now`, name, after)))
		killed, now := seconds(t, out[0]), seconds(t, out[2])
		active := seconds(t, out[1]) / 1e6
		return time.Duration((active - killed) * float64(time.Second)), time.Now().Add(time.Duration((active - now) * float64(time.Second)))
	}
	f.measured("policy", func(string) {})
	after = "systemctl start claudeops.service"
	f.measured("cycle", func(string) {})
	install("* * * * *")
	after = ""
	f.measured("minute", func(string) {})
	h.Run("systemctl start claudeops.service") // the last has ended then
	equal(t, "first aid", strings.Count(h.statuses(), "2 completed escalation"), 2*trials)
}

func seconds(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	must(t, err)
	return n
}
