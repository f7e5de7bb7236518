package config

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// shown are texts and what is left of them. Of those with one form only, nothing is a secret.
var shown = [][]string{
	{"curl -u ops:geheim http://h", "curl -u ops:[redacted] http://h"},
	{"curl -sSfu ops:geheim http://h", "curl -sSfu ops:[redacted] http://h"},
	{"curl -uops:geheim http://h", "curl -uops:[redacted] http://h"},
	{"curl -u 'ops:ge heim' http://h", "curl -u 'ops:[redacted]' http://h"},
	{`curl -u "ops:ge'heim" http://h`, `curl -u "ops:[redacted]" http://h`},
	{"/usr/bin/curl --user ops:geheim http://h", "/usr/bin/curl --user ops:[redacted] http://h"},
	{"curl --user=ops:geheim http://h", "curl --user=ops:[redacted] http://h"},
	{"curl -x http://p --proxy-user ops:geheim http://h", "curl -x http://p --proxy-user ops:[redacted] http://h"},
	{`curl "http://h/?a=1&b=2;c" -u ops:geheim`, `curl "http://h/?a=1&b=2;c" -u ops:[redacted]`},
	{"curl \\\n  -s \\\n  -u ops:geheim http://h", "curl \\\n  -s \\\n  -u ops:[redacted] http://h"},
	{"sh -c 'curl -u ops:geheim'; curl -u a:b", "sh -c 'curl -u ops:[redacted]'; curl -u a:[redacted]"},
	{"curl -u ops http://h"},
	{"curl -u $OPS:$PASSWORD http://h"},
	{"curl -u ops:*** http://h"},
	{"docker run -u 1000:1000 curl http://h"},
	{"docker run --user 1000:1000 curlimages/curl http://h:80"},
	{"docker exec -u root:root web id"},
	{"sudo -u root id:x; curl http://h"},
	{"curl http://h; id -u a:b"},

	{"mysql -u root -pgeheim shop", "mysql -u root -p[redacted] shop"},
	{"mysqldump -p'ge heim' shop > f", "mysqldump -p'[redacted]' shop > f"},
	{"docker exec -it db mysql -uroot -pgeheim -e 'select 1'", "docker exec -it db mysql -uroot -p[redacted] -e 'select 1'"},
	{"kubectl exec db-0 -- mariadb-admin -pgeheim ping", "kubectl exec db-0 -- mariadb-admin -p[redacted] ping"},
	{"sudo -E mysql -pgeheim", "sudo -E mysql -p[redacted]"},
	{"ssh db 'mysqladmin ping -pgeheim' && echo 'ok'", "ssh db 'mysqladmin ping -p[redacted]' && echo 'ok'"},
	{"mysql -u root -p shop"},
	{"mysql -p"},
	{"mysql -h db -P 3306 shop"},
	{`mysql -p"$MYSQL_ROOT" shop`},
	{"docker run -d --name mysql -p3306:3306 mysql:8"},
	{"docker exec -it mysql cp -pr /a /b"},
	{"docker exec mysql ps -p1"},
	{"docker run -p 80:80 -h mysql -p3306:3306 x"},
	{"systemctl status mysql; cp -pr a b"},
	{"mkdir -p /srv/geheim && cp -a x y && ls -a && docker run -p 80:80 x && ss -p && ps -p1"},

	{"redis-cli -a geheim ping", "redis-cli -a [redacted] ping"},
	{"redis-cli -h h -p 6379 --pass geheim ping", "redis-cli -h h -p 6379 --pass [redacted] ping"},
	{"redis-cli -h cache -p 6379 ping"},
	{"ls -a redis-cli"},

	{"sshpass -p geheim ssh -p 22 ops@h", "sshpass -p [redacted] ssh -p 22 ops@h"},
	{"sshpass -pgeheim scp -p a h:b", "sshpass -p[redacted] scp -p a h:b"},
	{"sshpass -e ssh -p 22 ops@h"},

	{"docker login -u ops -p geheim registry", "docker login -u ops -p [redacted] registry"},
	{"docker login registry -pgeheim", "docker login registry -p[redacted]"},
	{"podman login -u ops -p=geheim registry", "podman login -u ops -p=[redacted] registry"},
	{"helm registry login -u ops --password geheim h", "helm registry login -u ops --password [redacted] h"},
	{"docker login --username ops --password-stdin registry"},
	{"ssh login -p 22"},
	{"login -p root"},

	{"x --password geheim -v", "x --password [redacted] -v"},
	{"x --password 'ge heim' -v", "x --password '[redacted]' -v"},
	{"x --password=geheim -v", "x --password=[redacted] -v"},
	{"vault --token geheim --api-key geheim", "vault --token [redacted] --api-key [redacted]"},
	{"x --password --host h"},
	{"x --password $PW"},
	{"  -p, --password string   the password"},
	{"call it with --password and the value on standard input"},
	{"x --password-file /etc/p --token-ttl 5m --secret id=npm,src=x --secret-id prod/db --key client.pem --max-tokens 5"},

	{"PGPASSWORD=geheim psql -h db", "PGPASSWORD=[redacted] psql -h db"},
	{"A=1 TOKEN='a b c' x", "A=1 TOKEN='[redacted]' x"},
	{`export API_KEY="it's"; x`, "export API_KEY=\"[redacted]\"; x"},
	{"sh -c 'TOKEN=geheim x' && echo 'done'", "sh -c 'TOKEN=[redacted] x' && echo 'done'"},
	{"ssh h 'x; TOKEN=geheim' && echo 'done'", "ssh h 'x; TOKEN=[redacted]' && echo 'done'"},
	{"mysql --password=geheim --host=db", "mysql --password=[redacted] --host=db"},
	{"GET /x?access_token=geheim&page=2", "GET /x?access_token=[redacted]&page=2"},
	{"SECRET=a SECRET=b", "SECRET=[redacted] SECRET=[redacted]"},
	{"TOKEN='never closed", "TOKEN='[redacted]"},
	{"TOKEN='never closed\nTier 2", "TOKEN='[redacted]\nTier 2"},
	{"TOKEN= x"},
	{"PGPASSWORD=$PW psql; PGPASSWORD=${PW} psql; connect(password=password)"},
	{"crontab print --credential ANTHROPIC_API_KEY=/etc/claudeops/key"},
	{"jq '.key == 1' && grep a=b x"},
	{"if TOKEN==x"},
	{"SSH_KEY_FILE=/etc/key PWD=/ true"},
	{"key=name sort_key=id cache_key=user:1 pass=3 PASS=10 fail=0 max_tokens=5 PasswordAuthentication=no require_password=yes"},

	{"psql postgres://app:geheim@db/shop", "psql postgres://app:[redacted]@db/shop"},
	{"curl http://u:p@a http://u:q@b", "curl http://u:[redacted]@a http://u:[redacted]@b"},
	{"redis://:geheim@h:6379/0", "redis://:[redacted]@h:6379/0"},
	{"curl http://host:8080/a@b"},
	{"see http://host:8080, or ask ops@example.org"},
	{"psql postgres://app:$PW@db/shop"},

	{"curl -H 'Authorization: Bearer geheim' http://x", "curl -H 'Authorization: Bearer [redacted]' http://x"},
	{`curl -H "authorization: Basic geheim" -H "Accept: */*" x`, `curl -H "authorization: Basic [redacted]" -H "Accept: */*" x`},
	{`curl -H "Authorization: geheim" x`, `curl -H "Authorization: [redacted]" x`},
	{"> Authorization: Bearer geheim and more\n> Accept: */*", "> Authorization: Bearer [redacted] and more\n> Accept: */*"},
	{"Authorization: geheim", "Authorization: [redacted]"},
	{`Authorization: Digest username="ops", response="geheim"`, "Authorization: Digest [redacted]"},
	{"Authorization: [redacted]"},
	{"Authorization: it is refused without one"},
	{"curl -H 'X-Api-Key: geheim' http://x", "curl -H 'X-Api-Key: [redacted]' http://x"},
	{"curl -sH 'Private-Token: geheim' http://x", "curl -sH 'Private-Token: [redacted]' http://x"},
	{`curl --header "apikey:geheim" http://x`, `curl --header "apikey:[redacted]" http://x`},
	{"< X-Auth-Token: geheim\r\n< Server: x", "< X-Auth-Token: [redacted]\r\n< Server: x"},
	{"curl -H 'Content-Type: text/plain' -H 'Idempotency-Key: 1234' http://x"},
	{"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="},
	{"password: required; the secret: patience; X-Request-Id: 12"},
	{`{"headers":{"Authorization":"Bearer geheim","X-Api-Key":"geheim"}}`, `{"headers":{"Authorization":"Bearer [redacted]","X-Api-Key":"[redacted]"}}`},
	{`requests.get(u, headers={'X-Api-Key': 'geheim'})`, `requests.get(u, headers={'X-Api-Key': '[redacted]'})`},
	{`{"password":"ge heim"}`, `{"password":"[redacted]"}`},
	{`{"password": "geheim", "user": "ops"} was sent`, `{"password": "[redacted]", "user": "ops"} was sent`},
	{`curl -d '{"password":"geheim"}' http://h`, `curl -d '{"password":"[redacted]"}' http://h`},
	{`curl -d "{\"password\":\"geheim\"}" http://h`, `curl -d "{\"password\":\"[redacted]\"}" http://h`},
	{"SSHPASS=geheim REDISCLI_AUTH=geheim db_pass=geheim x", "SSHPASS=[redacted] REDISCLI_AUTH=[redacted] db_pass=[redacted] x"},
	{"password: geheim", "password: [redacted]"},
	{"environment:\n  POSTGRES_PASSWORD: geheim\n  A: b", "environment:\n  POSTGRES_PASSWORD: [redacted]\n  A: b"},
	{"aws_secret_access_key = geheim", "aws_secret_access_key = [redacted]"},
	{"xargs -n1 mysql shop -pgeheim", "xargs -n1 mysql shop -p[redacted]"},
	{"git clone https://ghp_0123456789abcdef0123456789abcdef0123@github.com/a/b", "git clone https://[redacted]@github.com/a/b"},
	{"found ghs_0123456789abcdef0123456789abcdef0123, AKIA0123456789ABCDEF and xoxb-0123456789-abc", "found [redacted], [redacted] and [redacted]"},
	{"sk-ant-api03-0123456789abcdef eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "[redacted] [redacted]"},
	{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\nvQIB\n-----END RSA PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----"},
	{`http_requests_total{api_key="geheim"} 5`, `http_requests_total{api_key="[redacted]"} 5`},
	{"pg_dump --no-password shop"},
	{"flag --password requires a value"},
	{"missing --token flag"},
	{"PUBLIC_KEY=a PARTITION_KEY=a ROUTING_KEY=a CACHE_KEY=a TOKEN_EXPIRY=3600 PASSWORD_MIN_LENGTH=12 SECRET_NAME=db-secret PASS_RATE=99"},
	{"ls -la /var/lib/mysql -pr"},
	{"find / -name mysql -perm 600"},
	{"Authorization: required"},
	{"eyJ, sk-ant- and AKIA are how tokens begin"},
	{"docker ps"},
	{""},
}

func TestCredentialsThatATextShowsAreMaskedAndNothingElse(t *testing.T) {
	r := NewRedactor(nil)
	for _, row := range shown {
		text, want := row[0], row[len(row)-1]
		check := func(form, text, want string) {
			t.Helper()
			if got := string(r.Bytes([]byte(text))); got != want {
				t.Errorf("%s: %s\nis   %s\nwant %s", form, text, got, want)
			}
			if got := r.String(want); got != want {
				t.Errorf("%s: masked again, %s is %s", form, want, got)
			}
		}
		check("alone", text, want)
		check("in a sentence", "I ran `"+text+"`", "I ran `"+want+"`")
		once, wantOnce := inJSON(t, text), inJSON(t, want)
		check("in JSON", once, wantOnce)
		if !strings.Contains(text, "never closed") { // there, the next one closes it
			check("in JSON twice", inJSON(t, once), inJSON(t, wantOnce))
		}
	}
}

// inJSON is a line of an agent's log in which a tool is called with text, and answers with it.
func inJSON(t *testing.T, text string) string {
	t.Helper()
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(map[string]any{"type": "assistant", "a": "it's", "command": text, "content": []string{"first\n" + text + "\nlast", "b"}}); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line.String())
}

// A text that comes in pieces is redacted as it would be whole, wherever the seams are.
func TestPiecesHoldNoSecretOnTheirSeams(t *testing.T) {
	r := NewRedactor([]string{"known-secret"})
	unit := strings.Repeat("x y ", 5000) + `\nPGPASSWORD=geheim curl -s -u 'ops:ge heim' http://h known-secret\n`
	text := strings.Repeat(unit, 5)
	want := r.String(text)
	for size := 20_000; size < 20_300; size += 7 {
		var got, rest []byte
		for at := 0; at < len(text); at += size {
			end := min(at+size, len(text))
			var redacted []byte
			redacted, rest = r.Piece(append(bytes.Clone(rest), text[at:end]...), end == len(text))
			got = append(got, redacted...)
		}
		if string(got) != want {
			t.Fatalf("in pieces of %d bytes: %d bytes, want %d; secrets left: %d", size, len(got), len(want), strings.Count(string(got), "eheim"))
		}
	}
}

// Whatever stands in a line of JSON, it is one afterwards.
func FuzzMaskedJSONIsJSON(f *testing.F) {
	for _, row := range shown {
		f.Add(row[0])
	}
	r := NewRedactor(nil)
	f.Fuzz(func(t *testing.T, text string) {
		r.String(text)
		if line := r.String(inJSON(t, text)); !json.Valid([]byte(line)) {
			t.Errorf("%s", line)
		}
	})
}

func BenchmarkRedactorWhereThereIsNothing(b *testing.B) {
	r := NewRedactor(nil)
	line := bytes.Repeat([]byte(`{"type":"user","message":{"content":[{"type":"tool_result","content":"HTTP/1.1 200 OK\nContent-Type: text/plain\nx=1 --y http://h:80/ curl mysql"}]}}`), 50)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		r.Bytes(line)
	}
}
