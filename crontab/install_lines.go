package crontab

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// maxCommand is how long Debian's cron lets the command of a line be, in bytes; it ignores longer ones.
const maxCommand = 998

// SystemPath is what the program finds others by in a line of the system's crontab. cron itself would leave out /usr/local/bin.
const SystemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// userPath is added to what a user's crontab has set.
const userPath = "/usr/local/bin:/usr/sbin"

// CronLines is the job as lines of a crontab, of /etc/cron.d where it is the system's, without the marks. systemZone is the name of the zone
// by which the cron program reads them, empty where that is not known.
//
// cron mails what a job prints. So the summary, which the database has too, goes nowhere, and the log begins at its warnings: a cycle
// in which nothing is wrong prints nothing.
func CronLines(j Job, systemZone string) (string, error) {
	command, err := cronCommand(j)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	text.WriteString("# Faults and warnings alone are printed, which cron mails; `claudeops events` and `claudeops sessions list` have the rest.\n")
	user := ""
	if j.System {
		user = j.user() + " "
		if err := plainUser(j.user()); err != nil {
			return "", err
		}
		text.WriteString("SHELL=/bin/sh\nPATH=" + SystemPath + "\nCLAUDEOPS_LOG_LEVEL=warn\n")
	} else {
		// Variables of ours would hold for the operator's lines below, too: here they stand in the command.
		command = "PATH=$PATH:" + userPath + " CLAUDEOPS_LOG_LEVEL=warn " + command
	}
	if len(command) > maxCommand {
		return "", fmt.Errorf("the command of the crontab line is %d bytes long, and cron ignores one of more than %d: name shorter paths", len(command), maxCommand)
	}
	if len(j.Schedule) == 0 {
		return "", errors.New("no schedule is given")
	}
	for _, e := range j.Schedule {
		lines, err := CronFields(e, systemZone)
		if err != nil {
			return "", fmt.Errorf("the schedule %q: %w", e.String(), err)
		}
		for _, fields := range lines {
			text.WriteString(fields + " " + user + command + "\n")
		}
	}
	return text.String(), nil
}

// cronCommand is the command, as cron and then a shell read it.
func cronCommand(j Job) (string, error) {
	words := []string{j.Program, "run-once", "--trigger", "cron"}
	paths := []string{j.Program}
	if j.EnvFile != "" {
		words, paths = append(words, "--env-file", j.EnvFile), append(paths, j.EnvFile)
	}
	for _, path := range paths {
		switch {
		case !filepath.IsAbs(path):
			return "", fmt.Errorf("%q is no absolute path, and cron starts its commands elsewhere: write it from / on", path)
		case strings.ContainsFunc(path, unicode.IsControl) || strings.Contains(path, `\`):
			return "", fmt.Errorf("%q has a control character or a backslash in it, which no crontab line holds safely: use another path", path)
		}
	}
	for i, word := range words {
		quoted, err := syntax.Quote(word, syntax.LangPOSIX)
		if err != nil {
			return "", fmt.Errorf("%q cannot be written in a shell's words: %w", word, err)
		}
		words[i] = strings.ReplaceAll(quoted, "%", `\%`) // which is a new line to cron
	}
	return strings.Join(words, " ") + " >/dev/null", nil
}

// plainUser refuses what would be more than the user's field of a line.
func plainUser(name string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`:/%#\'"`, r)
	}) || name[0] == '-' {
		return fmt.Errorf("%q is no name of a user", name)
	}
	return nil
}

// user is who runs a job of the system's.
func (j Job) user() string {
	if j.User == "" {
		return DefaultUser
	}
	return j.User
}
