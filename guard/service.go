package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
)

// services are the names under which a remediation counts: the inventory's, or as they are written.
func (k *walker) services(u *use, values []typed) (names []string) {
	inv, err := k.inventory()
	if err != nil {
		k.deny(u, Unknown, "the inventory cannot be read, and without it nobody knows which service this is: "+err.Error())
		return nil
	}
	var given []string
	for _, v := range values {
		if v.typ != "svc" {
			continue
		}
		if !v.word.known || v.word.text == "" || anonymous(inv, u, v.word.text) {
			k.deny(u, Unknown, "a "+string(u.action)+" names its service literally, not by a pattern, a variable or an id ("+v.word.String()+")")
			return nil
		}
		given = append(given, v.word.text)
	}
	switch u.service() {
	case "project":
		names = k.composed(u, inv, given)
	case "kube":
		names = kubernetes(given)
		if i := slices.IndexFunc(names, k.machines); i >= 0 {
			k.deny(u, Forbidden, quoted(names[i])+" belongs to the cluster or its network")
			return nil
		}
	case "base":
		names = bases(u, values)
	default:
		for i, name := range given {
			given[i] = k.oneName(u, name)
		}
		if i := slices.IndexFunc(given, func(name string) bool {
			return name == "all" || strings.HasSuffix(name, ":") || strings.Contains(name, "/")
		}); i >= 0 {
			k.deny(u, Unknown, quoted(given[i])+" is not the plain name of one service; write the names out")
			return nil
		}
		names = given
	}
	for i, name := range names {
		_, known := inv.Lookup(name)
		names[i] = inv.Service(name)
		if own(name) || own(names[i]) {
			k.deny(u, Forbidden, quoted(name)+" is this program")
			return nil
		}
		if fault := check.ServiceNameFault(names[i]); fault != "" {
			k.deny(u, Unknown, "the service's name "+fault)
			return nil
		}
		if other := inv.Elsewhere(names[i]); other != "" {
			u.failed = true // without the rule's advice: no other way to write it helps
			k.refuse(Unknown, u.name, show(u.words), quoted(names[i])+" is looked after by "+other+", and restarted and redeployed by that alone")
			return nil
		}
		if !known && inv.Divided() {
			u.failed = true
			k.refuse(Unknown, u.name, show(u.words), "no inventory names "+quoted(name)+", and with CLAUDEOPS_SHARD nobody knows whose it is; a person adds it (as a name or alias)")
			return nil
		}
	}
	return names
}

func (k *walker) serviceName(u *use, w word) {
	if !w.plain && k.wantKnown(u, w) && !serviceNames().MatchString(w.text) {
		k.deny(u, Unknown, quoted(w.text)+" is not the plain name of a service: letters, digits and . _ : @ / + -")
	}
}

// oneName is a service's name where managers have several for it: a program of supervisor in a group of its own, a snap's unit.
func (k *walker) oneName(u *use, name string) string {
	switch program, _, _ := strings.Cut(u.name, " "); program {
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

// service is where the name comes from, by the rule or by one above it.
func (u *use) service() (from string) {
	for _, level := range u.levels {
		if level.Service != "" {
			from = level.Service
		}
	}
	return from
}

func (k *walker) inventory() (*inventory.Inventory, error) {
	if k.world.Inventory == nil {
		return nil, nil
	}
	return k.world.Inventory()
}

// anonymous reports whether a name may be an id or the beginning of one, a container's or a swarm service's, which would count for itself
// each time that it is written longer. Only names that the inventory knows are none, and db, which is a database more often than the
// beginning of a container's id.
func anonymous(inv *inventory.Inventory, u *use, name string) bool {
	digits := "0123456789abcdef"
	if strings.Contains(u.name, " service ") {
		digits += "ghijklmnopqrstuvwxyz"
	}
	if _, known := inv.Lookup(name); known || strings.Trim(name, digits) != "" {
		return false
	}
	number, isDB := strings.CutPrefix(name, "db")
	return !isDB || len(number) > 1
}

// unit judges the names of a service manager's units: services, each by its name.
func (k *walker) unit(u *use, names []word) {
	for _, w := range names {
		kind := strings.TrimPrefix(path.Ext(w.text), ".")
		switch {
		case k.machines(strings.TrimSuffix(strings.TrimSuffix(w.text, ".service"), ".timer")):
			k.deny(u, Forbidden, quoted(w.text)+" belongs to the machine, to its network or to this program")
			return
		case strings.ContainsAny(w.text, "*?[/") || slices.Contains([]string{"socket", "path", "snapshot", "target", "mount", "automount", "swap", "slice", "scope", "device", "timer"}, kind):
			k.deny(u, Unknown, quoted(w.String())+" is no service")
			return
		}
	}
	if u.action == Restart {
		k.unnamed(u, names)
	}
}

// machines reports whether a name is that of a unit of the policy, or of this program.
func (k *walker) machines(name string) bool {
	return own(name) || slices.ContainsFunc(k.world.Policy.Units, func(pattern string) bool { ok, err := path.Match(pattern, name); return ok || err != nil })
}

// unnamed refuses a service that no inventory names: what a unit does, and to what, is not known by its name.
func (k *walker) unnamed(u *use, names []word) {
	inv, err := k.inventory()
	for _, w := range names {
		if _, known := inv.Lookup(w.text, k.oneName(u, w.text)); err != nil || !known {
			k.deny(u, Unknown, "no inventory names "+quoted(w.String())+"; only its services are started and stopped, a person adds others (as a name or alias)")
			return
		}
	}
}

// serviceScript judges service NAME ACTION.
func (k *walker) serviceScript(u *use) {
	if len(u.operands) < 2 {
		if !u.has("--status-all", "-l", "--list") {
			k.deny(u, Unknown, "`service` takes a name and an action")
		}
		return
	}
	if name := u.operands[0].text; strings.HasSuffix(name, ".sh") || strings.ContainsAny(name, "/:") { // the script cuts .sh off
		k.deny(u, Unknown, quoted(name)+" is no service; write its plain name")
		return
	}
	switch action := u.operands[1]; {
	case action.is("status"):
		return
	case action.is("restart", "try-restart", "force-reload", "condrestart"):
		u.action = Restart
	case action.is("start"):
		u.action, u.part = Restart, "last"
	case action.is("stop"):
		u.action, u.part = Restart, "first"
	case action.is("reload"):
		u.action = Change
	}
	k.unit(u, u.operands[:1])
}

// composed are the services of a compose project: those that are named, or the project itself.
func (k *walker) composed(u *use, inv *inventory.Inventory, given []string) (names []string) {
	project := k.project(u)
	if project == "" && u.failed {
		return nil
	}
	if project == "" {
		k.deny(u, Unknown, "which project this is about cannot be read; name it with -p or -f")
		return nil
	}
	if len(given) == 0 {
		return []string{project}
	}
	for _, service := range given {
		name, known := inv.Lookup(project+"-"+service+"-1", project+"_"+service+"_1", project+"-"+service)
		if _, whole := inv.Lookup(project); !known && whole && inv.Divided() {
			name, known = project, true // of all that belongs to it, the same part looks after it
		}
		if !known {
			name, known = inv.Lookup(service)
		}
		if !known {
			name = service
		}
		names = append(names, name)
	}
	return names
}

// value is the last value of an option, which is the one that holds.
func (u *use) value(names ...string) (last *word) {
	for _, g := range u.given {
		for _, name := range names {
			if slices.Contains(g.option.names, name) && len(g.values) > 0 {
				last = &g.values[0]
			}
		}
	}
	return last
}

// bases are the names of playbooks, manifests and releases: without folder and extension.
func bases(u *use, values []typed) (names []string) {
	for _, v := range values {
		if v.typ != "code" && v.typ != "svc" || !v.word.known {
			continue
		}
		isOption := slices.ContainsFunc(u.given, func(g given) bool {
			return slices.ContainsFunc(g.values, func(w word) bool { return w == v.word }) &&
				!slices.ContainsFunc(g.option.names, func(n string) bool { return n == "-f" || n == "--filename" || n == "-k" || n == "--kustomize" })
		})
		if isOption {
			continue
		}
		base := path.Base(path.Clean(v.word.text))
		names = append(names, strings.TrimSuffix(base, path.Ext(base)))
	}
	return names
}
