package inventory

// Part is the inventory as one of several sees it that divide the services among them: Services are its own, and every name and host is
// known as before. elsewhere says of a service, by its name, which other part looks after it; empty where this one does.
func (inv *Inventory) Part(elsewhere func(service string) string) *Inventory {
	part := *inv
	part.everything, part.elsewhere = inv.Everything(), elsewhere
	part.Services = make([]Service, 0, len(inv.Services))
	for i := range part.everything {
		if elsewhere(part.everything[i].Name) == "" {
			part.Services = append(part.Services, part.everything[i])
		}
	}
	return &part
}

// Everything returns the services of all parts, in the file's order.
func (inv *Inventory) Everything() []Service {
	switch {
	case inv == nil:
		return nil
	case inv.elsewhere == nil:
		return inv.Services
	}
	return inv.everything
}

// Elsewhere returns which other part looks after the service that name means, or would be called so where it means none; empty where this
// one does.
func (inv *Inventory) Elsewhere(name string) string {
	if inv == nil || inv.elsewhere == nil {
		return ""
	}
	return inv.elsewhere(inv.Service(name))
}

// Divided reports whether other parts look after some of the services: what the inventory does not name then belongs to none of them.
func (inv *Inventory) Divided() bool { return inv != nil && inv.elsewhere != nil }

// DependenciesElsewhere is how many of its services' direct dependencies another part looks after: what becomes of those is not known here.
func (inv *Inventory) DependenciesElsewhere() (count int) {
	for i := range inv.Services {
		for _, name := range inv.Services[i].DependsOn {
			if inv.Elsewhere(name) != "" {
				count++
			}
		}
	}
	return count
}
