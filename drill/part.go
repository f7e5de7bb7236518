package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
)

// Part is one piece of the homelab: what runs there, what of it is watched, and how it is put back after a case.
type Part struct {
	Name string
	// Start starts it. A MissingError means that this machine lacks something: the cases that need the part are then skipped.
	Start func(ctx context.Context, lab *Lab) error
	// Services are what the services file says of it. They are the same for all cases.
	Services func(lab *Lab) []Service
	// Identities returns, for each of its services, a text that changes with every act on it: the process and its start, a container's
	// id and start, a digest of files that nothing changes by itself. It is nil for a part whose services are all supervised programs.
	Identities func(ctx context.Context, lab *Lab) (map[string]string, error)
	// Reset puts it back into the state after Start. It is called after each case that needs the part.
	Reset func(ctx context.Context, lab *Lab) error
	// Stop, which may be nil, removes what is neither a supervised program nor a file below the homelab's folder.
	Stop func(ctx context.Context, lab *Lab) error
	// Outside, which may be nil, returns the commands that remove what leavesOutside has announced, of names that begin with base, the
	// homelab's outsideName. They are run at the end of the drill, even if it was killed.
	Outside func(base string) [][]string
}

// Service is a service of the homelab, as the services file has it.
type Service struct {
	Name      string
	DependsOn []string
	Checks    []string // each a mapping in YAML's flow style: {type: http, url: "…"}
	Restart   string   // the same; empty for labctl's restart of the service
	Redeploy  string   // the same; empty for labctl's where Restart is, else for none
	Settle    string   // a duration; empty for 1s
	More      []string // further keys, such as `maintenance: […]`
}

var parts []Part

func registerPart(p Part) { parts = append(parts, p) }

// MissingError says what this machine lacks for a part.
type MissingError struct{ Reason string }

func (e *MissingError) Error() string { return e.Reason }

// missing returns a MissingError.
func missing(format string, values ...any) error {
	return &MissingError{fmt.Sprintf(format, values...)}
}

// isMissing returns the reason if err says that the machine lacks something.
func isMissing(err error) (reason string, is bool) {
	var e *MissingError
	if errors.As(err, &e) {
		return e.Reason, true
	}
	return "", false
}

// runs returns what a verb runs, as the services file has it: labctl with these words.
func (lab *Lab) runs(words ...string) string {
	var quoted strings.Builder
	for _, word := range words {
		fmt.Fprintf(&quoted, ", %q", word)
	}
	return fmt.Sprintf("{run: [%q%s]}", lab.Labctl(), &quoted)
}

// servicesFile returns the services file of the whole homelab.
func servicesFile(lab *Lab, all []Service) string {
	var out strings.Builder
	out.WriteString("services:\n")
	for _, s := range all {
		fmt.Fprintf(&out, "  - name: %s\n    fail_after: 2\n    settle: %s\n", s.Name, cmp.Or(s.Settle, "1s"))
		if len(s.DependsOn) > 0 {
			fmt.Fprintf(&out, "    depends_on: [%s]\n", strings.Join(s.DependsOn, ", "))
		}
		for _, line := range s.More {
			out.WriteString("    " + line + "\n")
		}
		if s.Restart == "" {
			s.Restart, s.Redeploy = lab.runs("restart", s.Name), lab.runs("redeploy", s.Name)
		}
		out.WriteString("    restart: " + s.Restart + "\n")
		if s.Redeploy != "" {
			out.WriteString("    redeploy: " + s.Redeploy + "\n")
		}
		if !lab.noFirstAid {
			out.WriteString("    first_aid: {}\n")
		}
		out.WriteString("    checks:\n")
		for _, check := range s.Checks {
			out.WriteString("      - " + check + "\n")
		}
	}
	return out.String()
}
