package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/inventory"
)

// serviceNames matches plain words, which no program splits or reads as an option: NAME, KIND/NAME, GROUP:NAME, HOST/IMAGE:TAG.
var serviceNames = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9_.:@/+-]*$`)

// own reports whether a name belongs to this program: its units, template units and containers.
func own(name string) bool {
	return slices.Contains(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("._:@/+-", r) }), "claudeops")
}

// kubernetes returns the names in KIND/NAME… or KIND NAME….
func kubernetes(given []string) (names []string) {
	for i, g := range given {
		kind, name, both := strings.Cut(g, "/")
		switch {
		case both && kind != "" && name != "":
			names = append(names, name)
		case i > 0 && !strings.Contains(given[0], "/"):
			names = append(names, g)
		case i > 0:
			return nil
		}
	}
	return names
}

// step returns the step of a remediation that a rule performs. All ways to stop a container are one step.
func step(rule string) string {
	words := strings.Fields(rule)
	switch words[len(words)-1] {
	case "stop", "kill":
		return "stop"
	}
	return words[len(words)-1]
}

// joinSteps merges the steps of one remediation: stop and start, down and up, pull and build and up. A repeated step starts another
// remediation.
func joinSteps(acts []Act) []Act {
	var joined []Act
	for _, a := range acts {
		if a.part == "last" && counted(a) {
			var rules []string
			joined = slices.DeleteFunc(joined, func(b Act) bool {
				if b.part != "first" || !counted(b) || !within(b.Services, a.Services) && !within(a.Services, b.Services) || slices.Contains(rules, step(b.Rule)) {
					return false
				}
				if len(b.Services) > len(a.Services) {
					a.Services = b.Services
				}
				rules = append(rules, step(b.Rule))
				if b.Action == Redeploy {
					a.Action = Redeploy
				}
				a.Command = b.Command + " … " + a.Command
				return true
			})
		}
		joined = append(joined, a)
	}
	return joined
}

// within reports whether all of some names are among others.
func within(some, others []string) bool {
	return !slices.ContainsFunc(some, func(name string) bool { return !slices.Contains(others, name) })
}

func counted(a Act) bool { return a.Action == Restart || a.Action == Redeploy }

// services returns the names under which a remediation is counted: the inventory's, or else the ones in the call.
func (j *judge) services(c *invocation) (names []string, err error) {
	inv, err := j.inventory()
	if err != nil {
		return nil, unknown("the inventory, which says which service this is, cannot be read: %v", err)
	}
	var given []string
	for _, v := range c.values {
		if v.typ != "svc" {
			continue
		}
		if v.text == "" || isID(inv, c, v.text) {
			return nil, unknown("a %s names its service literally, not by an id (%s)", c.action(), v.text)
		}
		given = append(given, v.text)
	}
	switch c.levelService() {
	case "project":
		if names, err = j.composed(c, inv, given); err != nil {
			return nil, err
		}
	case "kube":
		names = kubernetes(given)
		if i := slices.IndexFunc(names, j.machineUnit); i >= 0 {
			return nil, forbidden("%s belongs to the cluster or its network", quoted(names[i]))
		}
	case "base":
		names = baseNames(c)
	default:
		for _, name := range given {
			if name = managerName(c, name); name == "all" || strings.HasSuffix(name, ":") || strings.Contains(name, "/") {
				return nil, unknown("%s is not the plain name of one service; write the names out", quoted(name))
			}
			names = append(names, name)
		}
	}
	for i, name := range names {
		if names[i], err = countedName(inv, name); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// countedName returns the name under which a service is counted. It is an error if this instance is not responsible for the service.
func countedName(inv *inventory.Inventory, name string) (string, error) {
	_, known := inv.Lookup(name)
	service := inv.Service(name)
	switch {
	case own(name) || own(service):
		return "", forbidden("%s is this program", quoted(name))
	case check.ServiceNameFault(service) != "":
		return "", unknown("the service's name %s", check.ServiceNameFault(service))
	case inv.Elsewhere(service) != "":
		return "", final("%s is looked after by %s, and restarted and redeployed by that alone", quoted(service), inv.Elsewhere(service))
	case !known && inv.Divided():
		return "", final("the inventory does not name %s, so that no shard is known to look after it; ask a person to add it (as a name or alias)", quoted(name))
	}
	return service, nil
}

func (j *judge) inventory() (*inventory.Inventory, error) {
	if j.world.Inventory == nil {
		return nil, nil
	}
	return j.world.Inventory()
}

// managerName returns a service's plain name where its manager adds to it: a supervisor program in a group of its own, a snap's unit.
func managerName(c *invocation, name string) string {
	switch program, _, _ := strings.Cut(c.name, " "); program {
	case "supervisorctl":
		if group, process, has := strings.Cut(name, ":"); has && group == process {
			return group
		}
	case "snap":
		name, _, _ = strings.Cut(name, ".")
	case "systemctl", "service", "rc-service", "invoke-rc.d":
		if rest, has := strings.CutPrefix(name, "snap."); has {
			name, _, _ = strings.Cut(rest, ".")
		}
	}
	return name
}

// isID reports whether a name may be a container or swarm service id, or a prefix of one. Each prefix would be counted as another
// service. Names that the inventory knows are not ids, nor is "db", which is usually a database.
func isID(inv *inventory.Inventory, c *invocation, name string) bool {
	digits := "0123456789abcdef"
	if strings.Contains(c.name, " service ") {
		digits += "ghijklmnopqrstuvwxyz"
	}
	if _, known := inv.Lookup(name); known || strings.Trim(name, digits) != "" {
		return false
	}
	number, isDB := strings.CutPrefix(name, "db")
	return !isDB || len(number) > 1
}

// unit judges the units given to a service manager: they must be services, each by its name.
func (j *judge) unit(c *invocation, names []string) error {
	for _, w := range names {
		kind := strings.TrimPrefix(path.Ext(w), ".")
		switch {
		case j.machineUnit(strings.TrimSuffix(strings.TrimSuffix(w, ".service"), ".timer")):
			return forbidden("%s belongs to the machine, to its network or to this program", quoted(w))
		case strings.ContainsAny(w, "*?[/") || slices.Contains([]string{"socket", "path", "snapshot", "target", "mount", "automount", "swap", "slice", "scope", "device", "timer"}, kind):
			return unknown("%s is no service", quoted(w))
		}
	}
	if c.action() == Restart {
		return j.unnamed(c, names)
	}
	return nil
}

// machineUnit reports whether a name is a protected unit of the policy, or a unit of this program.
func (j *judge) machineUnit(name string) bool {
	return own(name) || slices.ContainsFunc(j.world.Policy.Units, func(pattern string) bool { ok, err := path.Match(pattern, name); return ok || err != nil })
}

// unnamed refuses a service that the inventory does not name: the name alone does not show what a unit does.
func (j *judge) unnamed(c *invocation, names []string) error {
	inv, err := j.inventory()
	for _, w := range names {
		if _, known := inv.Lookup(w, managerName(c, w)); err != nil || !known {
			return final("the inventory does not name %s, and only its services are started and stopped; ask a person to add it (as a name or alias)", quoted(w))
		}
	}
	return nil
}

// serviceScript judges `service NAME ACTION`.
func (j *judge) serviceScript(c *invocation) error {
	if len(c.operands) < 2 {
		if !c.has("--status-all", "-l", "--list") {
			return unknown("`service` takes a name and an action")
		}
		return nil
	}
	name := c.operands[0]
	if strings.HasSuffix(name, ".sh") || strings.ContainsAny(name, "/:") { // the script strips .sh
		return unknown("%s is no service; write its plain name", quoted(name))
	}
	switch c.operands[1] {
	case "status":
		return nil
	case "restart", "try-restart", "force-reload", "condrestart":
		c.graver = Restart
	case "start":
		c.graver, c.part = Restart, "last"
	case "stop":
		c.graver, c.part = Restart, "first"
	case "reload":
		c.graver = Change
	}
	return j.unit(c, c.operands[:1])
}

// baseNames returns the names of playbooks, manifests and releases, without directory and extension.
func baseNames(c *invocation) (names []string) {
	settings := c.optionFiles()
	for _, v := range c.values {
		if slices.Contains([]string{"code", "manifests", "svc"}, v.typ) && !slices.Contains(settings, v.text) {
			base := path.Base(path.Clean(v.text))
			names = append(names, strings.TrimSuffix(base, path.Ext(base)))
		}
	}
	return names
}

// optionFiles returns the values of options that do not name a manifest.
func (c *invocation) optionFiles() (files []string) {
	for _, o := range c.options {
		if !slices.ContainsFunc(o.names, func(n string) bool { return slices.Contains([]string{"-f", "--filename", "-k", "--kustomize"}, n) }) {
			files = append(files, o.values...)
		}
	}
	return files
}
