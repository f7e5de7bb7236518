package discover

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// aidOf returns the services of an inventory that have first aid, with what is restarted.
func aidOf(inv *inventory.Inventory) map[string]string {
	aid := map[string]string{}
	for _, s := range inv.Services {
		if w := s.Aid(); w.Given() {
			aid[s.Name] = strings.TrimSpace(string(w.Kind) + " " + w.Name + " " + w.File)
		}
	}
	return aid
}

// First aid is written for a service that one restart brings back, and is valid as soon as it is uncommented.
func TestFirstAidIsOfferedForWhatOneRestartBringsBack(t *testing.T) {
	second := composed("shop", "web", nil)
	second.Name = "shop-web-2"
	inFolder := map[string]string{labelFolder: "/srv/mail", labelFiles: "/srv/mail/compose.yaml,/srv/mail/compose.override.yaml"}
	inFolderToo := composed("mail", "smtp", inFolder)
	inFolderToo.Name = "mail-smtp-2"
	c := collected(
		probe.ListedContainer{Name: "registry", Running: true}, probe.ListedContainer{Name: "1234", Running: true},
		composed("shop", "web", nil), second, // replicas, and no folder
		composed("mail", "smtp", inFolder), inFolderToo,
		probe.ListedContainer{Name: "nginx", Running: true}, // and a unit of that name
		probe.ListedContainer{Name: "one", Running: true, Labels: map[string]string{"claudeops.name": "both"}},
		probe.ListedContainer{Name: "two", Running: true, Labels: map[string]string{"claudeops.name": "both"}},
	)
	for _, unit := range []string{"nginx.service", "cron.service", "shop@1.service", `a\x2db.service`} {
		c.candidate("unit\x00"+unit, candidate{service: strings.TrimSuffix(unit, ".service"), unit: unit})
	}
	c.candidate("program", candidate{service: "sshd", program: "sshd", ports: []port{{address: "127.0.0.1:22"}}})
	f, _, text := parsed(t, settled(t, c))
	want := map[string]string{
		"registry": "container registry", "1234": "container 1234", "smtp": "compose smtp /srv/mail",
		"cron": "unit cron.service", "shop@1": "unit shop@1.service", `a\x2db`: `unit a\x2db.service`,
	}
	if diff := cmp.Diff(want, aidOf(withAid(t, text))); diff != "" {
		t.Errorf("(-want +got)\n%s\n%s", diff, text)
	}
	merged, _, err := f.Merge([]byte("services:\n- name: mine\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, aidOf(withAid(t, string(merged)))); diff != "" {
		t.Errorf("merged (-want +got)\n%s\n%s", diff, merged)
	}
}

func TestAComposeProjectIsKnownByPlainLabels(t *testing.T) {
	for _, c := range []struct{ project, folder, files, want string }{
		{"shop", "/srv/shop", "/srv/shop/compose.yaml", "/srv/shop"},
		{"shop", "/srv/Shop", "/srv/Shop/docker-compose.yml,/srv/Shop/docker-compose.override.yml", "/srv/Shop"},
		{"shop", "/srv/shop", "/srv/shop/production.yaml", "/srv/shop/production.yaml"},
		{"shop", "/srv/shop", "/srv/shop/compose.yaml,/srv/shop/production.yaml", ""},
		{"shop", "/srv/shop", "/srv/other/compose.yaml", ""},
		{"myblog", "/srv/My.Blog", "/srv/My.Blog/compose.yml", "/srv/My.Blog"},
		{"shop", "/srv/app", "/srv/app/compose.yaml", ""}, // docker compose would call it app
		{"shop", "/srv/../shop", "/srv/../shop/compose.yaml", ""},
		{"shop", "/srv/my shop", "/srv/my shop/compose.yaml", ""},
		{"shop", "shop", "shop/compose.yaml", ""},
		{"shop", "/srv/}\n  shop", "/srv/}\n  shop/compose.yaml", ""},
		{"shop", "/" + strings.Repeat("x", maxPath) + "/shop", "/" + strings.Repeat("x", maxPath) + "/shop/compose.yaml", ""},
		{"shop", "/srv/shop", "", ""},
		{"", "", "", ""},
	} {
		given := map[string]string{labelProject: c.project, labelFolder: c.folder, labelFiles: c.files}
		if got := composeFolder(given); got != c.want {
			t.Errorf("%q: %q; want %q", given, got, c.want)
		}
	}
}
