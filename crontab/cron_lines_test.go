package crontab

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/schedule"
)

func every(t *testing.T, texts ...string) (list []schedule.Expression) {
	t.Helper()
	for _, text := range texts {
		e, err := schedule.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

const comment = "# Faults and warnings alone are printed, which cron mails; `claudeops events` and `claudeops sessions list` have the rest.\n"

func TestCronLines(t *testing.T) {
	const program = "/usr/local/bin/claudeops"
	for name, c := range map[string]struct {
		job  Job
		want string
	}{
		"a user's": {
			Job{Program: program, Schedule: every(t, "0 * * * *")},
			"0 * * * * PATH=$PATH:/usr/local/bin:/usr/sbin CLAUDEOPS_LOG_LEVEL=warn /usr/local/bin/claudeops run-once --trigger cron >/dev/null\n",
		},
		"the system's, two": {
			Job{Program: program, System: true, Schedule: every(t, "0 6 * * 1", "30 18 1 * *")},
			"SHELL=/bin/sh\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nCLAUDEOPS_LOG_LEVEL=warn\n" +
				"0 6 * * 1 claudeops /usr/local/bin/claudeops run-once --trigger cron >/dev/null\n" +
				"30 18 1 * * claudeops /usr/local/bin/claudeops run-once --trigger cron >/dev/null\n",
		},
		"quoted for a shell, and for cron": {
			Job{Program: "/opt/a b/claudeops", EnvFile: "/etc/it's 5%/env", System: true, User: "ann", Schedule: every(t, "5 4 * * *")},
			"SHELL=/bin/sh\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nCLAUDEOPS_LOG_LEVEL=warn\n" +
				`5 4 * * * ann '/opt/a b/claudeops' run-once --trigger cron --env-file "/etc/it's 5\%/env" >/dev/null` + "\n",
		},
	} {
		if got, err := CronLines(c.job, "Etc/UTC"); err != nil || got != comment+c.want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

func TestWhatNoCrontabLineHoldsIsRefused(t *testing.T) {
	good := Job{Program: "/usr/local/bin/claudeops", System: true, Schedule: every(t, "0 * * * *")}
	for want, change := range map[string]func(*Job){
		"no absolute path":     func(j *Job) { j.Program = "claudeops" },
		"a control character":  func(j *Job) { j.Program = "/opt/a\nb" },
		"or a backslash":       func(j *Job) { j.EnvFile = `/opt/a\b` },
		"is no name of a user": func(j *Job) { j.User = "ann root" },
		"bytes long":           func(j *Job) { j.EnvFile = "/" + strings.Repeat("x", 1000) },
		"no schedule":          func(j *Job) { j.Schedule = nil },
	} {
		j := good
		change(&j)
		if text, err := CronLines(j, "Etc/UTC"); err == nil || !strings.Contains(err.Error(), want) || text != "" {
			t.Errorf("want %q: %q, %v", want, text, err)
		}
	}
}
