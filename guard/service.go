package guard

import (
	"os"
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
		if !v.word.known || v.word.text == "" || anonymous(inv, v.word.text) {
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
		for i, name := range given {
			given[i] = k.oneName(u, name)
		}
		if i := slices.IndexFunc(given, func(name string) bool {
			return name == "all" || strings.HasSuffix(name, ":") || strings.ContainsAny(strings.TrimPrefix(name, "/"), "/*?[")
		}); i >= 0 {
			k.deny(u, Unknown, quoted(given[i])+" is not the plain name of one service; write the names out")
			return nil
		}
		names = given
	}
	for i, name := range names {
		names[i] = inv.Service(name)
		if own := func(name string) bool {
			return name == "claudeops" || strings.HasPrefix(name, "claudeops-") || strings.HasPrefix(name, "claudeops_")
		}; own(name) || own(names[i]) {
			k.deny(u, Forbidden, quoted(name)+" is this program")
			return nil
		}
		if fault := check.ServiceNameFault(names[i]); fault != "" {
			k.deny(u, Unknown, "the service's name "+fault)
			return nil
		}
	}
	return names
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
		name = strings.TrimSuffix(name, ".timer") // which starts the service of its name
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

// anonymous reports whether a name may be a container's id or the beginning of one, which would count for itself each time that it is
// written longer. Only names that the inventory knows are none, and db, which is a database more often than the beginning of an id.
func anonymous(inv *inventory.Inventory, name string) bool {
	if _, known := inv.Lookup(name); known || strings.Trim(name, "0123456789abcdef") != "" {
		return false
	}
	number, isDB := strings.CutPrefix(name, "db")
	return !isDB || len(number) > 1
}

// unit judges the names of a service manager's units: services and timers, each by its name.
func (k *walker) unit(u *use, names []word) {
	for _, w := range names {
		name := strings.TrimSuffix(strings.TrimSuffix(w.text, ".service"), ".timer")
		kind := strings.TrimPrefix(path.Ext(w.text), ".")
		switch {
		case slices.ContainsFunc(k.world.Policy.Units, func(pattern string) bool { ok, err := path.Match(pattern, name); return ok || err != nil }):
			k.deny(u, Forbidden, quoted(w.text)+" belongs to the machine, to its network or to this program")
			return
		case strings.ContainsAny(w.text, "*?[/") || slices.Contains([]string{"socket", "path", "snapshot", "target", "mount", "automount", "swap", "slice", "scope", "device"}, kind):
			k.deny(u, Unknown, quoted(w.String())+" is no service")
			return
		}
	}
	if u.action == Restart {
		k.unnamed(u, names)
	}
}

// unnamed refuses a service that the inventory does not name: what a unit does is not known by its name. Without an inventory it refuses
// those whose names say that they do a job on data, beside the policy's.
func (k *walker) unnamed(u *use, names []word) {
	inv, err := k.inventory()
	none := err == nil && (inv == nil || len(inv.Services) == 0)
	for _, w := range names {
		if _, known := inv.Lookup(w.text, strings.TrimSuffix(w.text, ".timer"), k.oneName(u, w.text)); known || none && !job(w.text) {
			continue
		}
		k.deny(u, Unknown, "no inventory names "+quoted(w.String())+"; only its services are started and stopped, a person adds others (as a name or alias)")
		return
	}
}

// job reports whether a unit's name says that it does something to data and ends.
func job(name string) bool {
	return slices.ContainsFunc([]string{"prune", "purge", "clean", "wipe", "reset", "restore", "backup", "upgrade", "update", "migrat", "import", "sync"}, func(part string) bool {
		return strings.Contains(strings.ToLower(name), part)
	})
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
	k.unit(u, u.operands[:1])
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

// project is the name of a compose project: that of its files, or the one that is given where it is the same, where the inventory knows
// it, or where nothing is made of files. It is empty where that cannot be read.
func (k *walker) project(u *use) string {
	given := u.value("-p", "--project-name")
	if given == nil {
		return k.projectOfFiles(u)
	}
	inv, err := k.inventory()
	if _, known := inv.Lookup(given.text); err == nil && known {
		return given.text
	}
	step := u.name[strings.LastIndexByte(u.name, ' ')+1:]
	makes := slices.Contains([]string{"up", "create", "run", "build", "pull"}, step) || u.has("-f", "--file", "--env-file")
	if makes && k.projectOfFiles(u) != given.text {
		return ""
	}
	return given.text
}

// projectOfFiles is the name that a project's files, all of one folder, give it, or that folder's.
func (k *walker) projectOfFiles(u *use) string {
	if u.has("--project-directory") { // by which a file's project has as many names as there are folders
		return ""
	}
	var files, others []string
	for _, g := range u.given {
		switch {
		case len(g.values) == 0:
		case slices.Contains(g.option.names, "--file"):
			files = append(files, g.values[0].text)
		case slices.Contains(g.option.names, "--env-file"):
			others = append(others, g.values[0].text)
		}
	}
	dir := ""
	for i, file := range files {
		if i > 0 && path.Dir(file) != dir {
			return ""
		}
		dir = path.Dir(file)
	}
	places := k.places(dir)
	if len(places) != 1 {
		return ""
	}
	name := path.Base(places[0])
	if !k.world.Hypothetical && u.f.place == "" {
		if slices.ContainsFunc(others, func(file string) bool { return k.namesProject(file) }) {
			return ""
		}
		if len(files) == 0 {
			files = []string{"."}
		}
		for _, file := range files { // the last one that says so
			if named, ok := namedProject(places[0], path.Base(file)); ok {
				name = named
			}
		}
	}
	name = strings.ToLower(name)
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, name)
	return strings.TrimLeft(name, "-_")
}

// namesProject reports whether an environment file may name the project; one that cannot be read may.
func (k *walker) namesProject(file string) bool {
	for _, place := range k.places(file) {
		text, err := os.ReadFile(place)
		if err != nil || strings.Contains(string(text), "COMPOSE_PROJECT_NAME") {
			return true
		}
	}
	return false
}

// namedProject is the name that a project's files give it. One that is put together from variables is none that can be read.
func namedProject(dir, file string) (name string, ok bool) {
	files := []string{file}
	if file == "." {
		files = []string{"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"}
	}
	for _, file := range append([]string{".env"}, files...) {
		text, err := os.ReadFile(path.Join(dir, file))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			for _, key := range []string{"COMPOSE_PROJECT_NAME=", "name:", `"name":`} {
				if value, has := strings.CutPrefix(strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "export "), key); has && (file == ".env") == (key == "COMPOSE_PROJECT_NAME=") {
					value, _, _ = strings.Cut(value, " #")
					return strings.Trim(value, "\"', \t"), true
				}
			}
		}
	}
	return "", false
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
				if b.part != "first" || !counted(b) || !slices.Equal(b.Services, a.Services) || slices.Contains(rules, step(b.Rule)) {
					return false
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

// step is what a rule does in a remediation: all ways to stop a container are one.
func step(rule string) string {
	words := strings.Fields(rule)
	switch words[len(words)-1] {
	case "stop", "kill":
		return "stop"
	}
	return words[len(words)-1]
}

func counted(a Act) bool { return a.Action == Restart || a.Action == Redeploy }
