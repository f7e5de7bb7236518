package discover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/inventory"
)

// settle turns the candidates into services: it gives them unique names, and leaves out what no inventory accepts.
func (c *collection) settle(ctx context.Context) (Found, error) {
	s := &settling{collection: c, owner: map[string]*merged{}}
	s.name()
	for _, step := range []func(context.Context) error{s.claim, s.depend} {
		if err := step(ctx); err != nil {
			return Found{}, err
		}
	}
	found := Found{Missing: c.missing}
	for _, m := range s.services {
		found.Services = append(found.Services, m.Service)
	}
	slices.Sort(c.leftOut)
	found.LeftOut = slices.Compact(c.leftOut)
	return found, nil
}

// settling is the state of settle.
type settling struct {
	*collection
	services []*merged
	owner    map[string]*merged // of each name and alias, by key
}

// merged is a service with the candidates that it was made from.
type merged struct {
	Service
	of []*candidate
}

// key returns the part of a name that distinguishes services. Package inventory removes one slash and one suffix; key removes all, so
// that a service's name is its own key.
func key(name string) string {
	for {
		less := strings.TrimSuffix(strings.TrimPrefix(name, "/"), ".service")
		if less == name {
			return name
		}
		name = less
	}
}

// wanted returns the name of a candidate by itself.
func (c *candidate) wanted() string { return cmp.Or(c.labels.name, c.service) }

// name names each candidate: by its label, or else after the service, the container, the unit or the program. Services of several compose
// projects or namespaces that would have the same name get the project as a prefix. Candidates with the same name after that are one
// service.
func (s *settling) name() {
	users := map[string]int{}
	for _, c := range s.order {
		if !c.ignored {
			users[key(c.wanted())]++
		}
	}
	byName := map[string]*merged{}
	for _, c := range s.order {
		if c.ignored {
			continue
		}
		name := c.wanted()
		if users[key(name)] > 1 && c.project != "" && c.labels.name == "" {
			name = c.project + "-" + c.service
		}
		name = key(name)
		if fault := check.ServiceNameFault(name); fault != "" {
			s.leaveOut(c.what(), "no service can be called so: "+fault)
			continue
		}
		m := byName[name]
		if m == nil {
			m = &merged{Service: Service{Name: name}}
			byName[name] = m
			s.services = append(s.services, m)
			s.owner[name] = m
		}
		m.of = append(m.of, c)
	}
	slices.SortFunc(s.services, func(a, b *merged) int { return cmp.Compare(a.Name, b.Name) })
}

// what describes a candidate for people.
func (c *candidate) what() string {
	switch {
	case c.namespaced:
		return "service " + shown(c.service) + " of Kubernetes namespace " + shown(c.project)
	case c.project != "":
		return "service " + shown(c.service) + " of compose project " + shown(c.project)
	case c.unit != "":
		return "unit " + shown(c.unit)
	case c.program != "":
		return "program " + shown(c.program)
	}
	return "container " + shown(c.service)
}

// claim gives each service its checks, and the aliases that no other service has.
func (s *settling) claim(ctx context.Context) error {
	for _, m := range s.services {
		for _, c := range m.of {
			m.From = add(m.From, c.from...)
			s.checksOf(m, c)
		}
	}
	s.services = slices.DeleteFunc(s.services, func(m *merged) bool {
		if ctx.Err() != nil {
			return false
		}
		fault := m.mend(s.collection)
		if fault == "" {
			m.offer()
			return false
		}
		s.leaveOut("service "+shown(m.Name), fault)
		for name, owner := range s.owner {
			if owner == m {
				delete(s.owner, name)
			}
		}
		return true
	})
	return ctx.Err()
}

// own registers a name for a service; it returns false if another service has it, or it is invalid.
func (s *settling) own(m *merged, name string) bool {
	k := key(name)
	if check.ServiceNameFault(name) != "" || check.ServiceNameFault(k) != "" {
		return false
	}
	if owner := s.owner[k]; owner != nil {
		return owner == m
	}
	s.owner[k] = m
	return true
}

func (s *settling) checksOf(m *merged, c *candidate) {
	slices.Sort(c.containers)
	for _, name := range c.containers {
		if !s.own(m, name) {
			s.leaveOut("container "+shown(name)+" of service "+shown(m.Name), "its name is none, or another service's")
			continue
		}
		if key(name) != m.Name {
			m.Aliases = add(m.Aliases, name)
		}
		m.Checks = add(m.Checks, Check{Container: name})
	}
	if c.unit != "" {
		if s.own(m, c.unit) {
			m.Checks = add(m.Checks, Check{Unit: c.unit})
		} else {
			s.leaveOut("unit "+shown(c.unit), "another service is called so")
		}
	}
	m.Owner, m.Settle = cmp.Or(m.Owner, c.labels.owner), cmp.Or(m.Settle, c.labels.settle)
	slices.SortFunc(c.ports, func(a, b port) int { return cmp.Compare(a.address, b.address) })
	if c.labels.url != "" {
		m.Checks = add(m.Checks, Check{URL: c.labels.url})
	} else {
		for _, p := range c.ports {
			m.Checks = add(m.Checks, Check{Address: p.address})
		}
	}
	if hint := databaseHint(m.Name, c.image, c.ports); hint != "" {
		m.Hints = add(m.Hints, hint)
	}
}

// mend removes parts of a service that others have written and no inventory accepts, in reading order. The fault is what remains wrong
// after that.
func (m *merged) mend(c *collection) (fault string) {
	without := func(unwanted func(Check) bool) func(*Service) {
		return func(s *Service) { s.Checks = slices.DeleteFunc(slices.Clone(s.Checks), unwanted) }
	}
	fault = m.fault()
	for _, part := range []struct {
		what string
		drop func(*Service)
	}{
		{"owner", func(s *Service) { s.Owner = "" }},
		{"settle", func(s *Service) { s.Settle = "" }},
		{"url", without(func(k Check) bool { return k.URL != "" })},
		{"address", without(func(k Check) bool { return k.Address != "" })},
	} {
		if fault == "" {
			break
		}
		less := *m
		part.drop(&less.Service)
		if left := less.fault(); left != fault {
			c.leaveOut("the "+part.what+" of service "+shown(m.Name), fault)
			m.Service, fault = less.Service, left
		}
	}
	return fault
}

// fault returns the fault in an inventory of this service alone.
func (m *merged) fault() string {
	alone := m.Service
	alone.DependsOn = nil
	_, err := inventory.Parse(Found{Services: []Service{alone}}.render())
	if err == nil {
		return ""
	}
	var invalid *strict.InvalidError
	if errors.As(err, &invalid) && len(invalid.Faults) > 0 {
		_, fault, found := strings.Cut(invalid.Faults[0], ": ") // without the position, which refers to this temporary file
		if found {
			return brief(fault)
		}
	}
	return brief(err.Error())
}

// maxNeeded limits the dependencies in one label. No person writes more.
const maxNeeded = 100

// depend resolves the services' dependencies. Cycles are broken.
func (s *settling) depend(ctx context.Context) error {
	byCompose := map[[2]string]*merged{}
	for _, m := range s.services {
		for _, c := range m.of {
			if c.project != "" {
				byCompose[[2]string{c.project, c.service}] = m
			}
		}
	}
	needs := map[*merged][]*merged{}
	for _, m := range s.services {
		for _, c := range m.of {
			for _, needed := range c.needs {
				// One that does not run here is not in this inventory.
				if on := byCompose[[2]string{c.project, needed}]; on != nil {
					needs[m] = append(needs[m], on)
				}
			}
			needs[m] = append(needs[m], s.labelled(m, c, byCompose)...)
		}
	}
	return s.open(ctx, needs)
}

// labelled returns the services that a candidate depends on according to its label.
func (s *settling) labelled(m *merged, c *candidate, byCompose map[[2]string]*merged) (needs []*merged) {
	subject := "claudeops.depends_on of service " + shown(m.Name)
	names := strings.SplitN(c.labels.dependsOn, ",", maxNeeded+1)
	if len(names) > maxNeeded {
		s.leaveOut(subject, fmt.Sprintf("it names more than %d services, of which the first are taken", maxNeeded))
		names = names[:maxNeeded]
	}
	for _, needed := range names {
		needed = strings.TrimSpace(needed)
		on := byCompose[[2]string{c.project, needed}] // its own project takes precedence
		if on == nil {
			on = s.owner[key(needed)]
		}
		if on != nil {
			needs = append(needs, on)
		} else if needed != "" {
			s.leaveOut(subject, "there is no service "+shown(needed))
		}
	}
	return needs
}

// open sets the services' dependencies, except those that would close a cycle: it walks the graph once, and leaves out edges that lead
// back to the current path.
func (s *settling) open(ctx context.Context, needs map[*merged][]*merged) error {
	const passed, done = 1, 2
	state := map[*merged]int{}
	var walk func(m *merged)
	walk = func(m *merged) {
		state[m] = passed
		taken := map[*merged]bool{m: true} // a service does not depend on itself
		for _, on := range needs[m] {
			if taken[on] || ctx.Err() != nil {
				continue
			}
			taken[on] = true
			if state[on] == 0 {
				walk(on)
			} else if state[on] == passed {
				s.leaveOut("that service "+shown(m.Name)+" depends on "+shown(on.Name), "it would be a circle")
				continue
			}
			m.DependsOn = append(m.DependsOn, on.Name)
		}
		slices.Sort(m.DependsOn)
		state[m] = done
	}
	for _, m := range s.services {
		if state[m] == 0 {
			walk(m)
		}
	}
	return ctx.Err()
}

// databaseHint suggests a check for a database that is recognised by its image or program; the password is unknown.
func databaseHint(service, image string, ports []port) string {
	scheme, usual, named := databaseOf(image)
	if scheme == "" {
		return ""
	}
	address, where := fmt.Sprintf("HOST:%d", usual), ", where its port can be reached,"
	for _, p := range ports {
		if p.private == usual {
			address, where = p.address, ""
			break
		}
	}
	url := scheme + "://" + address
	if named {
		url = scheme + "://USER@" + address + "/NAME"
	}
	return fmt.Sprintf("It is a database: with a user of its own%s this sees more than a port does:\n"+
		`- {type: database, url: "%s", password_env: %s}`, where, url, variable(service))
}

// databaseOf recognises a database by its image or program name, without path and tag. named means that it has users and databases.
func databaseOf(image string) (scheme string, port int, named bool) {
	name := image[strings.LastIndexByte(image, '/')+1:]
	if end := strings.IndexAny(name, ":@"); end >= 0 {
		name = name[:end]
	}
	switch strings.TrimSuffix(name, "-alpine") {
	case "postgres", "postgresql", "postgis", "timescaledb", "timescaledb-ha", "pgvector":
		return "postgres", 5432, true
	case "mysql", "mysql-server", "mysqld", "percona", "percona-server":
		return "mysql", 3306, true
	case "mariadb", "mariadbd":
		return "mariadb", 3306, true
	case "redis", "redis-server", "valkey", "valkey-server", "keydb", "redis-stack", "redis-stack-server":
		return "redis", 6379, false
	}
	return "", 0, false
}

// variable returns the name of a variable for a service's password.
func variable(service string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, service)
	if name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name + "_PASSWORD"
}
