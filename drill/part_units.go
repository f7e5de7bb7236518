package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
)

// units is the part with a transient unit of systemd (unit).
const units = "units"

func init() {
	registerPart(Part{Name: units, Outside: removeUnit, Start: startUnits, Services: watchedUnits, Identities: identifyUnit,
		Reset: func(ctx context.Context, lab *Lab) error { return lab.systemctl(ctx, "restart", lab.unit()) }})
}

func (lab *Lab) unit() string { return outsideName(lab.Dir) + ".service" }

func removeUnit(base string) [][]string {
	return [][]string{{"systemctl", "stop", base + ".service"}, {"systemctl", "reset-failed", base + ".service"}}
}

func startUnits(ctx context.Context, lab *Lab) error {
	if _, err := os.Stat("/run/systemd/system"); err != nil {
		return missing("systemd does not run on this machine")
	}
	if os.Getuid() != 0 {
		return missing("only root may start units of systemd")
	}
	path := config.Lookup(lab.environ, "PATH")
	run, found := child.Find("systemd-run", path)
	_, also := child.Find("systemctl", path)
	if !found || !also {
		return missing("there is no systemd-run or systemctl")
	}
	if err := lab.leavesOutside(units); err != nil {
		return err
	}
	p := lab.own("names", lab.Address("unit"), lab.Path("unit.zone"))
	if err := writeZone(lab.Path("unit.zone"), zoneAddress); err != nil {
		return err
	}
	cmd := exec.Command(run, append([]string{"--quiet", "--unit", lab.unit(), "--description", "Part of the drill of claudeops", "--"}, p.Argv...)...)
	cmd.Env = lab.outsideEnviron()
	if _, err := child.Run(ctx, cmd, child.Limits{}); err != nil {
		return err
	}
	return await(ctx, lab.unitIs("active"))
}

func (lab *Lab) systemctl(ctx context.Context, args ...string) error {
	_, err := lab.systemctlSays(ctx, args...)
	return err
}

func (lab *Lab) systemctlSays(ctx context.Context, args ...string) (string, error) {
	systemctl, _ := child.Find("systemctl", config.Lookup(lab.environ, "PATH"))
	cmd := exec.Command(systemctl, args...)
	cmd.Env = lab.outsideEnviron()
	r, err := child.Run(ctx, cmd, child.Limits{})
	return strings.TrimSpace(string(r.Stdout)), err
}

// unitIs returns whether the unit is in a state, and how it is.
func (lab *Lab) unitIs(state string) func(context.Context) (bool, string, error) {
	return func(ctx context.Context) (bool, string, error) {
		seen, err := lab.systemctlSays(ctx, "show", "--property=ActiveState", "--value", lab.unit())
		return seen == state, "unit " + lab.unit() + " is " + seen + ", not " + state, err
	}
}

func identifyUnit(ctx context.Context, lab *Lab) (map[string]string, error) {
	seen, err := lab.systemctlSays(ctx, "show", "--property=InvocationID", "--value", lab.unit())
	return map[string]string{"unit": seen}, err
}

func watchedUnits(lab *Lab) []Service {
	return []Service{{Name: "unit", Restart: fmt.Sprintf("{unit: %s}", lab.unit()),
		Checks: []string{fmt.Sprintf("{type: service, unit: %s, attempts: 1}", lab.unit())}}}
}
