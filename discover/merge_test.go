package discover

import (
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/inventory"
)

var onHost = Found{Services: []Service{
	{Name: "api", DependsOn: []string{"db"}, FailAfter: 2, Checks: []Check{{Address: "127.0.0.1:8000"}}},
	{Name: "db", Checks: []Check{{Unit: "postgresql@17-main.service"}}},
	{Name: "nginx", Aliases: []string{"shop-nginx-1"}, From: []string{"systemd unit nginx.service"}, Aid: true,
		Checks: []Check{{Unit: "nginx.service"}, {Address: "127.0.0.1:80"}}},
}}

func TestMergeAddsWhatIsMissingAndChangesNothingElse(t *testing.T) {
	const api = "  - name: api\n    depends_on: [%s]\n    fail_after: 2\n    checks:\n      - type: service\n        address: \"127.0.0.1:8000\"\n"
	const nginx = "  # systemd unit nginx.service\n  - name: nginx\n    aliases: [shop-nginx-1]\n    # first_aid: {}\n    checks:\n      - type: service\n        unit: nginx.service\n      - type: service\n        address: \"127.0.0.1:80\"\n"
	needs := func(name string) string { return strings.ReplaceAll(api, "%s", name) }
	for name, c := range map[string]struct{ file, want, added string }{
		"known by name, by alias and by what a check looks at": {
			file:  "services:\n  - {name: api}\n  - {name: web, aliases: [shop-nginx-1]}\n  - {name: main, checks: [{type: service, unit: postgresql@17-main}]}\n",
			added: "",
		},
		"a comment before and behind, and quotes": {
			file:  "# mine\nservices:   # all of them\n  # the first\n  - name: 'db'  # keep\n\n# the end",
			want:  "# mine\nservices:   # all of them\n  " + aidNote + needs("db") + "\n" + nginx + "\n  # the first\n  - name: 'db'  # keep\n\n# the end",
			added: "api nginx",
		},
		"what is needed is called otherwise there": {
			file:  "services:\n- name: pg\n  aliases: [db]\n- name: nginx\nx-mine: 1\n",
			want:  "services:\n" + strings.ReplaceAll("\n"+needs("pg"), "\n  ", "\n")[1:] + "\n- name: pg\n  aliases: [db]\n- name: nginx\nx-mine: 1\n",
			added: "api",
		},
		"no service yet": {
			file:  "services:\n#  - name: an-example\n",
			want:  "services:\n  " + aidNote + needs("db") + "\n  - name: db\n    checks:\n      - type: service\n        unit: \"postgresql@17-main.service\"\n\n" + nginx + "#  - name: an-example\n",
			added: "api db nginx",
		},
		"no newline at the end": {
			file:  "services:",
			want:  "services:\n  " + aidNote + needs("db") + "\n  - name: db\n    checks:\n      - type: service\n        unit: \"postgresql@17-main.service\"\n\n" + nginx,
			added: "api db nginx",
		},
		"lines as Windows ends them": {
			file:  "services:\r\n  - name: db\r\n  - name: nginx\r\n",
			want:  "services:\r\n" + strings.ReplaceAll(needs("db"), "\n", "\r\n") + "\r\n  - name: db\r\n  - name: nginx\r\n",
			added: "api",
		},
		"in brackets": {
			file:  "services: [{name: döb}, {name: db},\n  {name: nginx}] # all\n",
			want:  "services: [{name: api, depends_on: [db], fail_after: 2, checks: [{type: service, address: \"127.0.0.1:8000\"}]}, {name: döb}, {name: db},\n  {name: nginx}] # all\n",
			added: "api",
		},
		"empty brackets": {
			file: "services: []\n",
			want: "services: [{name: api, depends_on: [db], fail_after: 2, checks: [{type: service, address: \"127.0.0.1:8000\"}]}, {name: db, checks: [{type: service, unit: \"postgresql@17-main.service\"}]}, " +
				"{name: nginx, aliases: [shop-nginx-1], checks: [{type: service, unit: nginx.service}, {type: service, address: \"127.0.0.1:80\"}]}]\n",
			added: "api db nginx",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.added == "" {
				c.want = c.file
			}
			got, added, err := onHost.Merge([]byte(c.file))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Join(added, " ") != c.added || string(got) != c.want {
				t.Errorf("added %q, want %q:\n%s\nwant\n%s", added, c.added, got, c.want)
			}
			withAid(t, string(got))
			again, added, err := onHost.Merge(got)
			if err != nil || len(added) > 0 || string(again) != string(got) {
				t.Errorf("the second time it adds %q (%v)", added, err)
			}
		})
	}
}

func TestMergeRefusesWhatItCannotAddTo(t *testing.T) {
	for file, want := range map[string]string{
		"services: [":                                              "not a valid services file",
		"services:\n  &all\n  - {name: db}\n":                      "cannot be added to it",
		"services: ~\n":                                            "cannot be added to it",
		"services: &all [{name: db}]\n":                            "begins with something else",
		"x-all: &all [{name: db}]\nservices: *all\n":               "",
		"services:\n  - name: db\n    x: 1\n":                      `"x"`,
		"services:\n  - {name: db, aliases: [a]}\n  - {name: a}\n": "another service already",
	} {
		merged, added, err := onHost.Merge([]byte(file))
		if err == nil || !strings.Contains(err.Error(), want) || merged != nil || added != nil {
			t.Errorf("%q: %v, %q; want an error with %q", file, err, merged, want)
		}
	}
}

// For any file, either its content is preserved and what was missing is added, or there is an error.
func FuzzMerge(f *testing.F) {
	for _, file := range []string{"services:\n", "services: []", "services:\n- name: a\n", "x-a: |\n  services:\nservices:\n    - {name: b}\n", "\"services\": # c\r\n  - name: a", "{services: [{name: a}]}"} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file string) {
		before, invalid := inventory.Parse([]byte(file))
		merged, added, err := onHost.Merge([]byte(file))
		if invalid != nil || err != nil {
			if err == nil {
				t.Error("an invalid file was taken")
			}
			return
		}
		after, err := inventory.Parse(merged)
		if err != nil {
			t.Fatal(err)
		}
		if len(after.Services) != len(before.Services)+len(added) {
			t.Errorf("%d services and %d added are %d", len(before.Services), len(added), len(after.Services))
		}
		for _, s := range before.Services {
			if !slices.ContainsFunc(after.Services, func(o inventory.Service) bool { return o.Name == s.Name && len(o.Checks) == len(s.Checks) }) {
				t.Errorf("%q is gone", s.Name)
			}
		}
		at := 0
		for at < len(file) && file[at] == merged[at] {
			at++
		}
		if !strings.HasSuffix(string(merged), file[at:]) {
			t.Error("something else was changed")
		}
	})
}
