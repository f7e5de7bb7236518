package cycle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/store"
)

func TestWhatAPersonMustPermit(t *testing.T) {
	inv, faults := inventory.Parse([]byte("services:\n  - {name: shop}\n  - {name: open, approval: none}\n  - {name: strict, approval: remediation}\n"))
	if faults != nil {
		t.Fatal(faults)
	}
	does := func(action guard.Action, service string) guard.Verdict {
		return guard.Verdict{Allow: true, Acts: []guard.Act{{Action: action, Services: []string{service}}}}
	}
	for name, test := range map[string]struct {
		general config.Approval
		tier    int
		v       guard.Verdict
		want    bool
	}{
		"nothing by default":              {config.ApproveNone, 3, does(guard.Redeploy, "shop"), false},
		"an observation never":            {config.ApproveRemediation, 3, does(guard.Observe, "shop"), false},
		"a change never":                  {config.ApproveRemediation, 3, does(guard.Change, "shop"), false},
		"a restart of Tier 2":             {config.ApproveRemediation, 2, does(guard.Restart, "shop"), true},
		"a restart of Tier 2, not tier3":  {config.ApproveTier3, 2, does(guard.Restart, "shop"), false},
		"a restart of Tier 3":             {config.ApproveTier3, 3, does(guard.Restart, "shop"), true},
		"a redeployment of Tier 3":        {config.ApproveTier3, 3, does(guard.Redeploy, "shop"), true},
		"a service that needs none":       {config.ApproveRemediation, 3, does(guard.Restart, "open"), false},
		"a service that alone needs it":   {config.ApproveNone, 2, does(guard.Restart, "strict"), true},
		"a service that nobody described": {config.ApproveRemediation, 2, does(guard.Restart, "other"), true},
		"what the policy asks about":      {config.ApproveNone, 2, guard.Verdict{Ask: true}, true},
	} {
		if got := needsApproval(test.general, inv, test.tier, test.v); got != test.want {
			t.Errorf("%s: needs approval: %t, want %t", name, got, test.want)
		}
	}
}

func TestWhatCannotBeProposed(t *testing.T) {
	act := func(services ...string) []guard.Act { return []guard.Act{{Action: guard.Restart, Services: services}} }
	for name, test := range map[string]struct {
		v    guard.Verdict
		fits bool
	}{
		"one restart":       {guard.Verdict{Acts: act("shop")}, true},
		"the same twice":    {guard.Verdict{Acts: act("shop", "shop")}, true},
		"two services":      {guard.Verdict{Acts: act("shop", "db")}, false},
		"text on its input": {guard.Verdict{Acts: act("shop"), Stdin: guard.StdinText}, false},
		"data on its input": {guard.Verdict{Ask: true, Stdin: guard.StdinData}, false},
		"a relative undo":   {guard.Verdict{Acts: act("shop"), Relative: true}, false},
		"asked about alone": {guard.Verdict{Ask: true}, true},
	} {
		if why := unproposable(test.v); (why == "") != test.fits {
			t.Errorf("%s: %q", name, why)
		}
	}
}

func TestWhatOutdatesAProposal(t *testing.T) {
	id := int64(7)
	p := store.Proposal{Service: "shop", IncidentID: &id, Fingerprint: "a"}
	for want, i := range map[string]store.Incident{
		"":                                    {ID: 7, Fingerprint: "a"},
		"shop has recovered":                  {},
		"what is wrong with shop has changed": {ID: 7, Fingerprint: "b"},
	} {
		if got := outdated(p, i); got != want {
			t.Errorf("incident %+v: %q, want %q", i, got, want)
		}
	}
	if got := outdated(store.Proposal{Service: "shop"}, store.Incident{ID: 8}); got != "" {
		t.Errorf("a proposal without an incident: %q", got)
	}
}

func TestWhetherAnApprovedProposalMayRun(t *testing.T) {
	id := int64(7)
	p := store.Proposal{Service: "shop", Tier: 3, IncidentID: &id}
	for want, c := range map[string]Cycle{
		"":                      {findings: findings{found: []evaluation{{service: "shop", status: check.Down}, {service: "db", status: check.Healthy}}}},
		"shop is healthy again": {findings: findings{found: []evaluation{{service: "shop", status: check.Healthy}}}},
	} {
		c.Config.MaxTier = 3
		if got := c.mayRun(p, false); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := c.mayRun(p, true); got != "shop is healthy again" {
			t.Errorf("after another proposal has helped: %q", got)
		}
		c.Config.MaxTier = 2
		if c.mayRun(p, false) == "" {
			t.Error("it may run above CLAUDEOPS_MAX_TIER")
		}
		c.Config.MaxTier, c.Config.DryRun = 3, true
		if c.mayRun(p, false) == "" {
			t.Error("it may run in a dry run")
		}
	}
}

func TestWhatIsGoneWithASession(t *testing.T) {
	real := t.TempDir()
	folder := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, folder); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		dir  string
		argv []string
		want string
	}{
		{"/repos", []string{"docker", "restart", "shop"}, ""},
		{real, []string{"docker", "restart", "shop"}, real},
		{"/repos", []string{"docker", "compose", "-f", real + "/tmp/c.yaml", "up", "-d"}, real + "/tmp/c.yaml"},
		{"/repos", []string{"docker", "compose", "--file=" + real + "/tmp/../c.yaml", "up", "-d"}, real + "/tmp/../c.yaml"},
		{filepath.Dir(real), []string{"docker", "compose", "-f", filepath.Base(real) + "/c.yaml", "up", "-d"}, real + "/c.yaml"},
		{real + "-other", []string{"docker", "restart", "shop"}, ""},
	} {
		if got := goneWithSession(folder, guard.Call{Dir: test.dir, Argv: test.argv}); got != test.want {
			t.Errorf("%s in %s: %q, want %q", test.argv, test.dir, got, test.want)
		}
	}
}

// A link that leads elsewhere than it did is a difference, even if the file there is the same.
func TestAFileIsBoundWhereItLies(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	link := filepath.Join(dir, "cur")
	var bound []string
	for _, release := range []string{"rel1", "rel2"} {
		must(t, os.Mkdir(filepath.Join(dir, release), 0o700))
		must(t, os.WriteFile(filepath.Join(dir, release, "compose.yaml"), nil, 0o600))
		_ = os.Remove(link) // the first time there is none
		must(t, os.Symlink(release, link))
		bound = append(bound, placed(filepath.Join(link, "compose.yaml"), "sha256:1"))
	}
	if bound[0] == bound[1] {
		t.Errorf("both are %s", bound[0])
	}
	if got := placed(filepath.Join(dir, "rel1", "compose.yaml"), "sha256:1"); got != "sha256:1" {
		t.Errorf("without a link: %s", got)
	}
}

// A call of kubectl or helm depends on what says which cluster that is, however the program is named.
func TestTheKubeconfigIsBound(t *testing.T) {
	home := t.TempDir()
	must(t, os.Mkdir(filepath.Join(home, ".kube"), 0o700))
	own, other, named := filepath.Join(home, ".kube", "config"), filepath.Join(home, "other"), filepath.Join(home, "named")
	for name, test := range map[string]struct {
		environ, argv []string
		file          string
	}{
		"the user's":              {nil, []string{"kubectl", "rollout", "restart", "deployment/shop"}, own},
		"of KUBECONFIG":           {[]string{"KUBECONFIG=" + own + ":" + other}, []string{"kubectl", "rollout", "restart", "deployment/shop"}, other},
		"by the program's path":   {nil, []string{"/usr/bin/kubectl", "rollout", "restart", "deployment/shop"}, own},
		"behind sudo":             {nil, []string{"sudo", "/usr/local/bin/helm", "rollback", "shop", "1"}, own},
		"of helm":                 {nil, []string{"helm", "rollback", "shop", "1"}, own},
		"named by an option":      {nil, []string{"kubectl", "--kubeconfig=" + named, "rollout", "restart", "deployment/shop"}, named},
		"named by another option": {nil, []string{"kubectl", "--kubeconfig", "named", "rollout", "restart", "deployment/shop"}, named},
	} {
		t.Run(name, func(t *testing.T) {
			bound := func() map[string]string {
				is, err := bindFiles(t.Context(), looker{environ: append(test.environ, "HOME="+home)}, "/usr/bin/true", guard.Call{Argv: test.argv, Dir: home}, guard.Project{})
				must(t, err)
				return is
			}
			for _, path := range []string{own, other, named} {
				must(t, os.WriteFile(path, []byte("cluster: one"), 0o600))
			}
			was := bound()
			if got := difference(was, bound()); got != "" {
				t.Errorf("unchanged: %s", got)
			}
			must(t, os.WriteFile(test.file, []byte("cluster: two"), 0o600))
			if got, want := difference(was, bound()), "file "+test.file+" has changed"; got != want {
				t.Errorf("another cluster: %q, want %q", got, want)
			}
			must(t, os.Remove(test.file))
			if got, want := difference(was, bound()), "file "+test.file+" is gone"; got != want {
				t.Errorf("removed: %q, want %q", got, want)
			}
		})
	}
}

// clusterCall judges a call in a folder of the repositories, and returns what it binds.
func clusterCall(t *testing.T, dir, command string) map[string]string {
	t.Helper()
	call := guard.Call{Argv: strings.Fields(command), Dir: dir}
	v := guard.JudgeArgv(guard.World{
		Tier: 3, ReposDir: dir, StateDir: filepath.Join(dir, "state"), Policy: policy.Embedded(),
		Inventory: func() (*inventory.Inventory, error) { return nil, nil },
	}, call)
	if !v.Allow {
		t.Fatalf("%s is refused: %s", command, v.Reason)
	}
	bound, err := bindFiles(t.Context(), looker{}, "/usr/bin/true", call, v.Project)
	must(t, err)
	return bound
}

// However a call names a chart, manifests or values, another text in them is a difference.
func TestWhatACallOfTheClusterNamesIsBound(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, folder := range []string{"chart/templates", "deploy/base", "shop", "deployment/shop"} {
		must(t, os.MkdirAll(filepath.Join(dir, folder), 0o700))
	}
	write := func(name, text string) { must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)) }
	must(t, os.Symlink("deploy/base", filepath.Join(dir, "cur")))
	for command, file := range map[string]string{
		"helm upgrade shop chart":                          "chart/templates/a.yaml",
		"helm upgrade shop ./chart":                        "chart/templates/a.yaml",
		"helm upgrade -n prod shop chart --wait":           "chart/templates/a.yaml",
		"sudo helm upgrade shop chart":                     "chart/templates/a.yaml",
		"helm upgrade shop .":                              "chart/templates/a.yaml",
		"helm upgrade shop chart -fvalues.yaml":            "values.yaml",
		"helm upgrade shop chart -f values.yaml":           "values.yaml",
		"helm upgrade shop chart --values=values.yaml":     "values.yaml",
		"kubectl apply -Rf deploy":                         "deploy/base/a.yaml",
		"kubectl apply -Rfdeploy":                          "deploy/base/a.yaml",
		"kubectl apply -fdeploy -R":                        "deploy/base/a.yaml",
		"kubectl apply -f./deploy -R":                      "deploy/base/a.yaml",
		"kubectl apply -f=deploy -R":                       "deploy/base/a.yaml",
		"kubectl apply --filename deploy -R":               "deploy/base/a.yaml",
		"kubectl apply --filename=deploy -R":               "deploy/base/a.yaml",
		"kubectl apply -f values.yaml -f deploy -R":        "deploy/base/a.yaml",
		"kubectl apply -fdeploy/base/a.yaml":               "deploy/base/a.yaml",
		"kubectl apply -f cur/../x.yaml":                   "deploy/x.yaml",
		"kubectl rollout restart deployment/shop":          "",
		"kubectl --kubeconfig=kube rollout restart sts/db": "kube",
	} {
		for _, name := range []string{"chart/templates/a.yaml", "values.yaml", "deploy/base/a.yaml", "deploy/x.yaml", "kube"} {
			write(name, "one")
		}
		was := clusterCall(t, dir, command)
		write("shop/data", command) // only has the name of the release
		write("deployment/shop/data", command)
		if command != "helm upgrade shop ." {
			if got := difference(was, clusterCall(t, dir, command)); got != "" {
				t.Errorf("%s, unchanged: %s", command, got)
			}
		}
		if file == "" {
			continue
		}
		write(file, "two")
		if difference(was, clusterCall(t, dir, command)) == "" {
			t.Errorf("%s: another text in %s is no difference", command, file)
		}
	}
}

// First aid is the operator's own word, with options that the policy need not know.
func TestTheChartOfFirstAidIsBound(t *testing.T) {
	want := []string{"/repos/charts/shop", "/repos", "/v/x.yaml", "/repos/x/y"}
	got := slashedPaths(guard.Call{Argv: strings.Fields("helm upgrade --install shop charts/shop . -f/v/x.yaml --values=x/y"), Dir: "/repos"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A chart, or manifests, are bound by all that lies in the folder, and by where that is.
func TestTheFolderOfAChartIsBound(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, folder := range []string{"charts/v1/templates", "charts/v2/templates"} {
		must(t, os.MkdirAll(filepath.Join(dir, folder), 0o700))
	}
	write := func(name, text string) { must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)) }
	write("charts/v1/templates/a.yaml", "a")
	write("charts/v2/templates/a.yaml", "a")
	must(t, os.Symlink("v1", filepath.Join(dir, "charts", "shop")))
	chart := filepath.Join(dir, "charts", "shop")
	bound := func() map[string]string {
		is, err := bindFiles(t.Context(), looker{}, "/usr/bin/true", guard.Call{Argv: []string{"helm"}, Dir: dir}, guard.Project{Manifests: []string{chart}})
		must(t, err)
		return is
	}
	was := bound()
	if got := difference(was, bound()); got != "" {
		t.Errorf("unchanged: %s", got)
	}
	changed := "folder " + chart + " has changed"
	write("charts/v1/templates/b.yaml", "")
	if got := difference(was, bound()); got != changed {
		t.Errorf("one file more: %q", got)
	}
	must(t, os.Remove(filepath.Join(dir, "charts/v1/templates/b.yaml")))
	write("charts/v1/templates/a.yaml", "b")
	if got := difference(was, bound()); got != changed {
		t.Errorf("another text: %q", got)
	}
	write("charts/v1/templates/a.yaml", "a")
	must(t, os.Remove(chart))
	must(t, os.Symlink("v2", chart))
	if got := difference(was, bound()); got != changed {
		t.Errorf("the same elsewhere: %q", got)
	}
	must(t, os.Remove(chart))
	must(t, os.Symlink("v1", chart))
	for n := range maxBoundFiles {
		write(fmt.Sprintf("charts/v1/%d", n), "")
	}
	if _, err := folderDigest(t.Context(), chart); err == nil {
		t.Error("a folder with too many files is compared")
	}
}

// Helm follows the links in a chart. What git keeps for itself is no part of it.
func TestWhatAFolderHoldsIsBound(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, folder := range []string{"chart/templates", "chart/.git/refs", "common/more", "other"} {
		must(t, os.MkdirAll(filepath.Join(dir, folder), 0o700))
	}
	chart := filepath.Join(dir, "chart")
	for link, to := range map[string]string{
		"chart/templates/common": "../../common", "chart/templates/again": "../../common", "chart/loop": ".", "chart/values.yaml": "../other/values.yaml", "common/more/up": "..",
	} {
		must(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	digest := func() string {
		is, err := folderDigest(t.Context(), chart)
		must(t, err)
		return is
	}
	for file, matters := range map[string]bool{
		"common/a.yaml": true, "common/more/b.yaml": true, "other/values.yaml": true, "chart/templates/c.yaml": true, "chart/.gitignore": true, "chart/.git/refs/d.yaml": true,
		"other/e.yaml": false, "chart/.git/HEAD": false, "chart/.git/refs/main": false,
	} {
		was := digest()
		must(t, os.WriteFile(filepath.Join(dir, file), []byte("x"), 0o600))
		if got := digest(); (got != was) != matters {
			t.Errorf("%s: a difference: %t, want %t", file, got != was, matters)
		}
	}
	was := digest()
	must(t, os.Remove(filepath.Join(chart, "templates/again")))
	must(t, os.Symlink("../../other", filepath.Join(chart, "templates/again")))
	if digest() == was {
		t.Error("where a link leads makes no difference")
	}
	must(t, os.Symlink("/proc/self", filepath.Join(chart, "proc")))
	if _, err := folderDigest(t.Context(), chart); err == nil {
		t.Error("what the kernel shows is compared")
	}
}

func TestComparingFilesHasALimit(t *testing.T) {
	chart := t.TempDir()
	must(t, os.WriteFile(filepath.Join(chart, "Chart.yaml"), []byte("name: shop"), 0o600))
	slow := errors.New("slow")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(slow)
	for _, path := range []string{chart, filepath.Join(chart, "Chart.yaml")} {
		project := guard.Project{Manifests: []string{path}}
		if _, err := bindFiles(ctx, looker{}, "/none", guard.Call{Argv: []string{"helm"}, Dir: chart}, project); !errors.Is(err, slow) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestSudoStillUsesTheEngine(t *testing.T) {
	w := guard.World{
		Tier: 2, Policy: policy.Embedded(), Inventory: func() (*inventory.Inventory, error) { return nil, nil },
	}
	v := guard.JudgeArgv(w, guard.Call{Argv: []string{"sudo", "docker", "restart", "shop"}, Dir: "/"})
	if !v.Allow || !usesEngine(v.Argv) {
		t.Errorf("%+v: its containers are not bound", v)
	}
	if usesEngine([]string{"systemctl", "restart", "shop"}) || usesEngine(nil) {
		t.Error("what is about no container asks the engine")
	}
}

func TestBoundContainers(t *testing.T) {
	compose := func(service string) map[string]string {
		return map[string]string{"com.docker.compose.project.config_files": "/repos/shop/compose.yaml", "com.docker.compose.service": service}
	}
	all := []probe.Identity{
		{ID: "aaaaaaaaaaaaaaaa", Name: "shop", Image: "i1"},
		{ID: "bbbbbbbbbbbbbbbb", Name: "p-web-1", Image: "i2", Labels: compose("web")},
		{ID: "cccccccccccccccc", Name: "p-db-1", Image: "i3", Labels: compose("db")},
		{ID: "dddddddddddddddd", Name: "api", Image: "i4", ImageName: "example/api:1"},
	}
	shop, web, db := "aaaaaaaaaaaaaaaa of image i1", "bbbbbbbbbbbbbbbb of image i2", "cccccccccccccccc of image i3"
	project := []string{"/repos/shop/compose.yaml"}
	for name, test := range map[string]struct {
		argv, project []string
		want          map[string]string
	}{
		"with a named image":   {[]string{"docker", "restart", "api"}, nil, map[string]string{"container api": "dddddddddddddddd of image i4, example/api:1"}},
		"by name":              {[]string{"docker", "restart", "shop"}, nil, map[string]string{"container shop": shop}},
		"by a short id":        {[]string{"docker", "restart", "aaaaaaaaaaaa"}, nil, map[string]string{"container shop": shop}},
		"unknown":              {[]string{"docker", "restart", "other"}, nil, map[string]string{}},
		"a service":            {[]string{"docker", "compose", "restart", "web"}, project, map[string]string{"container p-web-1": web}},
		"the whole project":    {[]string{"docker", "compose", "up", "-d"}, project, map[string]string{"container p-web-1": web, "container p-db-1": db}},
		"another's project":    {[]string{"docker", "compose", "up", "-d"}, []string{"/repos/other/compose.yaml"}, map[string]string{}},
		"a member by its name": {[]string{"docker", "restart", "p-db-1"}, nil, map[string]string{"container p-db-1": db}},
	} {
		if diff := cmp.Diff(test.want, boundContainers(test.argv, test.project, all)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func TestDifference(t *testing.T) {
	was := map[string]string{"container shop": "1 of image i", "file /c.yaml": "sha256:1"}
	for want, is := range map[string]map[string]string{
		"":                                       {"container shop": "1 of image i", "file /c.yaml": "sha256:1"},
		"container shop was replaced by another": {"container shop": "2 of image i", "file /c.yaml": "sha256:1"},
		"container shop was replaced, and has another image":              {"container shop": "2 of image j", "file /c.yaml": "sha256:1"},
		"the name of the image of container shop means another image now": {"container shop": "1 of image i, i", "file /c.yaml": "sha256:1"},
		"container shop is gone":                                          {"file /c.yaml": "sha256:1"},
		"file /c.yaml has changed":                                        {"container shop": "1 of image i", "file /c.yaml": "sha256:2"},
		"file /d.yaml is new":                                             {"container shop": "1 of image i", "file /c.yaml": "sha256:1", "file /d.yaml": "sha256:1"},
	} {
		if got := difference(was, is); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWhatIsApprovedWaitsForItsChecks(t *testing.T) {
	const checks = ", checks: [{type: http, url: 'http://localhost/'}]}\n"
	inv, err := inventory.Parse([]byte("services:\n  - {name: db" + checks + "  - {name: shop" + checks + "  - {name: mail}\n"))
	must(t, err)
	c := Cycle{findings: findings{found: []evaluation{{service: "db", status: check.Down}}}}
	c.Inventory = inv
	for service, want := range map[string]bool{"shop": true, "db": false, "mail": false, "": false} {
		if got := c.unseen(service); got != want {
			t.Errorf("%q: %t, want %t", service, got, want)
		}
	}
}
