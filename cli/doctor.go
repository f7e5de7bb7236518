package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/prompts"
	"github.com/claudeops/claudeops/sandbox"
	"github.com/claudeops/claudeops/statefile"
)

// finding is one line of doctor. A failure keeps cycles from running; a warning does not.
type finding struct {
	Check  string `json:"check"`
	Result string `json:"result"` // ok, warn or fail
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

func ok(detail string) finding { return finding{Result: "ok", Detail: detail} }
func warn(detail, remedy string) finding {
	return finding{Result: "warn", Detail: detail, Remedy: remedy}
}
func fail(detail, remedy string) finding {
	return finding{Result: "fail", Detail: detail, Remedy: remedy}
}

// cells returns the finding as a table row.
func (f finding) cells() []string {
	if f.Remedy != "" {
		f.Detail = strings.TrimRight(f.Detail, ".:;") + ": " + f.Remedy
	}
	return []string{f.Result, f.Check, f.Detail}
}

// of returns the finding with the name of its check.
func (f finding) of(check string) finding {
	f.Check = check
	return f
}

func init() { addCommand((*app).doctorCommand) }

func (a *app) doctorCommand() *cobra.Command {
	var checksOnly, force bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check whether run-once can do its job here: exit 1 if not",
		Long: `doctor checks what a cycle needs: the agent program and its credential, the sandbox, directories, locks, the database, the inventory
and one check of each kind in it, and the targets of messages. It changes nothing.

A line that begins with fail keeps cycles from doing their job, and says what to do about it; warn does not.

Exit codes: 0; 1 where a line says fail; 2 where the configuration is wrong.`,
		RunE: a.configured(func(ctx context.Context, l *loaded, _ []string) error {
			var found []finding
			if checksOnly {
				found = a.checksAsMyself(ctx, l)
			} else {
				found = a.examine(ctx, l, force)
			}
			err := show(a, found, "", []string{"", "CHECK", "FOUND"}, finding.cells)
			return cmp.Or(err, failUnless(!slices.ContainsFunc(found, func(f finding) bool { return f.Result == "fail" })))
		}),
	}
	c.Flags().BoolVar(&force, "force", false, "a schedule that starts a model as Tier 1 more often than every 15 minutes is a warning")
	c.Flags().BoolVar(&checksOnly, "checks-only", false, "make checks of the inventory alone, as doctor has them made as the job's user")
	must(c.Flags().MarkHidden("checks-only"))
	return c
}

func (a *app) examine(ctx context.Context, l *loaded, force bool) []finding {
	c, env := l.config, l.environment
	found := []finding{
		observes(c, env.Credential()).of("tier 1"),
		sandboxed(ctx, c).of("sandbox"),
		agentProgram(ctx, c).of("agent program"),
		credential(c, env.Credential()).of("credential"),
		promptSet(c).of("prompts"),
		policyFiles(c).of("policy"),
		directory("CLAUDEOPS_STATE_DIR", c.StateDir).of("state directory"),
		directory("CLAUDEOPS_RESULTS_DIR", c.ResultsDir).of("results directory"),
		localDisk(c.StateDir).of("file system"),
		a.cycleLock(c).of("cycle lock"),
		deliveryLock(c.StateDir).of("delivery lock"),
		database(ctx, c.StateDir).of("database"),
		cooldowns(c.StateDir).of(statefile.FileName),
		a.schedule(l, force).of("schedule"),
	}
	found = append(found, brokered(c, env.Environ())...)
	found = append(found, a.checksCanBeMade(ctx, l)...)
	found = append(found, firstAid(ctx, l)...)
	found = append(found, a.targets(l)...)
	found = append(found, a.outbox(ctx, c).of("outbox"))
	found = append(found, watchers(c)...)
	return append(found, served(c).of("dashboard"), usableCredentials(c, env).of("granted programs"))
}

// schedule checks the schedule, which must not start a model too often; with force that is a warning.
func (a *app) schedule(l *loaded, force bool) finding {
	found := fmt.Sprintf("%s (time zone %s)", l.config.Schedule, zone(a.Now()))
	why := a.tooOften(l, l.config.Schedule)
	switch {
	case why == "":
		return ok(found)
	case force:
		return warn(found+": "+why, crontab.WatchEachMinute)
	}
	return fail(found+": "+why, crontab.WatchEachMinute)
}

// policyFiles checks the operator's additions to the policy, and the services file.
func policyFiles(c config.Config) finding {
	_, policyErr := tableOf(c.Policy)
	_, inventoryErr := readInventory(c)
	if err := cmp.Or(policyErr, inventoryErr); err != nil {
		return fail(err.Error(), "mend the file: until then no cycle starts")
	}
	detail := "built-in policy"
	if c.Policy != "" {
		detail += ", additions from " + c.Policy
	}
	if c.Inventory == "" {
		return ok(detail + "; without an inventory agents restart no units, only containers")
	}
	return ok(detail + "; inventory " + c.Inventory)
}

// observes reports what Tier 1 will be.
func observes(c config.Config, credential config.Credential) finding {
	inv, err := readInventory(c)
	if err != nil {
		return fail(err.Error(), "mend the file; `claudeops probe validate` says what is wrong with it")
	}
	watch, err := observe(c, credential, inv)
	switch {
	case err != nil && c.Tier1Agent == config.Probe:
		return fail("CLAUDEOPS_TIER1_AGENT=probe, and CLAUDEOPS_INVENTORY names no services file", "`claudeops probe discover` writes one")
	case err != nil:
		return fail("nothing can observe", "mend what fails below, or do without a model: give the services of CLAUDEOPS_INVENTORY checks (`claudeops probe discover` writes a beginning)")
	}
	found := "a model, claude; without an inventory it looks for the services itself"
	switch {
	case watch.is == config.Probe:
		found = "the checks of " + servicesOf(c, inv)
	case inv != nil:
		found = "a model, claude, after the checks of " + servicesOf(c, inv)
	}
	if watch.noModel != "" && !withoutModels(c) {
		return warn(found, "no model looks further where one fails: "+watch.noModel)
	}
	return ok(found)
}

// sandboxed reports whether agents' commands can be confined here.
func sandboxed(ctx context.Context, c config.Config) finding {
	const remedy = "until then no agent is started"
	shim, err := sandbox.FindShim()
	if err != nil {
		return missing(c, err.Error(), remedy)
	}
	err = sandbox.Check(ctx, shim)
	switch {
	case err == nil:
		return ok("the kernel confines the commands of agents")
	case withoutModels(c):
		return ok("not needed: " + noModels)
	case errors.Is(err, sandbox.ErrMissing):
		return warn("agents have no `bash`, but `look` and `read`, and what they have run is not confined", err.Error())
	}
	return fail(err.Error(), remedy)
}

// brokered warns if the programs that agents call cannot reach the engine or the cluster that checks and first aid reach.
func brokered(c config.Config, environ []string) []finding {
	if withoutModels(c) {
		return nil
	}
	var missing []string
	for _, variable := range []string{"DOCKER_HOST", "KUBECONFIG"} {
		if config.Lookup(environ, variable) != "" && !slices.Contains(c.AgentEnv, variable) {
			missing = append(missing, variable)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return []finding{warn(strings.Join(missing, ", ")+" is for checks and first aid alone",
		"for what agents call, set CLAUDEOPS_AGENT_ENV="+strings.Join(slices.Concat(c.AgentEnv, missing), ",")).of("brokered programs")}
}

// servicesOf counts the services of an inventory, and names the shard.
func servicesOf(c config.Config, inv *inventory.Inventory) string {
	if c.Shard.Count == 0 {
		return text.Count(len(inv.Services), "service")
	}
	words := fmt.Sprintf("%d of %d services, which are shard %s", len(inv.Services), len(inv.Everything()), c.Shard)
	if n := inv.DependenciesElsewhere(); n > 0 {
		lead := " lead to other shards and hold"
		if n == 1 {
			lead = " leads to another shard and holds"
		}
		words += "; " + text.Count(n, "dependency") + lead + " nothing back here"
	}
	return words
}

// versionTime is the time limit for the agent program to print its version.
const versionTime = 20 * time.Second

func agentProgram(ctx context.Context, c config.Config) finding {
	path, err := exec.LookPath(c.ClaudeBin)
	if err != nil {
		return missing(c, err.Error(), installAgent)
	}
	version, err := child.Run(ctx, exec.Command(path, "--version"), child.Limits{Within: versionTime})
	if err != nil {
		return fail(err.Error(), "is CLAUDEOPS_CLAUDE_BIN the claude program?")
	}
	return ok(path + ", " + text.FirstLine(string(version.Stdout)))
}

// withoutModels reports whether the configuration never starts a model.
func withoutModels(c config.Config) bool { return c.Tier1Agent == config.Probe && c.MaxTier == 1 }

const noModels = "CLAUDEOPS_TIER1_AGENT=probe and CLAUDEOPS_MAX_TIER=1 start no model"

// missing reports something that models need; it is a failure only if nothing else observes.
func missing(c config.Config, detail, remedy string) finding {
	if withoutModels(c) {
		return ok("not needed: " + noModels)
	}
	if inv, err := readInventory(c); err == nil && inv.HasChecks() && c.Tier1Agent != config.Claude {
		return warn(detail, remedy)
	}
	return fail(detail, remedy)
}

func credential(c config.Config, found config.Credential) finding {
	switch found.Kind {
	case config.None:
		if c.Tier1Agent == config.Claude {
			return warn("none found", giveCredential)
		}
		return missing(c, "none found", giveCredential)
	case config.OAuthToken:
		return ok("CLAUDE_CODE_OAUTH_TOKEN, which the agent program has in its environment, and the sandbox has not")
	case config.Login:
		return ok("stored login in " + found.ConfigDir)
	}
	return ok(string(found.Kind))
}

func promptSet(c config.Config) finding {
	if _, err := prompts.Open(c.PromptsDir); err != nil {
		return fail(err.Error(), "mend the file or unset CLAUDEOPS_PROMPTS_DIR")
	}
	if c.PromptsDir == "" {
		return ok("embedded")
	}
	return ok("overridden from " + c.PromptsDir)
}

// usableCredentials reports which of the operator's credentials the programs outside of the sandbox use. Programs in the sandbox have
// none.
func usableCredentials(c config.Config, env *config.Environment) finding {
	if withoutModels(c) {
		return ok("not needed: " + noModels)
	}
	var found []string
	for _, path := range []string{".ssh", ".kube/config", ".docker/config.json", ".aws", ".config/gcloud", ".netrc", ".pgpass", ".my.cnf"} {
		if home := env.Get("HOME"); home != "" && unix.Access(filepath.Join(home, path), unix.R_OK) == nil {
			found = append(found, "~/"+path)
		}
	}
	if unix.Access("/var/run/docker.sock", unix.W_OK) == nil {
		found = append(found, "/var/run/docker.sock (root's rights)")
	}
	found = append(found, c.AgentEnv...)
	for _, proxy := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		for _, proxy := range []string{proxy, strings.ToLower(proxy)} {
			if u, err := url.Parse(env.Get(proxy)); err == nil && u.User != nil {
				found = append(found, proxy)
			}
		}
	}
	if os.Geteuid() == 0 {
		found = append(found, "root's rights, because claudeops runs as root")
	}
	if len(found) == 0 {
		return ok("use none of the operator's usual credentials")
	}
	return warn("use "+strings.Join(found, ", "), "run claudeops as a user of its own that holds only what they need; the sandbox has none of it")
}
