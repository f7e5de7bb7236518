package readable

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// verdict is what the name of a file says.
type verdict int

const (
	plain  verdict = iota // nothing: the place decides
	public                // that it holds none
	look                  // that it may hold a credential: its content decides
	sealed                // that it holds credentials: it is closed unless they are encrypted
	closed                // that it is a credential
)

// What names say. A pattern is a name in any folder, or the end of a path; * is any text within a name. Letters of either case are one.
var (
	// closedNames are keys, stores of credentials, memory, dumps of databases and their states.
	closedNames = &patterns{text: `
		.env .env.* *.env *.env.* *.env~ env.prod* env.local .dev.vars
		id_rsa* id_dsa* id_ecdsa* id_ed25519* ssh_host_*_key *.key *.key.* *.key~ *.keys *.keyring *.priv *.private *.p8 *.p12 *.pfx *.ppk *.jks *.keystore *.kdbx *.kdb *.keytab
		private_key* rsa_key.* deploy_key* sa-key.json master.key privkey* *keyfile* *secret_key* hs_ed25519_secret_key authkey key.txt keys.txt chap-secret*
		*.secret *.secrets *.creds *.passwd *_passwd *.pwd *htpasswd* *htdigest* smbpasswd passwd-s3fs passwd.client pw.txt pwd.txt pass.txt *passwd.txt sasl_passwd* vault-pass* vault_pass* .vault-pass* .vault_pass* vault.txt
		*.token token.txt *_token.txt token.json *-token.json
		.netrc _netrc .netrc.* .pgpass* .my.cnf* .mylogin.cnf .git-credentials .gitcredentials .npmrc.* .dockercfg .vault-token .htpasswd* .s3cfg .boto .rclone.conf .curlrc .wgetrc .mbsyncrc .msmtprc .fetchmailrc
		.erlang.cookie .google_authenticator .databrickscfg .terraformrc .credentials* .smbcredentials .passwd* .token* .secret* .mongorc.js .dbshell .*_history .histfile .lesshst .viminfo .Xauthority .ICEauthority
		*_history fish_history *repl_history
		*.tfstate *.tfstate.* *.tfplan crash.*.log *.rdb *.aof *.dump *.dump.* *.mdb core.[0-9]* *.hprof *.journal *.journal~ wallet.dat *.sql.* *.bundle
		grafana.db gitea.db vaultwarden/db.sqlite3* bitwarden/db.sqlite3* pocket-id.db authentik*.db
		*.ovpn wg[0-9]*.conf wireguard/*.conf krb5cc_* logins.json key[34].db signons.sqlite recentservers.xml sitemanager.xml filezilla.xml
		accesskeys*.csv rootkey.csv client_secret* *firebase-adminsdk* service-account*.json application_default_credentials.json auth.json acme*.json
		kube.config admin.conf super-admin.conf kubelet.conf controller-manager.conf scheduler.conf
		userlist.txt users.acl api-users.conf tomcat-users.xml mgmt-users.properties *jaas*.conf pg_service.conf rabbitmq/definitions.json
		postfix/*sql* postfix/ldap-* dovecot/*sql* dovecot/*ldap* dovecot/passwd* rsyslog.d/*sql* nginx/passwd nginx/users nginx/auth apache2/users httpd/users squid/passwd mosquitt*/passwd
		mysql/debian*.cnf* debian.cnf chrony.keys bind/rndc.key bind/*.key rndc.key opendkim/keys/* global/1260
		docker/config.json .docker/config.json .dockerconfigjson config.v2.json hostconfig.json argocd/config containers/auth.json .mc/config.json .oci/config .cargo/credentials*
		sess_* dump.pm2 credential.secret grub2/user.cfg *.php.bak *.php~ *.php.old *.php.save *.php.swp`}

	// closedCode is code that is known to hold credentials.
	closedCode = &patterns{text: `wp-config* configuration.php localsettings.php local_settings.py config.inc.php env.php config-db.php debian-db.php settings.*.php adminer-*.php .mongorc.js`}

	// closedFolders hold nothing but what is closed.
	closedFolders = &patterns{text: `
		.ssh .aws .azure .gnupg .kube .gcloud .oci .acme.sh .step .tsh .vnc .password-store .secrets .age .sops .cloudflared .docker/trust .git-crypt .terraform .subversion .cassandra .snowsql .vagrant .config/gh .config/gcloud .config/hcloud
		.config/sops .config/op .config/rclone .config/configstore .config/helm .config/argocd .config/ngrok .config/glab-cli .config/doctl .config/filezilla .mozilla .thunderbird
		private_keys credstore credstore.encrypted ssl/private tls/private dovecot/private pki/private opendkim/keys letsencrypt/accounts letsencrypt/keys zfs/keys credentials keyrings/session appendonlydir Maildir
		php/sessions slapd.d sudo-io tlog io.containerd.runtime.v1.linux io.containerd.runtime.v2.task io.containerd.grpc.v1.cri io.containerd.metadata.v1.bolt overlay-containers installer/cdebconf
		etc/gitlab-runner vaultwarden/data bitwarden/data ipsec.d/private swanctl/private etc/wireguard apt/auth.conf.d sudoers.d NetworkManager/system-connections`}

	// sealedFolders hold credentials, a file each, and now and then the code that uses them; suspectFolders the same beside configuration.
	sealedFolders  = &patterns{text: `secret secrets creds passwords .vault`}
	suspectFolders = &patterns{text: `private env keys`}

	// sharedFolders are hidden, and no more secret than others.
	sharedFolders = &patterns{text: `.git .github .gitlab .gitea .circleci .well-known .vscode .idea .devcontainer .husky .helm .pm2 .vitepress .docusaurus .storybook .changeset`}

	// sealedNames hold credentials, or the same encrypted, whose keys need no name that says so.
	sealedNames = &patterns{text: `
		secret.y*ml secrets.y*ml *-secret.y*ml *-secrets.y*ml *_secret.y*ml *_secrets.y*ml secrets.*.y*ml secret.json secrets.json *-secret.json *-secrets.json secrets.toml secrets.ini secrets.php vault.y*ml *_vault.y*ml *-vault.y*ml
		credentials credentials.y*ml credentials.json credentials.xml credentials.ini credentials.txt credentials.properties *-credentials *-credentials.json *_credentials *_credentials.json *-credentials.y*ml
		passwords.y*ml passwords.json passwords.txt password.txt passwords *password.txt *.tfvars.json
		token *_token *-token secret secrets key *-key`}

	// lookedNames are configuration in which a credential often stands, wherever it lies.
	lookedNames = &patterns{text: `
		.envrc .flaskenv .npmrc .yarnrc* .pypirc .gitconfig .my.cnf.example .zshenv .zshrc .bashrc .bash_profile .profile .pip/pip.conf pip.conf nuget.config .condarc .gemrc .bundle/config .s3curl .rtorrent.rc
		*.tfvars terraform.rc settings*.py settings/*.py config.py secrets.py secret.py database*.php db.php settings.php config.php parameters.y*ml database.y*ml* mongoid.y*ml storage.y*ml
		application*.y*ml application*.properties bootstrap*.y*ml appsettings*.json web.config server.xml context.xml standalone*.xml hibernate*.xml datasource*.properties persistence.xml ldap.toml custom.ini app.ini airflow.cfg
		alertmanager*.y*ml prometheus.y*ml blackbox*.y*ml loki*.y*ml telegraf.conf homeserver.y*ml harbor.yml gitlab.rb keycloak.conf guacamole.properties patroni*.y*ml pgbouncer.ini pgbackrest.conf
		redis*.conf sentinel*.conf rabbitmq.conf elasticsearch.y*ml kibana.y*ml logstash.y*ml supervisord*.conf slapd.conf postgresql.auto.conf recovery.conf rclone.conf clouds.y*ml *openrc* apprise.y*ml environment env *kubeconfig*
		mysql/*backup*.cnf mysql/*dump*.cnf *client*.cnf *galera*.cnf wsrep*.cnf my.cnf *.pem *.crt *.cer settings*.pyc cloud-init-output.log yum.repos.d/* netplan/*.y*ml network-scripts/ifcfg-* containerd/config.toml
		ansible.cfg hosts hosts.ini hosts.y*ml inventory inventory.ini inventory.y*ml group_vars/*.y*ml group_vars/*/*.y*ml host_vars/*.y*ml host_vars/*/*.y*ml
		*config*.php *connect*.php *settings*.php *database*.php config.js config.ts ecosystem.config.* knexfile.* ormconfig.* *_config.py celeryconfig.py *.conf.py secret_token.rb secrets.rb config/*.exs`}

	// publicNames look like one of the above and are none.
	publicNames = &patterns{text: `
		.env.example .env.sample .env.template .env.dist .env.defaults example.env sample.env template.env *.env.example *.env.sample *.env.template *.env.dist *.example *.sample *.example.y*ml *.sample.y*ml *.template.y*ml *.example.json *.sample.json *.example.toml *.pub ssh_known_hosts known_hosts
		*.tfvars.example .terraform.lock.hcl .gitignore .gitattributes .gitkeep .keep .dockerignore .editorconfig .helmignore .htaccess .gitlab-ci.yml .nvmrc .tool-versions .yamllint* .sops.yaml
		.ansible-lint .pre-commit-config.yaml .prettierrc* .eslintrc* .shellcheckrc .hadolint.yaml .trivyignore`}
)

// codeEndings are of text for programmers and readers: what such a file is called after, it is about.
var codeEndings = &patterns{text: `go py pyi js mjs cjs ts tsx jsx vue svelte rb rs java kt scala groovy c h cc cpp hpp cs swift lua pl pm ex exs erl hs clj php html htm css scss md rst adoc proto graphql tf hcl tmpl tpl j2 erb mod sum lock pyc
	svg png jpg jpeg gif ico feature snap po pot mo`}

// configurationEndings and configurationNames are of what programs read: small files called so are looked into.
var (
	configurationEndings = &patterns{text: `yaml yml json jsonc json5 toml ini cfg cnf conf config properties xml env tfvars plist rc reg cron service timer socket mount container netdev network nginx vhost inc caddy load local ks preseed sh bash
		zsh bat ps1`}
	configurationNames = &patterns{text: `*rc caddyfile dockerfile* makefile crontab *_params config`}
)

// code reports whether a name is one of text for programmers or readers.
func code(name string) bool { return codeEndings.match(extension(name)) }

// configuration reports whether a name is one of configuration.
func configuration(name string) bool {
	return configurationEndings.match(extension(name)) || configurationNames.match(name)
}

// extension is what follows the last dot of a name, in small letters.
func extension(name string) string { return strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")) }

// copies are the endings of copies, which people and programs make of files.
var copies = &patterns{text: `bak backup copy old orig save swp swo new gz bz2 xz zst disabled dpkg-old dpkg-new dpkg-dist dpkg-bak rpmsave rpmnew rpmorig ucf-old ucf-dist ucf-new`}

// dated is what a copy's name ends with, too.
var dated = regexp.MustCompile(`(?:[-.]20[0-9-]+|-wal|-shm|~)$`)

// original is the name of which another is a copy: the copy of a secret is one.
func original(p string) string {
	for {
		end := extension(p)
		switch {
		case copies.match(end) || end != "" && strings.Trim(end, "0123456789") == "":
			p = p[:len(p)-len(end)-1]
		case strings.HasSuffix(p, "~") || strings.Contains(p, "-"):
			cut := dated.ReplaceAllString(p, "")
			if cut == p {
				return p
			}
			p = cut
		default:
			return p
		}
	}
}

// named is what the name of a file says, wherever it lies: a name, or the end of a path.
func named(p string) verdict {
	v := namedAs(p)
	if v != plain && v != public {
		return v
	}
	if of := original(p); of != p {
		return max(v, namedAs(of))
	}
	return v
}

func namedAs(p string) verdict {
	switch {
	case publicNames.match(p):
		return public
	case closedCode.match(p) || closedNames.match(p) && !code(p):
		return closed
	case sealedNames.match(p):
		return sealed
	case lookedNames.match(p):
		return look
	case !code(p) && telling.MatchString(path.Base(p)):
		if configuration(path.Base(p)) {
			return look
		}
		return sealed
	case strings.HasPrefix(path.Base(p), ".") && !code(p):
		return look
	}
	return plain
}

// telling is a word for a credential in a name.
var telling = regexp.MustCompile(`(?i)passwd|password|credential|secret|passphrase|api[_-]?key|private[_-]?key`)

// folder is what the name of a folder says of all that lies below it.
func folder(p string) verdict {
	switch {
	case closedFolders.match(p):
		return closed
	case sealedFolders.match(p):
		return sealed
	case suspectFolders.match(p):
		return look
	}
	return plain
}

// below is what a name says of a file somewhere below a folder of which something was said.
func (of verdict) below(p string) verdict {
	v := named(p)
	switch {
	case of == plain, v == closed, v == public, v == sealed:
		return v
	case of == closed:
		return closed
	case code(p):
		return look
	case configuration(path.Base(p)):
		return of
	}
	return closed
}

// patterns are the ends of paths, parted by blanks, and read when they are first needed.
type patterns struct {
	text  string
	read  sync.Once
	exact map[string]bool
	globs []glob
}

// glob is a pattern with its number of names, and what its last name begins with, holds, and ends with.
type glob struct {
	pattern            string
	names              int
	head, middle, tail string
}

func (p *patterns) parse() {
	p.exact = map[string]bool{}
	for _, pattern := range strings.Fields(strings.ToLower(p.text)) {
		name := path.Base(pattern)
		if !strings.ContainsAny(pattern, "*?[/") {
			p.exact[name] = true
			continue
		}
		g := glob{pattern: pattern, names: strings.Count(pattern, "/") + 1, head: name}
		if first, last := strings.IndexAny(name, "*?["), strings.LastIndexAny(name, "*?]"); first >= 0 {
			g.head, g.tail = name[:first], name[last+1:]
			if parts := strings.Split(name, "*"); len(parts) == 3 && !strings.ContainsAny(name, "?[") {
				g.middle = parts[1]
			}
		}
		p.globs = append(p.globs, g)
	}
}

// match reports whether the end of a path fits one of the patterns.
func (p *patterns) match(full string) bool {
	p.read.Do(p.parse)
	full = strings.ToLower(full)
	name := full[strings.LastIndexByte(full, '/')+1:]
	return p.exact[name] || slices.ContainsFunc(p.globs, func(g glob) bool {
		return strings.HasPrefix(name, g.head) && strings.HasSuffix(name, g.tail) && strings.Contains(name, g.middle) && fits(g.pattern, lastNames(full, g.names))
	})
}

// lastNames are the last n names of a path; empty where it has fewer.
func lastNames(p string, n int) string {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] == '/' {
			if n--; n == 0 {
				return p[i+1:]
			}
		}
	}
	return p
}

// fits reports whether a path fits a pattern; the patterns here are well formed.
func fits(pattern, p string) bool {
	ok, err := path.Match(pattern, p)
	return ok && err == nil
}
