package policy

import (
	"slices"
	"strings"
)

// Join returns p with an operator's additions. What p forbids stays forbidden, and where both have a rule the graver action holds.
func (p *Policy) Join(own *Policy) *Policy {
	joined := *p
	joined.Programs = joinCommands(p.Programs, own.Programs)
	slices.SortFunc(joined.Programs, func(a, b Program) int { return strings.Compare(a.Name, b.Name) })
	joined.Secrets = slices.Concat(p.Secrets, own.Secrets)
	joined.SecretHosts = slices.Concat(p.SecretHosts, own.SecretHosts)
	joined.Logs = slices.Concat(p.Logs, own.Logs)
	joined.Rotated = slices.Concat(p.Rotated, own.Rotated)
	joined.Environment = slices.Concat(p.Environment, own.Environment)
	joined.Hosts = slices.Concat(p.Hosts, own.Hosts)
	joined.SSH = slices.Concat(p.SSH, own.SSH)
	joined.Write = slices.Concat(p.Write, own.Write)
	joined.MCP = slices.Concat(own.MCP, p.MCP)
	return &joined
}

func joinCommands(ours, own []Command) []Command {
	joined := slices.Clone(ours)
	for _, c := range own {
		if i := slices.IndexFunc(joined, func(o Command) bool { return o.Name == c.Name }); i >= 0 {
			joined[i].Rule = joined[i].Rule.join(c.Rule)
		} else {
			joined = append(joined, c)
		}
	}
	return joined
}

func (r *Rule) join(own *Rule) *Rule {
	joined := *r
	joined.Do = Graver(r.Do, own.Do)
	joined.Options = strings.TrimSpace(r.Options + " " + own.Options)
	joined.Persistent = strings.TrimSpace(r.Persistent + " " + own.Persistent)
	joined.Commands = joinCommands(r.Commands, own.Commands)
	if own.Operands != "" && r.Check == "" {
		joined.Operands = own.Operands
	}
	if own.Why != "" {
		joined.Why = own.Why
	}
	if own.Requires != "" {
		joined.Requires = own.Requires
	}
	if own.Tiers != "" {
		joined.Tiers = own.Tiers
	}
	return &joined
}
