package crontab

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/text"
)

// PolkitPath is where the rule of PolkitRule is put.
const PolkitPath = "/etc/polkit-1/rules.d/50-claudeops.rules"

// maxUnitName is systemd's, in bytes.
const maxUnitName = 255

// PolkitRule returns a polkit rule, in its JavaScript, by which user may do to exactly these services what a restart and an action of the
// services file need. Everything else is left to other rules, which usually refuse it.
//
// "start" is not among the verbs: systemd also requires it for a transient unit, with any command and any user, if no unit has the name.
// A restart starts a stopped service.
func PolkitRule(user string, services []string) (string, error) {
	if err := plainUser(user); err != nil {
		return "", err
	}
	var units []string
	for _, name := range services {
		unit, err := serviceName(name)
		if err != nil {
			return "", err
		}
		units = append(units, unit)
	}
	slices.Sort(units)
	list, err := json.MarshalIndent(slices.Compact(units), "    ", "    ") // JSON is JavaScript, too
	if err != nil {
		return "", err
	}
	name, err := json.Marshal(user)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`// The user of claudeops may restart, stop and reload these services, and no others. To start is not among them:
// who may do that may make a missing one, too, of any command and as root.
polkit.addRule(function (action, subject) {
    var units = %s;
    var verbs = ["stop", "restart", "try-restart", "reload", "reload-or-restart", "reload-or-try-restart", "reset-failed"];
    if (action.id == "org.freedesktop.systemd1.manage-units" && subject.user == %s &&
        units.indexOf(action.lookup("unit")) >= 0 && verbs.indexOf(action.lookup("verb")) >= 0) {
        return polkit.Result.YES;
    }
});
`, list, name), nil
}

// unitBase is what systemd takes in the name of a unit.
var unitBase = regexp.MustCompile(`^[a-zA-Z0-9:_.@\\-]+$`)

// serviceName is the full name of one service, as polkit is asked for it.
func serviceName(name string) (string, error) {
	unit := text.Unit(name)
	base, isService := strings.CutSuffix(unit, ".service")
	switch {
	case !unitBase.MatchString(base) || len(unit) > maxUnitName || !isService:
		return "", fmt.Errorf("%q is no name of a service: write one in full, such as shop.service; patterns are not taken", name)
	case strings.HasSuffix(base, "@"):
		return "", fmt.Errorf("%q is a template, which cannot be restarted: name its instances, such as %s1.service", name, base)
	case base == "claudeops" || strings.HasPrefix(base, "claudeops-"):
		return "", fmt.Errorf("%q is of this program, which no agent restarts", name)
	}
	return unit, nil
}
