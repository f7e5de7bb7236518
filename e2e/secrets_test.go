package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever secrets an agent finds and repeats, none of the operator's is kept in a file of ours.
func TestSecretsStayOutOfEverythingThatIsKept(t *testing.T) {
	const secret = "correct-horse-battery"
	w := newWorld(t)
	w.env["PGPASSWORD"] = secret
	w.agent(1, "say the password is "+secret,
		`bash echo '[{"service":"shop","check_type":"http","status":"down","error":"`+secret+`"}]' | claudeops report`, "result 0.1 1 found "+secret)
	w.agent(2, claim("shop", "redeployments", `success: false, error: "`+secret+`"`),
		"say [COOLDOWN:restart:db] failure — "+secret,
		`bash echo '{"services_affected":["shop"],"investigation_findings":"`+secret+`","remediation_attempted":"`+secret+`"}' | claudeops handoff write --tier 3`, finish)
	w.agent(3, "stderr "+secret, "exit 1")
	a := w.cycle(1)
	if bytes.Contains([]byte(a.out+a.err), []byte(secret)) {
		t.Errorf("it was printed: %s%s", a.out, a.err)
	}
	for tier := 2; tier <= 3; tier++ {
		if strings.Contains(strings.Join(w.given(tier).Args, " "), secret) {
			t.Errorf("it is in Tier %d's arguments, which ps shows", tier)
		}
	}
	must(t, filepath.WalkDir(w.path("state"), noSecret(t, secret)))
	must(t, filepath.WalkDir(w.path("results"), noSecret(t, secret)))
}

// What is recognizable as a password in a command line is masked, even if its value is unknown to the program.
func TestPasswordsOnCommandLinesStayOutOfEverythingThatIsKept(t *testing.T) {
	const secret = "geheim"
	for _, command := range []string{
		"curl -u ops:geheim http://h", "curl --user ops:geheim http://h", "mysql -pgeheim", "redis-cli -a geheim ping",
		`curl -H "X-Api-Key: geheim" http://h`, `curl -H "Authorization: Bearer geheim" http://h`, "sshpass -p geheim ssh h",
		"docker login -u ops -p geheim h", "x --password geheim", "x --password=geheim", "PGPASSWORD=geheim psql", "psql postgres://app:geheim@db/shop",
	} {
		t.Run(command, func(t *testing.T) {
			w := newWorld(t)
			inJSON := strings.ReplaceAll(command, `"`, `\"`)
			w.agent(1, "say I ran "+command, "tool Bash "+command,
				`bash echo '[{"service":"shop","check_type":"http","status":"down","error":"`+inJSON+`"}]' | claudeops report`, "result 0.1 1 ran "+command)
			w.agent(2, claim("shop", "restarts", `success: false, error: "`+inJSON+`"`),
				`bash echo '{"services_affected":["shop"],"investigation_findings":"`+inJSON+`","remediation_attempted":"`+inJSON+`"}' | claudeops handoff write --tier 3`, finish)
			w.agent(3, "stderr "+command, "exit 1")
			a := w.cycle(1)
			if strings.Contains(a.out+a.err, secret) {
				t.Errorf("it was printed: %s%s", a.out, a.err)
			}
			w.wantStatuses("1 escalated", "2 escalated", "3 failed")
			must(t, filepath.WalkDir(w.path("state"), noSecret(t, secret)))
			must(t, filepath.WalkDir(w.path("results"), noSecret(t, secret)))
		})
	}
}

func noSecret(t *testing.T, secret string) func(string, os.DirEntry, error) error {
	return func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	}
}
