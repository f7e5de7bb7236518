package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Targets of crontab: what may decide when a cycle runs.
const (
	cronTarget       = "cron"
	systemdTarget    = "systemd"
	kubernetesTarget = "kubernetes"

	userScope   = "user"
	systemScope = "system"
)

func (a *app) crontabCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "crontab",
		Short: "Have cron, systemd or Kubernetes run a cycle again and again",
		Long: `crontab turns CLAUDEOPS_SCHEDULE into what something else runs by: a crontab line for cron, a service with a timer for
systemd, a CronJob for Kubernetes. "print" shows it, "install" puts it in place on this machine, "remove" takes it away again.

An expression means the same on every target, with two exceptions, of which a warning tells where they matter: the days on which clocks
change, and Kubernetes, where an expression without CRON_TZ= is in UTC. What a target cannot express is refused, with the reason. Where
none of the three is there, "` + a.program + ` cron" runs the cycles itself.`,
	}
	c.AddCommand(a.crontabPrintCommand(), a.crontabInstallCommand(), a.crontabRemoveCommand())
	return c
}

// crontabFlags are the flags of the crontab commands.
type crontabFlags struct {
	target, scope *choice
	user          string
	dryRun, reset bool

	program   string
	schedules []string

	jitter      span
	credentials []string
	allowUnits  []string

	shards             count
	name, namespace    string
	image              string
	storageClass, size string
}

// ofTarget says which flags are for which targets only.
func ofTarget(flag string) []string {
	switch flag {
	case "scope", "user", "program":
		return []string{cronTarget, systemdTarget}
	case "jitter", "credential", "allow-unit":
		return []string{systemdTarget}
	case "shards", "name", "namespace", "image", "storage-class", "storage-size":
		return []string{kubernetesTarget}
	}
	return nil
}

// placeFlags say where a job is.
func (f *crontabFlags) placeFlags(c *cobra.Command) {
	f.target, f.scope = words(cronTarget, systemdTarget, kubernetesTarget), words(userScope, systemScope)
	c.Flags().Var(f.target, "target", "what runs the cycles, by `NAME`: cron, systemd or kubernetes")
	must(c.MarkFlagRequired("target"))
	c.Flags().Var(f.scope, "scope", "whose it is, a `WORD`: user, a user's own (the default for cron), or system, the machine's (the default for systemd)")
	c.Flags().StringVar(&f.user, "user", "", "with --scope system, run it as the user of this `NAME`, claudeops by default; with --target cron --scope user, change this user's crontab")
	args := c.Args
	c.Args = func(c *cobra.Command, given []string) error {
		return cmp.Or(args(c, given), f.check(c))
	}
}

// jobFlags say what the job is.
func (f *crontabFlags) jobFlags(c *cobra.Command) {
	c.Flags().StringVar(&f.program, "program", "", "the claudeops to run, an absolute `PATH`; this one by default")
	c.Flags().StringArrayVar(&f.schedules, "schedule", nil, "run it by this cron `EXPRESSION` instead of CLAUDEOPS_SCHEDULE; may be repeated")
	c.Flags().Var(&f.jitter, "jitter", "systemd: start up to so much `TIME` later, at random")
	c.Flags().StringArrayVar(&f.credentials, "credential", nil, "systemd: give a secret as `VARIABLE=FILE`, which root alone needs to read; may be repeated")
	c.Flags().StringArrayVar(&f.allowUnits, "allow-unit", nil, "systemd: let the agent restart this unit, by `NAME`, and no other; may be repeated")
}

// clusterFlags are those of print alone.
func (f *crontabFlags) clusterFlags(c *cobra.Command) {
	c.Flags().Var(&f.shards, "shards", "kubernetes: divide the inventory among so many CronJobs, a `NUMBER`")
	c.Flags().StringVar(&f.name, "name", "", "kubernetes: the `NAME` of the objects")
	c.Flags().StringVar(&f.namespace, "namespace", "", "kubernetes: the `NAME` of their namespace; kubectl's own by default")
	c.Flags().StringVar(&f.image, "image", "", "kubernetes: the container `IMAGE`")
	c.Flags().StringVar(&f.storageClass, "storage-class", "", "kubernetes: the `NAME` of the volumes' storage class; the cluster's own by default")
	c.Flags().StringVar(&f.size, "storage-size", "", "kubernetes: the `SIZE` of each volume, such as 2Gi")
}

// changeFlags are those of install and remove.
func (f *crontabFlags) changeFlags(c *cobra.Command) {
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would change, and change nothing")
}

// check refuses flags that say nothing together.
func (f *crontabFlags) check(c *cobra.Command) (err error) {
	if f.target.word == "" {
		return nil // the missing flag is told by its name
	}
	c.Flags().Visit(func(flag *pflag.Flag) {
		if targets := ofTarget(flag.Name); targets != nil && !slices.Contains(targets, f.target.word) {
			err = cmp.Or(err, fmt.Errorf("--%s is for --target %s", flag.Name, strings.Join(targets, " or ")))
		}
	})
	switch {
	case err != nil:
		return err
	case f.target.word == kubernetesTarget && c.Name() == "install":
		return errors.New("claudeops changes no cluster: `claudeops crontab print --target kubernetes | kubectl apply --server-side -f -` installs it")
	case f.target.word == kubernetesTarget && c.Name() == "remove":
		return errors.New("claudeops changes no cluster: `claudeops crontab print --target kubernetes | kubectl delete -f -` removes it, and the volumes with all records")
	case c.Flags().Changed("user") && f.user == "":
		return errors.New("--user names nobody")
	case f.target.word == systemdTarget && !f.system() && f.user != "":
		return errors.New("--user: the units of --scope user run as the user whose they are")
	}
	return nil
}

// system reports whether the scope is the machine's.
func (f *crontabFlags) system() bool {
	if f.scope.word == "" {
		return f.target.word == systemdTarget
	}
	return f.scope.word == systemScope
}

// line is a crontab command that means the same place.
func (f *crontabFlags) line(command string) string {
	line := "claudeops crontab " + command + " --target " + f.target.word
	if f.scope.word != "" {
		line += " --scope " + f.scope.word
	}
	if f.user != "" && f.target.word == cronTarget && !f.system() {
		line += " --user " + shellWord(f.user)
	}
	return line
}

// notAgents refuses agents: when they run is not theirs to say.
func (f *crontabFlags) notAgents() error {
	if os.Getenv("CLAUDEOPS_RUN_TOKEN") != "" {
		return errors.New("crontab is for operators: when claudeops runs, and as whom, is not an agent's to say")
	}
	return nil
}
