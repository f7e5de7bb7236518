package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// doctorChecks is how long the checks of doctor may take together; as another user, childChecks with the start of the program.
const (
	doctorChecks = 30 * time.Second
	childChecks  = doctorChecks + 15*time.Second
)

// checksCanBeMade makes one check of each kind that the inventory uses, as the user that the installed job runs as where it can, and says as
// whom: another one may be permitted more or less.
func (a *app) checksCanBeMade(ctx context.Context, l *loaded) []finding {
	const name = "job"
	if l.config.Inventory == "" {
		return nil
	}
	who := userName()
	runs, place, err := installedUser(ctx)
	switch {
	case err != nil:
		return append([]finding{warn(name, "it cannot be read: "+err.Error(), "the checks below are made as "+who)}, a.checksAsMyself(ctx, l)...)
	case place == "":
		return append([]finding{ok(name, "none is installed here for this user or the system; the checks below are made as "+who)}, a.checksAsMyself(ctx, l)...)
	case runs == who:
		return append([]finding{ok(name, place+" runs it as "+runs+", as whom the checks below are made")}, a.checksAsMyself(ctx, l)...)
	case os.Geteuid() != 0:
		return append([]finding{warn(name, place+" runs it as "+runs+", and the checks below are made as "+who, "`sudo claudeops doctor` makes them as "+runs)}, a.checksAsMyself(ctx, l)...)
	}
	found, err := a.checksAs(ctx, l, runs)
	if err != nil {
		return []finding{fail(name, place+" runs it as "+runs+", as whom no check can be made: "+err.Error(), "let "+runs+" run this program and read its files")}
	}
	return append([]finding{ok(name, place+" runs it as "+runs+", as whom the checks below are made")}, found...)
}

// installedUser is whom the job runs as that crontab install has put in place, the system's or our own, and where that stands; all empty
// where there is none.
func installedUser(ctx context.Context) (name, place string, err error) {
	service := filepath.Join("/etc/systemd/system", crontab.ServiceUnit)
	for _, p := range []crontab.Place{crontab.OwnFile(crontab.File{Path: service}), crontab.CronFile(crontab.File{Path: cronFile})} {
		e, err := crontab.Take(ctx, p, crontab.Hash)
		if err != nil {
			return "", "", err
		}
		if e.Ours {
			return recordedUser(e.Inside(crontab.Hash)), p.Name(), nil
		}
	}
	if dir, err := os.UserConfigDir(); err == nil {
		unit := filepath.Join(dir, "systemd", "user", crontab.ServiceUnit)
		if _, err := os.Stat(unit); err == nil {
			return userName(), unit, nil
		}
	}
	if own, err := crontab.UserCrontab("", userName()); err == nil { // without cron there is no job of cron's
		if e, err := crontab.Take(ctx, own, crontab.Hash); err == nil && e.Ours { // who may have no crontab has no job in one
			return userName(), own.Name(), nil
		}
	}
	return "", "", nil
}

// recordedUser is the user of a job of the system's, by the block that install wrote.
func recordedUser(block string) string {
	for line := range strings.Lines(block) {
		if name, found := strings.CutPrefix(strings.TrimSpace(line), recordPrefix+"--user "); found {
			return name
		}
	}
	return crontab.DefaultUser
}

// checksAs has the checks made by this program as another user, with the variables that were read here: systemd reads the file for the job.
func (a *app) checksAs(ctx context.Context, l *loaded, name string) (found []finding, err error) {
	who, err := accountOf(crontab.Job{}, name)
	if err != nil {
		return nil, err
	}
	program, err := ownPath()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, childChecks)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "doctor", "--checks-only", "--json", "--env-file", os.DevNull)
	cmd.Env = append(l.environment.Environ(), "HOME="+who.home, "USER="+who.name, "LOGNAME="+who.name)
	groups := make([]uint32, len(who.groups))
	for i, id := range who.groups {
		groups[i] = uint32(id)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setpgid:    true,
		Credential: &syscall.Credential{Uid: uint32(who.uid), Gid: uint32(who.gid), Groups: groups},
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	run := cmd.Run()
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		return nil, fmt.Errorf("%s doctor: %w: %s", program, cmp.Or(run, err), strings.TrimSpace(said.String()))
	}
	return found, nil
}

// checksAsMyself makes one check of each kind that the inventory uses. How the service is found does not matter, only that the check could be
// made.
func (a *app) checksAsMyself(ctx context.Context, l *loaded) (found []finding) {
	who := userName()
	inv, err := readInventory(l.config)
	if err != nil {
		return []finding{fail("inventory", "cannot be read as "+who+": "+err.Error(), "mend the file, or let "+who+" read it")}
	}
	if inv == nil {
		return nil
	}
	services := oneOfEach(inv.Services)
	var kinds []string
	for _, s := range services {
		for _, k := range s.Checks {
			kinds = append(kinds, kindOf(k))
		}
	}
	ctx, cancel := context.WithTimeout(ctx, doctorChecks)
	defer cancel()
	for i, r := range probe.Run(ctx, inventory.Checked(services), a.probeSettings(l, inv), probe.Bounds{}, nil).Results {
		name, as := kinds[i]+" checks", "as "+who+", by that of "+r.Service
		if r.Status == check.Unknown {
			found = append(found, fail(name, "cannot be made "+as+": "+r.Error, ""))
			continue
		}
		found = append(found, ok(name, "can be made "+as))
	}
	return found
}

// oneOfEach are the services cut down to the first check of each kind.
func oneOfEach(services []inventory.Service) (few []inventory.Service) {
	seen := map[string]bool{}
	for _, s := range services {
		s.Checks = slices.DeleteFunc(slices.Clone(s.Checks), func(k probe.Check) bool {
			kind := kindOf(k)
			was := seen[kind]
			seen[kind] = true
			return was
		})
		if len(s.Checks) > 0 {
			few = append(few, s)
		}
	}
	return few
}

// kindOf names what a check needs of permissions and programs: its type, with the engine, the product or the plugin by which it is made.
func kindOf(k probe.Check) string {
	if needs := k.About().Needs; needs != "" {
		return string(k.Type) + " (" + needs + ")"
	}
	return string(k.Type)
}
