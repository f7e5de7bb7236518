package cycle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUndoableCommands(t *testing.T) {
	deployment := func(name, revision string) string {
		return `{"kind":"Deployment","metadata":{"name":"` + name + `","namespace":"prod","annotations":{"deployment.kubernetes.io/revision":"` + revision + `"}}}`
	}
	for _, test := range []struct {
		command, look, was, became string
		want                       []string // steps
	}{
		{
			"docker compose -f /repos/shop/compose.yaml up -d web", "docker compose -f /repos/shop/compose.yaml ps -a -q",
			"web sha256:a shop:1\ndb sha256:d db:1\n", "web sha256:b shop:2\ndb sha256:d db:1\n",
			[]string{"docker tag sha256:a shop:2", "docker compose -f /repos/shop/compose.yaml up -d --no-build --no-deps --pull never web"},
		},
		{
			"docker --context far compose -p shop up --wait -t 5", "docker --context far compose -p shop ps -a -q", "b sha256:1 x:1\na sha256:2 y:1", "a sha256:3 y:1\nb sha256:4 x:1",
			[]string{
				"docker --context far tag sha256:2 y:1", "docker --context far tag sha256:1 x:1",
				"docker --context far compose -p shop up -d --no-build --no-deps --pull never a b",
			},
		},
		{"docker-compose up -d", "docker-compose ps -a -q", "web sha256:a shop:1", "web sha256:a shop:1", nil},
		{"docker-compose up -d", "docker-compose ps -a -q", "", "web sha256:a shop:1", nil},
		{"docker-compose up -d", "docker-compose ps -a -q", "web sha256:a shop:1", "web sha256:b shop@sha256:c", nil},
		{"docker compose pull web", "", "", "", nil},
		{"docker compose restart web", "", "", "", nil},
		{"docker restart web", "", "", "", nil},
		{
			"helm upgrade shop /repos/charts/shop -f /repos/values.yaml -n prod --wait", "helm history shop --max 1 -o json -n prod", `[{"revision":4}]`, `[{"revision":5}]`,
			[]string{"helm rollback shop 4 -n prod"},
		},
		{"helm --namespace=prod upgrade shop /repos/charts/shop", "helm history shop --max 1 -o json --namespace=prod", `[{"revision":4}]`, `[{"revision":4}]`, nil},
		{"helm status shop", "", "", "", nil},
		{
			"kubectl apply -f /repos/shop.yaml -n prod", "kubectl get --ignore-not-found -o json -n prod -f /repos/shop.yaml",
			`{"kind":"List","items":[` + deployment("shop", "2") + "," + deployment("db", "7") + `,{"kind":"Service","metadata":{"name":"shop"}}]}`,
			`{"kind":"List","items":[` + deployment("shop", "3") + "," + deployment("db", "7") + `]}`,
			[]string{"kubectl rollout undo deployment/shop -n prod --to-revision=2"},
		},
		{
			"kubectl --context=far set image deployment/shop web=shop:2", "kubectl get --ignore-not-found -o json --context=far deployment/shop", deployment("shop", "1"), deployment("shop", "2"),
			[]string{"kubectl rollout undo deployment/shop -n prod --to-revision=1 --context=far"},
		},
		{
			"kubectl rollout undo deployment/shop -n prod", "kubectl get --ignore-not-found -o json -n prod deployment/shop", deployment("shop", "8"), deployment("shop", "9"),
			[]string{"kubectl rollout undo deployment/shop -n prod --to-revision=8"},
		},
		{"kubectl apply -f /repos/new.yaml", "kubectl get --ignore-not-found -o json -f /repos/new.yaml", "", deployment("shop", "1"), nil},
		{"kubectl rollout restart deployment/shop", "", "", "", nil},
	} {
		u, known := undoableBy(strings.Fields(test.command))
		if !known || test.look == "" {
			if known != (test.look != "") {
				t.Errorf("%s can be undone: %t", test.command, known)
			}
			continue
		}
		if look := strings.Join(u.look, " "); look != test.look {
			t.Errorf("%s\nis looked at by %s\nwant            %s", test.command, look, test.look)
		}
		was, err := u.read(test.was)
		must(t, err)
		became, err := u.read(test.became)
		must(t, err)
		var steps []string
		for _, way := range u.undo(was, became) {
			for _, step := range way.steps {
				steps = append(steps, strings.Join(step, " "))
			}
		}
		if diff := cmp.Diff(test.want, steps); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.command, diff)
		}
	}
}
