package guard

import (
	"strings"
	"testing"
)

// Typed words choose a verb and the name of one thing; every other call means none.
func TestTypedWordsChooseAVerbAndAService(t *testing.T) {
	for words, want := range map[string]string{
		"docker restart web":                                      "restart container web",
		"docker start web":                                        "restart container web",
		"podman restart -t 5 web":                                 "restart container web",
		"docker container restart --time=5 web":                   "restart container web",
		"/usr/bin/docker restart web":                             "restart container web",
		"sudo docker restart web":                                 "restart container web",
		"sudo -n systemctl restart nginx":                         "restart unit nginx",
		"doas systemctl start nginx.service":                      "restart unit nginx.service",
		"docker compose restart web":                              "restart compose web",
		"docker compose up -d --no-recreate web":                  "restart compose web",
		"docker-compose -f /srv/x/compose.yaml restart web":       "restart compose web in /srv/x/compose.yaml",
		"docker compose --project-directory /srv/x restart web":   "restart compose web in /srv/x",
		"docker compose up -d web":                                "redeploy compose web",
		"podman compose up --detach --force-recreate web":         "redeploy compose web",
		"kubectl rollout restart deployment/web":                  "restart deployment web",
		"kubectl -n shop rollout restart deploy web":              "restart deployment web",
		"claudeops restart shop":                                  "restart  shop",
		"claudeops redeploy shop --why stale":                     "redeploy  shop because stale",
		"claudeops action shop reload":                            "action  shop: reload",
		"claudeops propose shop --why full -- rm -r /var/cache/x": "ask  shop: rm -r /var/cache/x because full",

		"docker restart":                                          "",
		"docker restart web api":                                  "",
		"docker restart web*":                                     "",
		"docker restart -s KILL web":                              "",
		"docker stop web":                                         "",
		"docker --context far restart web":                        "",
		"docker -H tcp://far:2375 restart web":                    "",
		"docker restart --help web":                               "",
		"sudo -u root docker restart web":                         "",
		"systemctl stop nginx":                                    "",
		"systemctl --user restart nginx":                          "",
		"systemctl -H far restart nginx":                          "",
		"systemctl restart nginx shop":                            "",
		"docker compose restart":                                  "",
		"docker compose up web":                                   "",
		"docker compose up -d":                                    "",
		"docker compose up -d --build web":                        "",
		"docker compose up -d --scale web=3 web":                  "",
		"docker compose -p shop restart web":                      "",
		"docker compose --env-file x restart web":                 "",
		"docker compose -f a.yaml -f b.yaml restart web":          "",
		"docker compose up -d --no-recreate --force-recreate web": "",
		"docker compose down web":                                 "",
		"kubectl --context far rollout restart deploy/web":        "",
		"kubectl rollout undo deploy/web":                         "",
		"kubectl rollout restart deploy/a deploy/b":               "",
		"sudo claudeops restart shop":                             "",
		"claudeops restart shop web":                              "",
		"claudeops propose shop rm":                               "",
		"claudeops approve 1":                                     "",
		"docker":                                                  "",
	} {
		v, meant := Typed(strings.Fields(words))
		got := ""
		if meant {
			got = string(v.Action) + " " + string(v.Kind) + " " + v.Name
			for _, more := range []struct{ before, text string }{{" in ", v.File}, {": ", v.Do + strings.Join(v.Argv, " ")}, {" because ", v.Why}} {
				if more.text != "" {
					got += more.before + more.text
				}
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
	if _, meant := Typed(nil); meant {
		t.Error("no words mean a verb")
	}
}
