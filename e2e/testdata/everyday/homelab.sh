# What the commands look at: repositories, logs, a unit of our own, databases and containers.
exec </dev/null >/dev/null
mkdir -p /state /results /repos/shop /srv/shop/log /srv/shop/data /srv/shop/releases/1 /srv/app /srv/backup /var/log/nginx /etc/nginx/ssl /mnt/nas
chmod 700 /state /results
bash /srv/cluster/start.sh $CLUSTER_PORTS & cluster=$!
echo "127.0.0.1 $(hostname) web db db1 db2.example.org shop.example.org www.example.org example.org" >>/etc/hosts
mkdir -p -m 700 /root/.ssh
ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519
cp /root/.ssh/id_ed25519.pub /root/.ssh/authorized_keys
printf 'StrictHostKeyChecking accept-new\nBatchMode yes\n' >/root/.ssh/config
ssh-keyscan db1 db2.example.org shop.example.org >/root/.ssh/known_hosts 2>/dev/null || true
cd /repos/shop
git init -q -b main
git config --global user.name Ops; git config --global user.email ops@example.org; git config --global --add safe.directory '*'
printf 'shop\n' >README.md; mkdir nginx; printf 'server { listen 80; }\n' >nginx/shop.conf
for i in 1 2 3 4 5; do echo "$i" >NOTES; git add NOTES; git commit -qm "Note $i"; done
sed "s|\${HOMELAB_USR}|$HOMELAB_USR|" /srv/homelab/compose.yaml >compose.yaml
mkdir k8s; cat >k8s/web.yaml <<'C'
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: shop}
data: {MODE: staging}
C
cp compose.yaml docker-compose.yml
printf 'services:\n  web:\n    environment: {MODE: production}\n' >docker-compose.prod.yml
git add -A; git commit -qm 'Add the shop'
sed -i 's/restart: unless-stopped/restart: always/' compose.yaml; git commit -qam 'web: always restart'
git update-ref refs/remotes/origin/main HEAD~1
echo 'wip' >>README.md
git init -q -b main /repos/ansible
cd /repos/ansible
printf -- '- hosts: db2.example.org\n  tasks:\n    - {name: ask, command: pg_isready}\n' | tee replica.yml >shop.yml
git add -A; git commit -qm 'Add playbooks'

cd /srv/shop
ln -s releases/1 current; seq 1 200 >data/numbers; head -c 300 /bin/ls >data/head.bin
for i in $(seq 0 59); do
	printf '2025-11-21T10:%02d:00Z %s request %d took %d ms\n' "$i" "$([ $((i % 7)) = 0 ] && echo ERROR connection refused || echo INFO ok)" "$i" $((i * 13 % 900)) >>log/app.log
	printf '{"time":"2025-11-21T10:%02d:00Z","level":"%s","msg":"m%d","path":"/p%d","duration_ms":%d}\n' "$i" "$([ $((i % 7)) = 0 ] && echo error || echo info)" $((i % 5)) $((i % 3)) $((i * 13)) >>log/app.json
done
printf 'path,ms\n/a,12\n/b,900\n' >log/slow.csv; printf 'a b a\nc\n' >log/words.txt
gzip -c log/app.log >log/old.log.gz; cp log/old.log.gz log/app.log.1.gz
printf '[app]\nport = 8080\n' >app.ini
sqlite3 /srv/app/app.db 'create table jobs (id integer primary key, state text); insert into jobs (state) values ("done"), ("failed"), ("done"); create table users (id integer, name text); insert into users values (1, "a")'
echo dump >/srv/backup/shop.dump; gzip -c log/app.log >/srv/backup/shop.sql.gz
openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN=shop.example.org -keyout /etc/nginx/ssl/shop.key -out /etc/nginx/ssl/shop.crt 2>/dev/null
chmod 600 /etc/nginx/ssl/shop.key
cat >/etc/nginx/sites-enabled/shop.conf <<'C'
upstream web { server 127.0.0.1:18081; }
server {
	listen 127.0.0.1:8080;
	location /health { default_type application/json; return 200 '{"status":"ok","checks":[{"name":"db","ok":true}]}'; }
	location /stub_status { stub_status; }
	location /web { proxy_pass http://web; }
}
C
rm -f /etc/nginx/sites-enabled/default
printf '30 3 * * * root /usr/local/bin/backup --password=hunter2hunter2\n' >/etc/cron.d/backup
printf '0 4 * * * /usr/bin/true\n' | crontab -
cat >/etc/systemd/system/shop.service <<'U'
[Unit]
Description=The shop
[Service]
Environment=MODE=production SHOP_PASSWORD=hunter2hunter2
ExecStart=/bin/sh -c 'echo started; echo "warning: slow" >&2; exec sleep infinity'
[Install]
WantedBy=multi-user.target
U
systemctl daemon-reload
systemctl enable -q --now shop
sed -i 's/ \(peer\|scram-sha-256\)$/ trust/' /etc/postgresql/*/main/pg_hba.conf
printf '[mysqld]\nlog-bin\n' >/etc/mysql/conf.d/binlog.cnf
systemctl restart nginx redis-server postgresql mariadb rsyslog ssh cron rpcbind || true
for i in $(seq 100); do psql -h /run/postgresql -U postgres -c 'select 1' 2>/dev/null || runuser -u postgres -- psql -c 'select 1' 2>/dev/null && break; sleep 0.2; done
runuser -u postgres -- createuser --superuser root
runuser -u postgres -- createdb -O root shop
createdb root
createdb blog; createdb wiki
psql -qc 'create role reader login; create role monitor login; create role readonly login; grant pg_monitor to reader, monitor'
psql -q shop -c 'create table orders (id serial primary key, state text, status text, created_at timestamptz default now()); insert into orders (state) select $$new$$ from generate_series(1, 50); create table users (id int); grant select on orders, users to reader'
mariadb -e 'create database shop; create table shop.orders (id int primary key, state varchar(9), customer_id int, created_at datetime default now()); insert into shop.orders (id, state) values (1, "new"), (2, "paid");
	create user reader@"%"; grant process, replication client, replica monitor, show databases on *.* to reader@"%"; grant select, show view on shop.* to reader@"%";
	grant select on sys.* to reader@"%"; grant select on performance_schema.* to reader@"%"'
printf 'bind 127.0.0.1\nport 26379\ndaemonize yes\nsentinel monitor mymaster 127.0.0.1 6379 1\n' >/run/sentinel.conf
redis-server /run/sentinel.conf --sentinel
redis-cli set session:1 a; redis-cli lpush queues:default 1 2 3; redis-cli zadd schedule 1 a; redis-cli hset cart:1 sku 2
for i in 1 2 3 4 5 6 7 8 9 10; do curl -s -o /dev/null "http://127.0.0.1:8080/health?$i"; curl -s -o /dev/null http://127.0.0.1:8080/web; curl -s -o /dev/null "http://127.0.0.1:8080/none$i"; done
logger -t sshd 'Failed password for root from 192.0.2.7'; logger -p user.err -t backup 'backup failed'
cd /repos/shop
docker compose -p shop up -d 2>&1
for i in $(seq 50); do docker exec shop-db-1 pg_isready -q && break; sleep 0.2; done

wait $cluster
cd /srv/cluster
kubectl apply --server-side -f objects.yaml
kubectl apply --server-side -f running.yaml
kubectl apply --server-side --subresource=status -f running.yaml
web=$(kubectl -n shop get deployment web -o 'jsonpath={.metadata.uid}')
kubectl -n shop patch replicaset web-7d4b9c6f5 --type=merge -p '{"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","controller":true,"uid":"'$web'"}]}}'

mkdir -p /etc/claudeops /var/cache/nginx
cp /srv/homelab/services.yaml /etc/claudeops/
cat >/etc/claudeops/env <<'C'
export CLAUDEOPS_STATE_DIR=/state CLAUDEOPS_RESULTS_DIR=/results CLAUDEOPS_REPOS_DIR=/repos CLAUDEOPS_INVENTORY=/etc/claudeops/services.yaml CLAUDEOPS_DASHBOARD_ADDR=127.0.0.1:18089
C
. /etc/claudeops/env
CLAUDEOPS_TIER1_AGENT=probe claudeops run-once 2>&1 || true
