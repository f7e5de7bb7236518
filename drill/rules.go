package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/guard/policy"
)

// labRules says to the guard what labctl does.
const labRules = `programs:
  labctl:
    why: 'labctl status, log NAME, restart NAME, redeploy NAME, stop NAME, query db|db-replica SQL'
    commands:
      status:
        do: observe
        operands: name?
      log:
        do: observe
        operands: name
      query:
        do: observe
        operands: db|db-replica psql
      restart, start:
        do: restart
        operands: svc
      redeploy:
        do: redeploy
        operands: svc
      stop:
        do: change
        operands: name
`

// What an agent may call beside labctl, of the built-in policy: what reads, and what restarts the homelab's own container, compose project
// and unit.
var (
	grantedAlways = []string{"claudeops", "curl", "ss", "lsof"}
	grantedWith   = map[string][]string{
		containers: {"docker ps", "docker inspect", "docker restart", "docker start", "docker stop"},
		compose:    {"docker ps", "docker inspect", "docker compose ps", "docker compose up", "docker compose start", "docker compose restart"},
		units:      {"systemctl show", "systemctl is-active", "systemctl is-failed", "systemctl restart", "systemctl start", "systemctl stop"},
	}
)

// policyText is the policy of the drill: whatever it does not grant, it takes away from the built-in policy. The user's logs and secrets
// are read by nobody.
func (lab *Lab) policyText() string {
	granted := slices.Clone(grantedAlways)
	for part, more := range grantedWith {
		if lab.uses(part) {
			granted = append(granted, more...)
		}
	}
	var out strings.Builder
	secrets, _ := json.Marshal(append([]string{"/var/log/**"}, lab.secrets...)) // strings always have a form, which is YAML's too
	fmt.Fprintf(&out, "secrets: %s\n%s", secrets, labRules)
	lab.forbid(&out, policy.Embedded().Programs, "", granted)
	return out.String()
}

// only returns the operands of a granted command that acts on what it names: the user's containers and units may be named like a service of
// the homelab.
func (lab *Lab) only(command string) string {
	switch program, verb, _ := strings.Cut(command, " "); {
	case !slices.Contains([]string{"restart", "start", "stop"}, verb):
		return ""
	case program == "docker":
		return lab.box() + " " + lab.till()
	case program == "systemctl":
		return lab.unit()
	}
	return ""
}

// forbid writes rules that forbid commands and their subcommands, but for those granted, whose operands it limits.
func (lab *Lab) forbid(out *strings.Builder, list []policy.Command, above string, granted []string) {
	indent := strings.Repeat("    ", strings.Count(above, " "))
	for _, c := range list {
		name := above + c.Name
		if slices.Contains(granted, name) {
			if only := lab.only(name); only != "" {
				fmt.Fprintf(out, "%s  %q:\n%s    only: %q\n", indent, c.Name, indent, only)
			}
			continue
		}
		fmt.Fprintf(out, "%s  %q:\n", indent, c.Name)
		if !slices.ContainsFunc(granted, func(g string) bool { return strings.HasPrefix(g, name+" ") }) {
			fmt.Fprintf(out, "%s    do: forbidden\n%s    why: the drill is about its own homelab\n", indent, indent)
		}
		if len(c.Rule.Commands) > 0 && c.Rule.Do != "forbidden" {
			fmt.Fprintf(out, "%s    commands:\n", indent)
			lab.forbid(out, c.Rule.Commands, name+" ", granted)
		}
	}
}
