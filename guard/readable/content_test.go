package readable

import (
	"strings"
	"testing"
)

// A line is recognised by its structure, not by single words.
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
		if credentialIn([]byte(line)) == "" {
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
		if credentialIn([]byte(line)) != "" {
			t.Errorf("%q holds no credential", line)
		}
	}
}

func TestContents(t *testing.T) {
	for content, closed := range map[string]bool{
		"": false, "a = 1\n": false, "a\x00b\n": true, "gr\xfcn\n": true, "grün\n": false, strings.Repeat("x", maxLine+1): true, "a: 1\nkind: Secret\n": true, "kind: SecretStore\n": false, "{\"auths\": {}}": true,
		"users:\n- user: {client-key-data: x}\n": true, "set superusers=root\npassword_pbkdf2 root grub.pbkdf2.sha512.10000.0123456789ABCDEF": true, "SECRET_KEY_BASE=0123": true, "sentinel auth-pass main hunter2": true,
		"[http]\n\tproxy = joe:x@proxy:3128\n": true,
	} {
		if found := credentialIn([]byte(content)); (found != "") != closed {
			t.Errorf("%.40q: %q; want it closed: %v", content, found, closed)
		}
	}
	for content, want := range map[string]bool{
		"$ANSIBLE_VAULT;1.1;AES256\n01": true, "a: ENC[x]\nsops:\n  version: 3\n": true, "{\n  \"a\": \"ENC[x]\",\n  \"sops\": {}\n}": true, "kind: SealedSecret\n": true, "kind: SealedSecret\n---\nkind: Secret\n": false, "a: sops\n": false,
	} {
		if got := encrypted([]byte(content)); got != want {
			t.Errorf("%q is encrypted: %v", content, got)
		}
	}
}

// Any file yields a result that names an existing line.
func FuzzCredentialIn(f *testing.F) {
	f.Add([]byte("a = 1\npassword = hunter2\n"))
	f.Add([]byte("\xff\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		found := credentialIn(content)
		if with := credentialIn(append(append([]byte{}, content...), "\npassword = hunter2\n"...)); with == "" {
			t.Errorf("a credential behind %q is not found (%q before)", content, found)
		}
	})
}
