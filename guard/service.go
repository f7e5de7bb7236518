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
		if !v.word.known || v.word.text == "" || k.anonymous(v.word.text) {
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
	case "base":
		names = bases(u, values)
	case "image":
		for _, image := range given {
			image, _, _ = strings.Cut(path.Base(image), "@")
			image, _, _ = strings.Cut(image, ":")
			names = append(names, image)
		}
	default:
		if i := slices.IndexFunc(given, func(name string) bool {
			return name == "all" || strings.ContainsAny(strings.TrimPrefix(name, "/"), "/*?[")
		}); i >= 0 {
			k.deny(u, Unknown, quoted(given[i])+" is not the plain name of one service; write the names out")
			return nil
		}
		names = given
	}
	for i, name := range names {
		names[i] = inv.Service(name)
		if fault := check.ServiceNameFault(names[i]); fault != "" {
			k.deny(u, Unknown, "the service's name "+fault)
			return nil
		}
	}
	return names
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

// anonymous reports whether a name may be a container's id or the beginning of one, which would count for itself each time that it is
// written longer. A few letters, and a number behind them, are taken for a name: db, db1.
func (k *walker) anonymous(name string) bool {
	if strings.Trim(name, "0123456789abcdef") != "" {
		return false
	}
	letters := strings.TrimRight(name, "0123456789")
	return len(name) >= 12 || len(letters) > 4 || len(name)-len(letters) > 2 || letters == "" || strings.ContainsAny(letters, "0123456789")
}

// unit judges the names of a service manager's units: services and timers, each by its name.
func (k *walker) unit(u *use) {
	for _, w := range u.operands {
		name := strings.TrimSuffix(strings.TrimSuffix(w.text, ".service"), ".timer")
		kind := strings.TrimPrefix(path.Ext(w.text), ".")
		switch {
		case slices.ContainsFunc(k.world.Policy.Units, func(pattern string) bool { ok, err := path.Match(pattern, name); return ok || err != nil }):
			k.deny(u, Forbidden, quoted(w.text)+" belongs to the machine, to its network or to this program")
			return
		case strings.ContainsAny(w.text, "*?[/") || slices.Contains([]string{"target", "mount", "automount", "swap", "slice", "scope", "device"}, kind):
			k.deny(u, Unknown, quoted(w.String())+" is no service")
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
	switch action := u.operands[1]; {
	case action.is("restart", "try-restart", "force-reload", "condrestart"):
		u.action = Restart
	case action.is("start"):
		u.action, u.part = Restart, "last"
	case action.is("stop"):
		u.action, u.part = Restart, "first"
	case action.is("reload"):
		u.action = Change
	}
	k.unit(u)
}

// composed are the services of a compose project: those that are named, or the project itself.
func (k *walker) composed(u *use, inv *inventory.Inventory, given []string) (names []string) {
	project := k.project(u)
	if project == "" {
		k.deny(u, Unknown, "which project this is about cannot be read; name it with -p or -f")
		return nil
	}
	if len(given) == 0 {
		return []string{project}
	}
	for _, service := range given {
		if name, known := inv.Lookup(project+"-"+service+"-1", project+"_"+service+"_1", project+"-"+service, service); known {
			names = append(names, name)
		} else {
			names = append(names, service)
		}
	}
	return names
}

// project is the name of a compose project.
func (k *walker) project(u *use) string {
	if p := u.value("-p", "--project-name"); p != nil {
		return p.text
	}
	dir := ""
	if p := u.value("--project-directory"); p != nil {
		dir = p.text
	} else if i := slices.IndexFunc(u.given, func(g given) bool { return slices.Contains(g.option.names, "--file") && len(g.values) > 0 }); i >= 0 { // the first of them
		dir = path.Dir(u.given[i].values[0].text)
	}
	places := k.places(dir)
	if len(places) != 1 {
		return ""
	}
	name := strings.ToLower(path.Base(places[0]))
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, name)
	return strings.TrimLeft(name, "-_")
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

// kubernetes are the names in KIND/NAME… or KIND NAME….
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

// joinSteps makes one remediation of the steps of one: stop and start, down and up, pull and build and up. The same step twice is a
// remediation of its own.
func joinSteps(acts []Act) []Act {
	var joined []Act
	for _, a := range acts {
		if a.part == "last" && counted(a) {
			var rules []string
			joined = slices.DeleteFunc(joined, func(b Act) bool {
				if b.part != "first" || !counted(b) || !slices.Equal(b.Services, a.Services) || slices.Contains(rules, b.Rule) {
					return false
				}
				rules = append(rules, b.Rule)
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

func counted(a Act) bool { return a.Action == Restart || a.Action == Redeploy }
