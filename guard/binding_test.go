package guard

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// boundHome returns a folder with repositories, and one that an agent can write.
func boundHome(t *testing.T) (repos, state string, write func(name, text string)) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	write = func(name, text string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700))
		must(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	for _, name := range []string{"bin/deploy", "repos/site.yaml", "repos/charts/shop/Chart.yaml", "repos/shop/data", "state/run/tmp/x.yaml"} {
		write(name, "one")
	}
	must(t, os.Symlink("../state/run/tmp", filepath.Join(root, "repos/link")))
	return filepath.Join(root, "repos"), filepath.Join(root, "state"), write
}

// wanted is an order for the service shop.
func wanted(command, dir string) Order {
	return Order{Action: Ask, Service: "shop", Argv: strings.Fields(command), Dir: dir}
}

// Another text in anything that an argument list names, in any form, is a difference.
func TestAProposalBindsWhatItsArgumentListNames(t *testing.T) {
	for command, file := range map[string]string{
		"deploy":                         "bin/deploy",
		"deploy site.yaml":               "repos/site.yaml",
		"deploy -f site.yaml":            "repos/site.yaml",
		"deploy -fsite.yaml":             "repos/site.yaml",
		"deploy --values=site.yaml":      "repos/site.yaml",
		"deploy --extra-vars @site.yaml": "repos/site.yaml",
		"deploy --data=@site.yaml":       "repos/site.yaml",
		"deploy --set-file=k=site.yaml":  "repos/site.yaml",
		"deploy a.yaml,site.yaml":        "repos/site.yaml",
		"deploy type=bind,src=site.yaml": "repos/site.yaml",
		"deploy site.yaml:/site":         "repos/site.yaml",
		"deploy -xzfsite.yaml":           "repos/site.yaml",
		"deploy 'cd:x;site.yaml'":        "repos/site.yaml",
		"deploy charts/shop":             "repos/charts/shop/Chart.yaml",
		"deploy -C charts":               "repos/charts/shop/Chart.yaml",
		"deploy .":                       "repos/charts/shop/Chart.yaml",
		"deploy shop":                    "", // the name of a service, not of the folder
	} {
		repos, state, write := boundHome(t)
		bound := func() map[string]string {
			is, err := Bind(filepath.Join(repos, "../bin/deploy"), wanted(command, repos), []string{state})
			must(t, err)
			return is
		}
		was := bound()
		write("repos/shop/data", "another")
		write("repos/charts/shop/.git/HEAD", "another") // git's own
		if got := Difference(was, bound()); got != "" && command != "deploy ." {
			t.Errorf("%s, unchanged: %s", command, got)
		}
		if file == "" {
			continue
		}
		write(file, "two")
		if got := Difference(was, bound()); !strings.HasSuffix(got, " has changed") {
			t.Errorf("%s: another text in %s: %q", command, file, got)
		}
	}
	// What a verb runs is the operator's word: a folder of data beside a compose file changes all the time.
	repos, state, _ := boundHome(t)
	restart := wanted("docker compose --project-directory "+repos+"/charts restart shop", repos)
	restart.Action = Restart
	bound, err := Bind("/bin/true", restart, []string{state})
	if must(t, err); len(bound) != 1 {
		t.Errorf("a restart binds %v, want its program alone", bound)
	}
	for _, one := range []map[string]string{{"/a": "1"}, {"/a": "2", "/b": "1"}} {
		if got := Difference(one, map[string]string{"/a": "2"}); !strings.HasSuffix(got, " has changed") {
			t.Errorf("%v: %q", one, got)
		}
	}
}

func TestWhatCannotBeProposed(t *testing.T) {
	repos, state, write := boundHome(t)
	for n := range maxBoundFiles {
		write(fmt.Sprintf("repos/large/%d", n), "")
	}
	write("repos/large/one-more", "")
	for command, dir := range map[string]string{
		"deploy " + state + "/run/tmp/x.yaml": repos, "deploy link/x.yaml": repos, "deploy --file=link/x.yaml": repos, "deploy @link/x.yaml": repos, "deploy link/.": repos,
		"deploy": filepath.Join(state, "run/tmp"), "deploy ./large": repos, "deploy .;" + state + "/x": repos, "deploy --k=v=" + state: repos,
	} {
		if bound, err := Bind("/bin/true", wanted(command, dir), []string{state}); err == nil {
			t.Errorf("%s in %s is bound: %v", command, dir, bound)
		}
	}
}

// Where an agent can write is found in whatever form a word names it, whether that exists or not.
func TestWhichWordsNameWhereAnAgentCanWrite(t *testing.T) {
	for word, want := range map[string]bool{
		"/state": true, "--k=/state/x": true, "file:///state/x": true, "sh '. /state/x'": true, "-f/state/x": true, "/state2": false, "/api/state": false,
		"https://host/state": false,
	} {
		o := Order{Action: Ask, Argv: []string{"deploy", word}, Dir: "/"}
		if _, err := Bind("/none", o, []string{"/state"}); (err != nil) != want {
			t.Errorf("%q: %v", word, err)
		}
	}
}
