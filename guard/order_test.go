package guard

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
)

const orderInventory = `
services:
  - name: shop
    aliases: [shop-worker-1, shop.service]
    restart: {container: shop-web-1}
    redeploy: {run: [ansible-playbook, shop.yaml], dir: ansible, timeout: 1h}
    actions: {reload: {run: [nginx, -s, reload]}}
  - name: mail
    restart: {compose: {file: /srv/mail/compose.yaml, service: smtp}}
    approval: tier3
  - name: api
    restart: {deployment: {name: api, namespace: prod}}
    approval: remediation
  - {name: disk}
  - name: abc
    restart: {container: abc}
`

// orders returns what makes orders of a tier, on an engine with some containers.
func orders(t *testing.T, tier int, services string) Orders {
	t.Helper()
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", "1.44")
		if strings.HasSuffix(r.URL.Path, "/containers/json") {
			_, _ = w.Write([]byte(`[
				{"Id":"aaaaaaaaaaaaaaaa","Names":["/shop-web-1"],"Labels":{"com.docker.compose.service":"web","com.docker.compose.project.config_files":"/srv/shop/compose.yaml","com.docker.compose.project.working_dir":"/srv/shop"}},
				{"Id":"abcdefabcdefabcd","Names":["/evil"],"Labels":{"com.docker.compose.service":"web","com.docker.compose.project.working_dir":"/srv/shop"}},
				{"Id":"bbbbbbbbbbbbbbbb","Names":["/claudeops-1"]}]`))
		}
	}))
	t.Cleanup(engine.Close)
	o := Orders{
		Tier: tier, ReposDir: "/repos", Environ: []string{"PATH=/nowhere", "DOCKER_HOST=tcp://" + engine.Listener.Addr().String()},
		Look: func(_ context.Context, argv []string) (string, error) {
			if argv[len(argv)-1] == "smtp" {
				return "cccc\n", nil
			}
			return "/evil\n", nil // inspect takes a name that no container has for an id
		},
	}
	if services != "" {
		inv, err := inventory.Parse([]byte(services))
		must(t, err)
		o.Inventory = inv
	}
	return o
}

// What runs is the services file's word, whatever was typed.
func TestWhatAVerbRuns(t *testing.T) {
	for _, test := range []struct{ typed, dir, want string }{
		{"claudeops restart shop", "/", "shop: docker restart shop-web-1"},
		{"claudeops restart shop.service", "/", "shop: docker restart shop-web-1"},
		{"claudeops redeploy shop", "/", "shop: ansible-playbook shop.yaml"},
		{"claudeops action shop reload", "/", "shop: nginx -s reload"},
		{"docker restart shop-worker-1", "/", "shop: docker restart shop-web-1"},
		{"systemctl restart shop", "/", "shop: docker restart shop-web-1"},
		{"kubectl -n prod rollout restart deployment/api", "/", "api: kubectl --namespace prod rollout restart deployment/api"},
		{"kubectl -n staging rollout restart deployment/api", "/", "refused: in the namespace prod, not in staging"},
		{"docker compose restart smtp", "/srv/mail", "mail: docker compose --file /srv/mail/compose.yaml restart smtp"},
		{"docker compose -f /srv/mail/compose.yaml restart smtp", "/", "mail: docker compose --file /srv/mail/compose.yaml restart smtp"},
		{"docker compose -f compose.yaml up -d --no-recreate smtp", "/srv/mail", "mail: docker compose --file /srv/mail/compose.yaml restart smtp"},
		{"docker compose restart web", "/srv/shop", "shop: docker restart shop-web-1"},
		{"docker compose --project-directory /srv/shop up -d web", "/", "shop: ansible-playbook shop.yaml"},
		{"claudeops propose disk -- rm -r /var/cache/x", "/", "disk: rm -r /var/cache/x"},
		{"claudeops propose other -- lvextend /dev/x", "/", "refused: the services file does not name other"},

		{"claudeops restart other", "/", "refused: does not name other"},
		{"docker restart evil", "/", "refused: does not name evil"},
		{"docker restart aaaaaaaaaaaaaaaa", "/", "refused: does not name aaaa"},
		{"docker restart abc", "/", "refused: no container is named abc, and docker would take that for the start of the id of evil"},
		{"docker compose restart smtp", "/state/run/tmp", "refused: the services file does not say"},
		{"docker compose -f /state/run/tmp/compose.yaml restart smtp", "/", "refused: the services file does not say"},
		{"docker compose restart db", "/srv/shop", "refused: the services file does not say"},
		{"claudeops restart disk", "/", "refused: does not say how to restart disk; `propose`"},
		{"claudeops redeploy mail", "/", "refused: does not say how to redeploy mail; `propose`"},
		{"claudeops action shop flush", "/", "refused: no action \"flush\", but these: reload"},
		{"claudeops action disk flush", "/", "refused: names no action of disk"},
	} {
		wantOrder(t, orders(t, 3, orderInventory), test.typed, test.dir, test.want)
	}
	o, refusal := orders(t, 3, orderInventory).Order(t.Context(), Verb{Action: Redeploy, Name: "shop", Why: "stale"}, "/")
	if refusal != nil || o.Dir != "/repos/ansible" || o.Timeout != time.Hour || o.Why != "stale" {
		t.Errorf("%+v, %v", o, refusal)
	}
}

// wantOrder makes an order of typed words: "SERVICE: COMMAND", or "refused: " and a part of the reason.
func wantOrder(t *testing.T, from Orders, typed, dir, want string) {
	t.Helper()
	v, meant := Typed(strings.Fields(typed))
	if !meant {
		t.Errorf("%s means no verb", typed)
		return
	}
	o, refusal := from.Order(t.Context(), v, dir)
	why, refused := strings.CutPrefix(want, "refused: ")
	if refused && (refusal == nil || !strings.Contains(refusal.Reason, why)) {
		t.Errorf("%s in %s: %v, refusal %v; want it refused: %s", typed, dir, o.Argv, refusal, why)
	}
	if got := o.Service + ": " + strings.Join(o.Argv, " "); !refused && (refusal != nil || got != want) {
		t.Errorf("%s in %s: %s, refusal %v; want %s", typed, dir, got, refusal, want)
	}
}

func TestAComposeServiceWithoutAContainerIsMadeAnew(t *testing.T) {
	o := orders(t, 2, orderInventory)
	o.Look = func(context.Context, []string) (string, error) { return "", nil }
	wantOrder(t, o, "claudeops restart mail", "/", "mail: docker compose --file /srv/mail/compose.yaml up --detach --no-deps --no-build --pull never smtp")
}

func TestWithoutAServicesFileContainersAreRestartedByName(t *testing.T) {
	for typed, want := range map[string]string{
		"docker restart shop-web-1":                          "shop-web-1: docker restart shop-web-1",
		"claudeops restart evil":                             "evil: docker restart evil",
		"docker restart aaaaaaaaaaaa":                        "refused: no container is named aaaaaaaaaaaa",
		"docker restart nothing":                             "refused: no container is named nothing",
		"docker restart claudeops-1":                         "refused: this program",
		"systemctl restart nginx":                            "refused: only containers are restarted",
		"claudeops redeploy shop-web-1":                      "refused: only containers are restarted",
		"claudeops propose nginx -- systemctl restart nginx": "nginx: systemctl restart nginx",
	} {
		wantOrder(t, orders(t, 3, ""), typed, "/", want)
	}
}

// What each tier may do, whatever its prompt says (SPEC-0007 REQ-14).
func TestSPEC0016_TierPermissionsOfVerbs(t *testing.T) {
	for typed, lowest := range map[string]int{
		"claudeops restart shop": 2, "claudeops action shop reload": 2, "claudeops propose shop -- rm x": 2, "claudeops redeploy shop": 3, "docker restart shop-web-1": 2,
	} {
		for tier := 1; tier <= 3; tier++ {
			for _, dry := range []bool{false, true} {
				o := orders(t, tier, orderInventory)
				o.DryRun = dry
				v, _ := Typed(strings.Fields(typed))
				if _, refusal := o.Order(t.Context(), v, "/"); (refusal == nil) != (tier >= lowest && !dry) {
					t.Errorf("Tier %d, dry run %t, %s: %v", tier, dry, typed, refusal)
				}
			}
		}
	}
}

func TestWhatAPersonMustPermit(t *testing.T) {
	for name, test := range map[string]struct {
		general config.Approval
		tier    int
		typed   string
		want    bool
	}{
		"nothing by default":               {config.ApproveNone, 3, "claudeops redeploy shop", false},
		"a restart of Tier 2":              {config.ApproveRemediation, 2, "claudeops restart shop", true},
		"an action of Tier 2":              {config.ApproveRemediation, 2, "claudeops action shop reload", true},
		"a restart of Tier 2, not tier3":   {config.ApproveTier3, 2, "claudeops restart shop", false},
		"a redeployment of Tier 3":         {config.ApproveTier3, 3, "claudeops redeploy shop", true},
		"a service that alone needs it":    {config.ApproveNone, 2, "claudeops restart api", true},
		"a service that needs it at tier3": {config.ApproveRemediation, 2, "claudeops restart mail", false},
		"what is proposed":                 {config.ApproveNone, 2, "claudeops propose shop -- rm x", true},
	} {
		o := orders(t, test.tier, orderInventory)
		o.Approval = test.general
		v, _ := Typed(strings.Fields(test.typed))
		if got, refusal := o.Order(t.Context(), v, "/"); refusal != nil || got.Asks != test.want {
			t.Errorf("%s: a person is asked: %t, want %t; %v", name, got.Asks, test.want, refusal)
		}
	}
}
