package text

import (
	"path"
	"slices"
)

// Unit returns the full name of a unit of systemd: a service, unless it has the suffix of another kind. It is what systemctl makes of a name.
func Unit(name string) string {
	kinds := []string{".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer", ".slice", ".scope"}
	if slices.Contains(kinds, path.Ext(name)) {
		return name
	}
	return name + ".service"
}
