package cli

import (
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
)

// noteService suggests a service for a name that the inventory does not have. It is not an error: services need not be in the inventory.
func (a *app) noteService(inv *inventory.Inventory, name string) {
	if _, known := inv.Lookup(name); known || inv == nil {
		return
	}
	if meant := didYouMean(inv, name); meant != "" {
		a.note(name + " is no service of the inventory" + meant)
	}
}

// didYouMean completes an error about a name with the nearest one of the inventory, which may be nil, and of names; empty if none is
// near.
func didYouMean(inv *inventory.Inventory, name string, names ...string) string {
	if inv != nil {
		for _, s := range inv.Everything() {
			names = append(append(names, s.Name), s.Aliases...)
		}
	}
	if near := text.Nearest(name, names, nil); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
