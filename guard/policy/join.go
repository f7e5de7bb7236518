package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Join returns p with an operator's additions. It lifts nothing: of a program or subcommand that p knows, an operator adds options and
// subcommands, makes the action graver, or leaves it to fewer tiers. What operands a known one takes, and what is forbidden, stays.
func (p *Policy) Join(own *Policy) (*Policy, error) {
	j := joining{}
	joined := *p
	joined.Programs = j.commands("", p.Programs, own.Programs)
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
	if len(j.faults) > 0 {
		return nil, errors.New(strings.Join(j.faults, "\n"))
	}
	return &joined, nil
}

// joining collects what an operator's file wants and may not have.
type joining struct{ faults []string }

func (j *joining) fault(at, what string) {
	j.faults = append(j.faults, fmt.Sprintf("%s: %s", at, what))
}

func (j *joining) commands(at string, ours, own []Command) []Command {
	joined := slices.Clone(ours)
	for _, c := range own {
		if i := slices.IndexFunc(joined, func(o Command) bool { return o.Name == c.Name }); i >= 0 {
			joined[i].Rule = j.rule(strings.TrimSpace(at+" "+c.Name), joined[i].Rule, c.Rule)
		} else {
			joined = append(joined, c)
		}
	}
	return joined
}

func (j *joining) rule(at string, r, own *Rule) *Rule {
	joined := *r
	if r.Do == "forbidden" && (own.Options != "" || own.Persistent != "" || len(own.Commands) > 0) {
		j.fault(at, "is forbidden, and nothing can be added to it")
	}
	for _, member := range []struct{ name, ours, own string }{
		{"operands", r.Operands, own.Operands}, {"style", r.Style, own.Style}, {"stdin", r.Stdin, own.Stdin}, {"check", r.Check, own.Check},
		{"requires", r.Requires, own.Requires}, {"service", r.Service, own.Service}, {"part", r.Part, own.Part}, {"prints", r.Prints, own.Prints}, {"cwd", r.Cwd, own.Cwd},
	} {
		if member.own != "" && member.own != member.ours {
			j.fault(at, member.name+" is the built-in policy's; only options, commands, a graver do, fewer tiers and a why can be given")
		}
	}
	if own.Loose || own.Globs {
		j.fault(at, "loose and globs are the built-in policy's")
	}
	joined.Do = Graver(r.Do, own.Do)
	joined.Options = strings.TrimSpace(r.Options + " " + own.Options)
	joined.Persistent = strings.TrimSpace(r.Persistent + " " + own.Persistent)
	joined.Commands = j.commands(at, r.Commands, own.Commands)
	if own.Why != "" {
		joined.Why = own.Why
	}
	if own.Tiers != "" {
		joined.Tiers = fewer(r, own.Tiers)
	}
	return &joined
}

// fewer are the tiers of both; "0" is none.
func fewer(r *Rule, own string) string {
	ours := r.Tiers
	switch {
	case ours != "":
	case r.Do == "redeploy":
		ours = "3"
	case r.Do == "observe":
		ours = "123"
	default:
		ours = "23"
	}
	both := strings.Map(func(tier rune) rune {
		if strings.ContainsRune(own, tier) {
			return tier
		}
		return -1
	}, ours)
	if both == "" {
		return "0"
	}
	return both
}
