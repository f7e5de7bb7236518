package policy

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Join returns p with an operator's additions, which can only tighten what p says about a known program or subcommand: they add options
// and subcommands, raise the action's gravity, or remove tiers. Its operands, and what is forbidden, cannot change.
func (p *Policy) Join(own *Policy) (*Policy, error) {
	j := joining{}
	joined := *p
	joined.Programs = j.programs(p.Programs, own.Programs)
	joined.Remote = j.programs(p.Remote, own.Remote)
	joined.OwnSecrets = own.Secrets
	added := own.lists()
	for i, list := range joined.lists() {
		*list = slices.Concat(*list, *added[i])
	}
	if len(j.faults) > 0 {
		return nil, errors.New(strings.Join(j.faults, "\n"))
	}
	return &joined, nil
}

// lists are the lists that an operator may extend.
func (p *Policy) lists() []*[]string {
	return []*[]string{&p.Secrets, &p.Etc, &p.Looked, &p.SecretHosts, &p.Hosts, &p.Reading, &p.Reachable, &p.SSH}
}

// joining collects the faults in an operator's file.
type joining struct{ faults []string }

func (j *joining) fault(at, what string) {
	j.faults = append(j.faults, fmt.Sprintf("%s: %s", at, what))
}

// places refuses directories that hold system files or the data of services, or that contain such a directory.
func (j *joining) places(key string, dirs []string) {
	for _, dir := range dirs {
		for _, never := range []string{
			"/bin", "/boot", "/dev", "/lib", "/proc", "/root", "/sbin", "/sys", "/usr", "/run/secrets", "/etc/claudeops", "/etc/cron.d", "/etc/group", "/etc/hosts",
			"/etc/ld.so.preload", "/etc/netplan", "/etc/network", "/etc/NetworkManager", "/etc/pam.d", "/etc/passwd", "/etc/profile", "/etc/resolv.conf", "/etc/shadow",
			"/etc/ssh", "/etc/sudoers", "/etc/systemd", "/var/lib", "/var/spool/cron",
		} {
			if !path.IsAbs(dir) || path.Clean(dir) != dir || dir == never || strings.HasPrefix(dir, never+"/") || strings.HasPrefix(never, strings.TrimSuffix(dir, "/")+"/") {
				j.fault(key, fmt.Sprintf("%s: want the whole path of a folder that holds nothing of the machine's own and no service's data", dir))
				break
			}
		}
	}
}

// programs joins programs, and checks the directories that an operator's rules write to.
func (j *joining) programs(builtIn, own []Program) []Program {
	joined := j.commands("", builtIn, own, "")
	sortPrograms(joined)
	for _, c := range own {
		j.writes(c)
	}
	return joined
}

// variable is the name of a directory that each call gets for itself.
var variable = regexp.MustCompile(`^\$[A-Z][A-Z0-9_]*$`)

func (j *joining) writes(c Command) {
	j.places(c.Name+": writes", slices.DeleteFunc(strings.Fields(c.Rule.Writes), variable.MatchString))
	for _, sub := range c.Rule.Commands {
		j.writes(Command{c.Name + " " + sub.Name, sub.Rule})
	}
}

// commands joins subcommands. above are the options of the levels above.
func (j *joining) commands(at string, builtIn, own []Command, above string) []Command {
	joined := slices.Clone(builtIn)
	for _, c := range own {
		if i := slices.IndexFunc(joined, func(o Command) bool { return o.Name == c.Name }); i >= 0 {
			joined[i].Rule = j.rule(strings.TrimSpace(at+" "+c.Name), joined[i].Rule, c.Rule, above)
			continue
		}
		if c.Rule.Do == "" && len(c.Rule.Commands) == 0 {
			j.fault(strings.TrimSpace(at+" "+c.Name), "is not known to the built-in policy, so that its rule needs do or commands")
		}
		joined = append(joined, c)
	}
	return joined
}

func (j *joining) rule(at string, r, own *Rule, above string) *Rule {
	joined := *r
	if r.Do == "forbidden" && (own.Options != "" || own.Persistent != "" || len(own.Commands) > 0) {
		j.fault(at, "is forbidden, and nothing can be added to it")
	}
	for _, member := range []struct{ name, builtIn, own string }{
		{"operands", r.Operands, own.Operands}, {"style", r.Style, own.Style}, {"stdin", r.Stdin, own.Stdin}, {"check", r.Check, own.Check},
		{"requires", r.Requires, own.Requires}, {"cwd", r.Cwd, own.Cwd}, {"writes", r.Writes, own.Writes},
	} {
		if member.own != "" && member.own != member.builtIn {
			j.fault(at, member.name+" is the built-in policy's; only options, commands, a graver do, fewer operands (only), fewer tiers and a why can be given")
		}
	}
	if own.Loose && !r.Loose || own.Bare && !r.Bare || own.SetID && !r.SetID {
		j.fault(at, "loose, bare and setid are the built-in policy's")
	}
	above = strings.Join([]string{above, r.Options, r.Persistent}, " ")
	joined.Do = graver(r.Do, own.Do)
	joined.Options = j.options(at, r.Options, own.Options, above)
	joined.Persistent = j.options(at, r.Persistent, own.Persistent, above)
	joined.Commands = j.commands(at, r.Commands, own.Commands, above)
	if own.Why != "" {
		joined.Why = own.Why
	}
	if own.Tiers != "" {
		joined.Tiers = fewer(&joined, own.Tiers)
	}
	return &joined
}

// options joins options. To a known option only literal values can be added, and none if it is forbidden. Additions come first, because
// the first option that accepts a value wins.
func (j *joining) options(at, builtIn, own, known string) string {
	for token := range strings.FieldsSeq(own) {
		again, forbidden := sameOption(token, known)
		_, typ, _ := strings.Cut(token, "=")
		typ, _, _ = strings.Cut(typ, "!")
		switch {
		case !again:
			builtIn += " " + token
		case forbidden || typ == "" || IsType(typ) || strings.HasSuffix(typ, "]"):
			j.fault(at, token+" is an option of the built-in policy; only literal values of it can be added, such as "+strings.SplitN(token, "=", 2)[0]+"=VALUE")
		default:
			builtIn = token + " " + builtIn
		}
	}
	return strings.TrimSpace(builtIn)
}

// sameOption reports whether one of a token's names is a known option, and whether that option is forbidden.
func sameOption(token, known string) (again, forbidden bool) {
	for other := range strings.FieldsSeq(known) {
		for _, name := range optionNames(token) {
			if slices.Contains(optionNames(other), name) {
				again = true
				forbidden = forbidden || strings.Contains(other, "!forbidden")
			}
		}
	}
	return again, forbidden
}

func optionNames(token string) []string {
	names, _, _ := strings.Cut(token, "=")
	names, _, _ = strings.Cut(names, "!")
	return strings.Split(strings.TrimSuffix(names, "["), "/")
}

// Tiers returns the tiers that may do an action; empty if none may.
func Tiers(do string) string {
	return map[string]string{"observe": "123", "change": "23", "restart": "23", "redeploy": "3", "ask": "23"}[do]
}

// fewer returns the tiers that both allow; "0" means none.
func fewer(r *Rule, own string) string {
	return cmp.Or(strings.Map(func(tier rune) rune {
		if strings.ContainsRune(own, tier) {
			return tier
		}
		return -1
	}, cmp.Or(r.Tiers, Tiers(r.Do))), "0")
}
