package guard

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A line is told by its text, not by the words in it.
func TestCredentialsInLines(t *testing.T) {
	for _, line := range []string{
		"password=hunter2", "  password = \"hunter2\"", "#password=hunter2", "DB_PASSWORD=hunter2 /usr/bin/backup", "*/5 * * * * root API_TOKEN=abc /usr/bin/report --quiet",
		"    stats auth admin:hunter2", "  user joe insecure-password hunter2", "env[DB_PASSWORD] = hunter2", "SetEnv DB_PASS hunter2", "    fastcgi_param DB_PASSWORD hunter2;",
		"primary_conninfo = 'host=db1 user=rep password=hunter2'", "db: { user: shop, password: hunter2 }", `"password": "hunter2", "user": "x"}`, "  'PASSWORD': 'hunter2',", "define('DB_PASSWORD', 'hunter2');",
		"#0 3 * * * root mysqldump --password=hunter2 shop", "SECRET_KEY = 'django-insecure-x'", "'password' => 'hunter2',", "'password' => env('DB_PASSWORD', 'hunter2'),", "$link = mysqli_connect('db1', 'shop', 'hunter2');", "new PDO($dsn, 'shop', 'hunter2');",
		"deb https://joe:hunter2@packages.example.org stable main", `Acquire::http::Proxy "http://joe:hunter2@proxy:3128";`, "//nas/share /mnt cifs username=joe,password=hunter2 0 0", "30 2 * * * root mysqldump -u root -phunter2 shop",
		"0 * * * * root curl -u joe:hunter2 http://x/", "0 * * * * root curl -H 'Authorization: Bearer abcdef1234' http://x/", "0 * * * * root curl -fsS https://hc-ping.com/0123-4567", "auth required pam_mysql.so user=pam passwd=hunter2 host=db1",
		"    Bob $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG", "root:$6$abc$0123456789012345678901234567890123456789", "    dns cloudflare 0123456789abcdef0123", "    wpa-psk hunter2hunter2",
		`auth = "am9lOmh1bnRlcjI="`, "*.* action(type=\"omfwd\" template=\"[0123abcd-0123-0123-0123-0123456789ab@41058]\")", "-----BEGIN RSA PRIVATE KEY-----", "set $api_key abcdef;", `if ($http_x_api_key != "abcdef") {`,
		"TOKEN=ghp_0123456789abcdefghij", "key AKIAABCDEFGHIJKLMNOP", "restic --repo x --password hunter2 backup /srv", "PrivateKey = abc=", "requirepass hunter2", `secret "c2VjcmV0";`, "Set the following 'random' passwords",
		// command lines
		"0 3 * * * root mysqldump -phunter2 shop", "mysqldump shop '-phunter2'", "mariadb-dump -u root -phunter2 shop", "mongodump -u joe -p hunter2", "curl -H 'X-Api-Key: abc' http://x/", `curl -H "PRIVATE-TOKEN: abc" http://x/`, `curl --header "X-Auth-Token: abc" http://x/`,
		"curl -H X-Api-Key:abc http://x/", "curl -H 'Authorization: abc' http://x/", "curl -su joe:hunter2 http://x/", "echo root:hunter2 | chpasswd", "docker login -u a -p x", "lftp -u a,b ftp.example.org", "smbclient //nas/x -U a%b", "ldapsearch -x -D cn=a -w x", "zip -P x a.zip b",
		"htpasswd -b f u p", "redis-cli -ahunter2 ping", "redis-cli -a hunter2 ping", "deb https://0123456789abcdef:@packagecloud.io/x stable main", "git clone https://0123456789abcdef@git.example.org/x", "http://joe:%41bc@x/",
		// configuration
		"smtp_sasl_password_maps = static:joe:hunter2", "smtp_sasl_password_maps = inline:{x=joe:hunter2}", `option httpchk GET / HTTP/1.1\r\nAuthorization:\ Basic\ am9lOmh1bg==`, `http-request set-header Authorization Basic\ am9lOmh1bg==`, "http-request set-header X-Api-Key abc if is_api",
		"http-request deny unless { req.hdr(x-api-key) abc }", "http-request deny unless { req.hdr(x-api-key) -m str abc }", `session.save_path = "tcp://10.0.0.1:6379?auth=hunter2"`, "php_value[session.save_path] = tcp://10.0.0.1:6379?weight=1&auth=hunter2", "wsrep_sst_auth=sst:hunter2",
		`secure_link_md5 "$secure_link_expires$uri hunter2";`, "map $http_x_api_key $ok {", `if ($arg_key != "abc") {`, "RewriteCond %{HTTP:X-Token} !^abc$", "*.* :ommysql:db1,logs,joe,hunter2", `template(name="d" type="string" string="0123456789abcdef0123456789abcdef <%pri%>%msg%")`,
		`key "k" { algorithm hmac-sha256; secret "c2VjcmV0"; };`, "Root password: x (change it)", "The admin password is x", "Some-Key: 0123456789abcdefABCDEF0123456789 x",
		// code
		"SECRET_KEY = config('SECRET_KEY', default='abcdefgh')", `x = env("SECRET_KEY", default="x")`, `x = os.getenv("X_PASSWORD") or "hunter2"`, `STRIPE = "sk_test_0123456789abcdef"`, `FERNET_KEY = "abc"`, "$db = new PDO(", "$db = new mysqli(",
		// remarks
		"# password hunter2", "# password: hunter2 for the db", "#DB_PASS hunter2", "// $pass = 'x'; old",
	} {
		if !credential(line) {
			t.Errorf("%q holds a credential", line)
		}
	}
	for _, line := range []string{
		"", "passwd:         files systemd", "shadow: files", "server_tokens off;", "ServerTokens OS", "proxy_pass http://127.0.0.1:8080;", "fastcgi_pass unix:/run/php.sock;", "ProxyPass http://127.0.0.1:8080/", "auth_basic_user_file /etc/nginx/users;",
		"auth_basic \"Restricted\";", "ssl_certificate_key /etc/ssl/private/x.key;", "proxy_set_header X-Token $http_x_token;", "proxy_cache_key $scheme$host$uri;", "env[DB_PASSWORD] = $DB_PASSWORD", "mysqli.default_pw =", "password=", "#password =",
		"password_encryption = scram-sha-256", "default_authentication_plugin=mysql_native_password", "old_passwords=0", "host all all 127.0.0.1/32 password", "PasswordAuthentication no", "PermitEmptyPasswords no", "smtp_sasl_password_maps = hash:/etc/postfix/sasl_passwd",
		"password\trequired\tpam_unix.so obscure", "@include common-password", "# The password file is read first; it holds a secret: nobody else reads it", "unix password sync = yes", "passwd program = /usr/bin/passwd %u", "ssl ciphers = HIGH:!aNULL:!MD5:!PSK:!RC4",
		"rewrite ^/(.*)$ /$1$is_args$args;", "deb https://packages.example.org stable main", "UUID=0123abcd-0123-0123-0123-0123456789ab / ext4 defaults 0 1", "0 3 * * * root PASSWORD=$(cat /root/x) backup", "'PASSWORD': os.environ['DB_PASSWORD'],", "'password' => env('DB_PASSWORD', ''),",
		"AuthType Basic", "log_format x '$http_x_token \"$request\"';", "0 * * * * root restic --password-file /root/pw backup /srv", "listen 443 ssl;", "passwd: password expiry information changed.",
		`mysqldump -p"$PASS" shop`, "mysql --protocol=tcp -e 'select 1'", "mysqladmin ping", `curl -su "$U:$P" http://x/`, `curl -H "Authorization: Bearer $TOKEN" http://x/`, `curl -H "X-Api-Key: $KEY" http://x/`, "curl -fsS -o /dev/null http://127.0.0.1:8080/health", "redis-cli -a $PASS ping",
		"ldapsearch -x -W -D cn=a", "docker login registry.example.org", "git clone https://git.example.org/x", "ssh://deploy@git.example.org/x", `proxy_set_header Authorization "";`, `proxy_set_header Authorization $http_authorization;`, "proxy_set_header Sec-WebSocket-Key $http_sec_websocket_key;",
		"http-request deny unless { req.hdr(x-api-key) -m found }", "http-request set-header X-Token %[req.hdr(x-token)]", "RewriteCond %{HTTP:X-Token} ^$", "RewriteCond %{HTTP:Authorization} ^(.*)", "RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]", "SECRET_KEY = os.environ.get('SECRET_KEY')",
		"SECRET_KEY = config('SECRET_KEY', default='')", "# Passwords are kept in the vault", "# Default password for the database, see the wiki", "HostKeyAlgorithms ecdsa-sha2-nistp256-cert-v01@openssh.com", "HostKey /etc/ssh/ssh_host_ed25519_key", "ssl_certificate_key /etc/letsencrypt/live/shop-2024-01-02-0001/privkey;",
		"smtp_sasl_password_maps = hash:/etc/postfix/sasl", "password_encryption = scram-sha-256 # md5 or scram-sha-256", "unzip -q a.zip -d x",
	} {
		if credential(line) {
			t.Errorf("%q holds no credential", line)
		}
	}
}

// Files of the policy's list are read where nothing in them is a credential, by their names, by patterns, and with the folder around them.
func TestConfigurationIsLookedInto(t *testing.T) {
	w, dir := planted(t, 1)
	p := *w.Policy
	p.Looked = append([]string{filepath.Join(dir, "conf/**/*.conf"), filepath.Join(dir, "conf/enabled/*"), filepath.Join(dir, "log/init.log")}, p.Looked...)
	w.Policy = &p
	plant(t, dir, map[string]string{
		"conf/a/plain.conf": "listen 80\n", "conf/b/db.conf": "x\npassword = hunter2\n", "conf/c/a.conf": "b\n", "conf/c/sub/b.conf": "c\n", "conf/available/site": "SetEnv DB_PASS hunter2\n", "conf/d/big.conf": strings.Repeat("x\n", maxLooked/2+1),
		"conf/e/old.conf.bak": "password = hunter2\n", "log/init.log": "Set the following 'random' passwords\n", "repos/one/settings.py": "DEBUG = False\n", "repos/two/settings.py": "SECRET_KEY = 'x'\n", "repos/two/a.py": "x = 1\n",
		"conf/g/nul.conf": "a\x00b\n", "conf/g/latin.conf": "gr\xfcn\n", "conf/g/umlaut.conf": "grün\n", "conf/g/line.conf": strings.Repeat("x", maxLine+1), "repos/two/settings/prod.py": "DEBUG = False\n", "repos/two/config.py": "TOKEN = 'abc'\n",
	}, map[string]string{"conf/enabled": "available", "conf/f": "b", "link.conf": "conf/b/db.conf"})
	c := dir + "/conf"
	wantGranted(t, w, map[string]bool{
		"cat " + c + "/a/plain.conf": true, "cat " + c + "/b/db.conf": false, "grep listen " + c + "/b/db.conf": false, "cat " + c + "/*/plain.conf": true, "cat " + c + "/*/*.conf": false, "cat " + c + "/e/old.conf.bak": false,
		"grep -r x " + c + "/c": true, "grep -r x " + c + "/b": false, "grep -r x " + c + "/f": false, "grep -r x " + c: false, "cat " + c + "/f/db.conf": false, "cat " + dir + "/link.conf": false,
		"cat /proc/self/root" + c + "/b/db.conf": false, "cat " + c + "/enabled/site": false, "cat < " + c + "/enabled/site": false, "cat " + c + "/d/big.conf": false, "cat " + c + "/g/nul.conf": false, "cat " + c + "/g/latin.conf": false, "cat " + c + "/g/umlaut.conf": true, "cat " + c + "/g/line.conf": false, "cat two/settings/prod.py": true, "cat two/config.py": false, "find " + c + "/c -name '*.conf' -exec cat {} +": true, "find " + c + "/b -name '*.conf' -exec cat {} +": false,
		"find " + c + "/b -type f -print0 | xargs -0 cat": false, "tail " + dir + "/log/init.log": false, "grep -r x " + dir + "/log": false, "ls -l " + c + "/b": true,
		"cat one/settings.py": true, "grep -r DEBUG one": true, "cat two/settings.py": false, "grep -r x two": false, "cat two/a.py": true, "docker exec web cat /app/settings.py": false,
		"docker exec web cat " + c + "/b/db.conf": true, // nobody can look there, and its name is on the list
	})
	if v := w.Shell("cat " + c + "/b/db.conf"); !strings.Contains(v.Reason, "a line of") {
		t.Errorf("the reason is %q", v.Reason)
	}
	for tool, granted := range map[string]bool{`{"file_path": "` + c + `/a/plain.conf"}`: true, `{"file_path": "` + c + `/b/db.conf"}`: false, `{"file_path": "` + c + `/enabled/site"}`: false} {
		if v := w.Judge("Read", []byte(tool)); v.Allow != granted {
			t.Errorf("Read %s: granted is %v; %s", tool, v.Allow, v.Reason)
		}
	}
}

// What lies on another machine's disk is looked into as what lies on this one.
func TestMeaningsOfPaths(t *testing.T) {
	for p, want := range map[string]string{
		"/host/etc/fstab": "/etc/fstab", "/mnt/rescue/etc/fstab": "/etc/fstab", "/usr/local/etc/haproxy/haproxy.cfg": "/etc/haproxy/haproxy.cfg", "/proc/1/root/etc/fstab": "/etc/fstab",
		"/proc/1/root/host/etc/fstab": "/etc/fstab", "/var/log/cloud-init-output.log.1.gz": "/var/log/cloud-init-output.log", "/host/etc/nginx/nginx.conf.bak": "/etc/nginx/nginx.conf",
	} {
		if got := meanings(p); !slices.Contains(got, want) {
			t.Errorf("%s means %q, want %s among it", p, got, want)
		}
	}
	for _, p := range []string{"/opt/splunk/etc/passwd", "/srv/etc/passwd"} {
		if got := meanings(p); slices.Contains(got, "/etc/passwd") {
			t.Errorf("%s means %q", p, got)
		}
	}
}

// A folder of an /etc is gone through, and each of its files is judged for itself.
func TestFoldersOfEtc(t *testing.T) {
	w, dir := planted(t, 1)
	etc := filepath.Join(dir, "machine/etc")
	p := *w.Policy
	p.Etc, p.Looked = []string{etc + "/web/mime.types"}, []string{etc + "/web/**/*.conf"}
	w.Policy = &p
	plant(t, dir, map[string]string{
		"machine/etc/web/web.conf": "a\n", "machine/etc/web/mime.types": "b\n", "machine/etc/web/conf.d/a.conf": "c\n", "machine/etc/web/sites/users": "joe:x\n", "machine/etc/other/a.conf": "x\n",
	}, nil)
	wantGranted(t, w, map[string]bool{
		"grep -r x " + etc + "/web/conf.d": true, "cat " + etc + "/web/web.conf": true, "cat " + etc + "/web/sites/users": false, "grep x " + etc + "/web/sites/users": false, "grep -r x " + etc + "/web/sites": false,
		"grep -r x " + etc + "/web": false, "grep -r x " + etc + "/other": false, "cat " + etc + "/other/a.conf": false, "grep -r x " + etc: false, "find " + etc + "/web -type f -exec cat {} +": false,
		"find " + etc + "/web -name '*.conf' -exec cat {} +": true, "find " + etc + "/web/conf.d -type f -exec cat {} +": true,
	})
}

// A mode takes from nobody what it has, and a folder keeps its owner.
func TestModesOnlyGive(t *testing.T) {
	w, dir := planted(t, 2)
	plant(t, dir, map[string]string{
		"srv/app/run": "x", "srv/app/data": "x", "srv/app/app.log": "x", "srv/app/own.log": "x", "srv/app/suid": "x", "srv/app/app.css": "x", "srv/shop.example.org/x": "x", "srv/drop/x": "x",
	}, map[string]string{"srv/led": "app"})
	for name, mode := range map[string]os.FileMode{
		"srv": 0o755, "srv/app": 0o755, "srv/app/run": 0o755, "srv/app/data": 0o640, "srv/app/app.log": 0o644, "srv/app/own.log": 0o600, "srv/app/app.css": 0o644,
		"srv/app/suid": 0o755 | os.ModeSetuid, "srv/shop.example.org": 0o755 | os.ModeSetgid, "srv/drop": 0o775 | os.ModeSticky,
	} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	// The folder of a test lies below /tmp, which is none of the machine's own.
	wantGranted(t, w, map[string]bool{
		"chmod 755 " + dir + "/srv/app": true, "chmod 775 " + dir + "/srv/app": true, "chmod 750 " + dir + "/srv/app": false, "chmod 644 " + dir + "/srv/app": false, "chmod 700 " + dir + "/srv/led": false,
		"chmod 644 " + dir + "/srv/app/run": false, "chmod 755 " + dir + "/srv/app/run": true, "chmod 640 " + dir + "/srv/app/data": true, "chmod 644 " + dir + "/srv/app/data": true, "chmod 600 " + dir + "/srv/app/data": false,
		"chmod 640 " + dir + "/srv/app/app.log": false, "chmod u-w " + dir + "/srv/app/app.log": false, "chmod g-w " + dir + "/srv/app/app.log": true,
		"chmod 755 " + dir + "/srv/app/suid": false, "chmod o+x " + dir + "/srv/app/suid": false, "chmod g+w " + dir + "/srv/shop.example.org": true, "chmod 775 " + dir + "/srv/shop.example.org": false, "chmod 775 " + dir + "/srv/drop": false,
		"chown app " + dir + "/srv/app/suid": false, "chown app " + dir + "/srv/app/app.css": true, "chown app " + dir + "/srv/app/own.log": true, "chown app " + dir + "/srv/shop.example.org": false,
		"chown app " + dir + "/srv/app/data": false, "chown app " + dir + "/srv/app": false, "chown app " + dir + "/srv/led": false, "chgrp app " + dir + "/srv/app/app.log": true,
	})
}
