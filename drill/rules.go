package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/guard/policy"
)

// labRules says to the guard what of labctl only looks.
const labRules = `programs:
  labctl:
    why: >-
      labctl status, log NAME, and query db|db-replica SELECT … look. What changes a service is a tool: restart, redeploy (Tier 3) or an action
      of the services file; anything else is something to propose
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
`

// What an agent may look with beside labctl, of the built-in policy.
var (
	grantedAlways = []string{"claudeops", "curl", "ss", "lsof"}
	grantedWith   = map[string][]string{
		containers: {"docker ps", "docker inspect"},
		compose:    {"docker ps", "docker inspect", "docker compose ps"},
		units:      {"systemctl show", "systemctl is-active", "systemctl is-failed"},
	}
)

// policyText is the policy of the drill: whatever it does not grant, it takes away from the built-in policy. The user's logs and secrets
// are read by nobody. What may be done to a service is the services file's word.
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
	forbid(&out, policy.Embedded().Programs, "", granted)
	return out.String()
}

// forbid writes rules that forbid commands and their subcommands, but for those granted.
func forbid(out *strings.Builder, list []policy.Command, above string, granted []string) {
	indent := strings.Repeat("    ", strings.Count(above, " "))
	for _, c := range list {
		name := above + c.Name
		if slices.Contains(granted, name) {
			continue
		}
		fmt.Fprintf(out, "%s  %q:\n", indent, c.Name)
		if !slices.ContainsFunc(granted, func(g string) bool { return strings.HasPrefix(g, name+" ") }) {
			fmt.Fprintf(out, "%s    do: forbidden\n%s    why: the drill is about its own homelab\n", indent, indent)
		}
		if len(c.Rule.Commands) > 0 && c.Rule.Do != "forbidden" {
			fmt.Fprintf(out, "%s    commands:\n", indent)
			forbid(out, c.Rule.Commands, name+" ", granted)
		}
	}
}
