package cli

import (
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
)

// noteService notes which service may be meant by a name that the inventory does not have. It is no refusal: services need not be there.
func (a *app) noteService(inv *inventory.Inventory, name string) {
	if _, known := inv.Lookup(name); known || inv == nil {
		return
	}
	if meant := didYouMean(inv, name); meant != "" {
		a.note(name + " is no service of the inventory" + meant)
	}
}

// didYouMean ends an error about a name with the nearest one of the inventory, which may be nil, and of further names; empty where none is near.
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
