package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// doctorChecks is the time limit for all checks of doctor; childChecks adds the start of the program as another user.
const (
	doctorChecks = 30 * time.Second
	childChecks  = doctorChecks + versionTime + 15*time.Second
	maxChecks    = 1 << 20 // bytes of its output
)

// checksCanBeMade makes one check of each kind in the inventory, if possible as the user of the installed job. It names the user, because
// permissions differ.
func (a *app) checksCanBeMade(ctx context.Context, l *loaded) []finding {
	if l.config.Inventory == "" {
		return nil
	}
	who := crontab.CurrentUser()
	runs, place, err := crontab.InstalledUser(ctx)
	as, checks := place+" runs it as "+runs, a.checksAsMyself
	var job finding
	switch {
	case err != nil:
		job = warn("it cannot be read: "+err.Error(), "the checks below are made as "+who)
	case place == "":
		job = ok("none is installed here for this user or the system; the checks below are made as " + who)
	case runs != who && os.Geteuid() != 0:
		job = warn(as+", and the checks below are made as "+who, "`sudo claudeops doctor` makes them as "+runs)
	default:
		job = ok(as + ", as whom the checks below are made")
		if runs == who {
			break
		}
		var found []finding
		if err := a.runAs(ctx, l, runs, &found, "doctor", "--checks-only"); err != nil {
			return []finding{fail(as+", as whom no check can be made: "+err.Error(), "let "+runs+" run this program and read its files").of("job")}
		}
		checks = func(context.Context, *loaded) []finding { return found }
	}
	return append([]finding{job.of("job")}, checks(ctx, l)...)
}

// runAs runs a command of this program as a user, with the variables read here (systemd reads the file for the job), and decodes its
// JSON.
func (a *app) runAs(ctx context.Context, l *loaded, name string, into any, args ...string) error {
	who, err := crontab.AccountOf(name)
	if err != nil {
		return err
	}
	program, err := ownPath()
	if err != nil {
		return err
	}
	cmd := exec.Command(program, append(args, "--json", "--env-file", os.DevNull)...)
	cmd.Env = append(l.environment.Environ(), "HOME="+who.Home, "USER="+who.Name, "LOGNAME="+who.Name)
	if name != crontab.CurrentUser() {
		groups := make([]uint32, len(who.Groups))
		for i, id := range who.Groups {
			groups[i] = uint32(id)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(who.UID), Gid: uint32(who.GID), Groups: groups}}
	}
	r, runErr := child.Run(ctx, cmd, child.Limits{Within: childChecks, Keep: maxChecks})
	if err := json.Unmarshal(r.Stdout, into); err != nil {
		return cmp.Or(runErr, fmt.Errorf("%s %s: %w", program, args[0], err))
	}
	return nil
}

// checksAsMyself makes one check of each kind in the inventory. Only whether the check could be made matters, not the service's status.
func (a *app) checksAsMyself(ctx context.Context, l *loaded) (found []finding) {
	who := crontab.CurrentUser()
	inv, err := readInventory(l.config)
	if err != nil {
		return []finding{fail("cannot be read as "+who+": "+err.Error(), "mend the file, or let "+who+" read it").of("inventory")}
	}
	if inv == nil {
		return nil
	}
	services, kinds := oneOfEach(inv.Services)
	ctx, cancel := context.WithTimeout(ctx, doctorChecks)
	defer cancel()
	for i, r := range probe.Run(ctx, inventory.Checked(services), a.probeSettings(l, inv), probe.Bounds{}, nil) {
		name, as := kinds[i]+" checks", "as "+who+", by that of "+r.Service
		if r.Status == check.Unknown {
			found = append(found, fail("cannot be made "+as+": "+r.Error, "").of(name))
			continue
		}
		found = append(found, ok("can be made "+as).of(name))
	}
	return found
}

// oneOfEach returns the services with only the first check of each kind, and the kinds.
func oneOfEach(services []inventory.Service) (few []inventory.Service, kinds []string) {
	for _, s := range services {
		var checks []probe.Check
		for _, k := range s.Checks {
			if kind := kindOf(k); !slices.Contains(kinds, kind) {
				kinds, checks = append(kinds, kind), append(checks, k)
			}
		}
		if s.Checks = checks; len(checks) > 0 {
			few = append(few, s)
		}
	}
	return few, kinds
}

// kindOf names what a check needs in permissions and programs: its type and the engine, product or plugin that it uses.
func kindOf(k probe.Check) string {
	if needs := k.About().Needs; needs != "" {
		return k.Name + " (" + needs + ")"
	}
	return k.Name
}

// firstAid warns of units that first aid is to restart and that the job's user may not.
func firstAid(ctx context.Context, l *loaded) []finding {
	inv, err := readInventory(l.config)
	job, failed := crontab.FindInstalled(ctx, true)
	if err != nil || failed != nil || inv == nil || l.config.MaxTier < 2 { // others say so
		return nil
	}
	missing := notAllowed(inv.Everything(), job)
	if len(missing) == 0 {
		return nil
	}
	flags := ""
	for _, unit := range missing {
		flags += " --allow-unit " + text.ShellWord(unit)
	}
	return []finding{warn("nothing lets "+cmp.Or(job.User, crontab.DefaultUser)+" restart "+text.Few(missing, 5), "add to `crontab install --target systemd`:"+flags).of("first aid")}
}

// notAllowed returns the units of first aid that a job installed for systemd does not let its user restart.
func notAllowed(services []inventory.Service, job *crontab.Installed) (missing []string) {
	if job == nil || job.Target.Name() != "systemd" || job.User == "root" {
		return nil
	}
	allowed := map[string]bool{}
	for _, flag := range job.Flags {
		if unit, found := strings.CutPrefix(flag, "--allow-unit "); found {
			allowed[text.Unit(strings.Trim(unit, "'"))] = true
		}
	}
	for _, s := range services {
		w := s.Aid()
		if unit := text.Unit(w.Name); w.Kind == inventory.Unit && w.SSH == "" && !allowed[unit] {
			missing = append(missing, unit)
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}
