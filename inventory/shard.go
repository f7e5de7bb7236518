package inventory

import (
	"fmt"
	"slices"

	"github.com/claudeops/claudeops/internal/text"
)

// Part returns the inventory as one shard sees it: Services are the shard's own, and all names and hosts are still known. elsewhere names
// the other shard that is responsible for a service; empty if this one is.
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

// Everything returns the services of all shards, in the file's order.
func (inv *Inventory) Everything() []Service {
	switch {
	case inv == nil:
		return nil
	case inv.elsewhere == nil:
		return inv.Services
	}
	return inv.everything
}

// Elsewhere names the other shard that is responsible for the service that name refers to, or that would have this name; empty if this
// one is.
func (inv *Inventory) Elsewhere(name string) string {
	if inv == nil || inv.elsewhere == nil {
		return ""
	}
	return inv.elsewhere(inv.Service(name))
}

// Foreign returns an error if one of the services belongs to another shard, because results from here say nothing about it there.
// do is the advice in the error.
func (inv *Inventory) Foreign(services []string, do string) error {
	var others []string
	for _, service := range services {
		shard := inv.Elsewhere(service)
		other := service + " is looked after by " + shard
		if shard != "" && !slices.Contains(others, other) {
			others = append(others, other)
		}
	}
	if others == nil {
		return nil
	}
	return fmt.Errorf("not for this shard: %s; %s", text.Few(others, 10), do)
}

// Divided reports whether the services are divided among shards. A service that is not in the inventory then belongs to no shard.
func (inv *Inventory) Divided() bool { return inv != nil && inv.elsewhere != nil }

// DependenciesElsewhere returns how many direct dependencies of the shard's services belong to other shards: their state is not known
// here.
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
