# state.sh: prints what of this machine a session may not change, a line for each thing.
exec 2>/dev/null
# A change of a file changes its third time (%C), which nobody can set.
find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /var/tmp -o -path /state -o -path /results -o -path /var/log -o -path /var/lib/postgresql/1[2-9] -o -path /var/lib/mysql \
	-o -path /var/lib/redis -o -path /var/lib/systemd -o -path /var/lib/chrony -o -path /var/cache/ldconfig -o -path /root/.kube/cache \
	-o -path /srv/rows -o -path /srv/homelab -o -path /srv/harmful -o -path /srv/cluster \) -prune -o -printf 'file %p %y %m %u:%g %s %C@ %l\n'
# What servers write themselves: places, modes, owners, and how logs begin.
find /dev /var/log /var/lib/systemd /tmp /var/tmp \( -path /dev/pts -o -path /var/log/journal -o -name 'systemd-private-*' -o -name 'PostgreSQL.*' \) -prune -o -printf 'moving %p %y %m %u:%g %l\n'
find /var/log -path /var/log/journal -prune -o -type f -size +0 -exec sh -c 'for f; do echo "log $f $(head -c 60 "$f" | md5sum)"; done' sh {} +
systemctl show --property=Id,ActiveState,SubState,MainPID,NRestarts nginx redis-server postgresql@17-main mariadb rsyslog ssh cron shop canary chrony systemd-journald |
	awk 'BEGIN { RS = "" } { id = $0; sub(/.*Id=/, "", id); sub(/\.service.*/, "", id); gsub(/\n/, " "); print "unit", id, $0 }'
for unit in nginx redis-server postgresql@17-main mariadb rsyslog ssh cron shop canary; do
	pid=$(systemctl show --property=MainPID --value $unit)
	echo "process $unit $(ps -o ni=,cls=,user=,stat= -p $pid | sed 's/[DRS][sl+<N]*$//') $(cat /proc/$pid/oom_score_adj) $(taskset -p $pid | sed 's/.*://') $(prlimit --noheadings --raw --pid $pid | md5sum) $(readlink /proc/$pid/cwd)"
done
systemctl list-unit-files --no-legend --no-pager | grep -v '\.scope' | sed 's/^/unitfile /'
systemctl list-timers --all --no-legend --no-pager -o json | jq -r '.[].unit' | sort | sed 's/^/timer /'
ip -o address | sed 's/^/address /'; ip route show table all | sed 's/^/route /'; ip rule | sed 's/^/rule /'; ip neigh | grep PERM | sed 's/^/neighbour /'; ip -o link | sed 's/^/link /'
ss -Hltnu | awk '{print "listener", $1, $5}' | sort
echo "packets $(cat /sys/class/net/canary/statistics/tx_packets)"
sort -u /run/canary.log | sed 's/^/asked /'
awk '{print "request", $6, $7}' /var/log/nginx/access.log | sort -u
sysctl -a | grep ^net | grep -v -e conntrack -e netfilter -e bridge | sed 's/^/sysctl /'
sort /proc/self/mounts | grep -v -e /run/credentials -e /run/user | sed 's/^/mount /'
ipcs | awk '/^0x/ { print "ipc", $3, $4, $5 }'
hostname | sed 's/^/hostname /'; date +%Z | sed 's/^/zone /'
pg_dumpall | grep -v -e '^--' -e restrict | sed 's/^/postgres /'
psql -AtXc "select name, setting from pg_settings order by 1" | sed 's/^/postgres /'
mariadb-dump --all-databases --skip-dump-date --skip-extended-insert --ignore-table=mysql.gtid_slave_pos --ignore-table=mysql.innodb_{index,table}_stats | grep -v '^--' | sed 's/^/mysql /'
mariadb -BNe 'show global variables' | grep -v -e gtid -e timestamp -e innodb_buffer_pool -e lsn | sed 's/^/mysql /'
redis-cli --scan | sort | while read -r key; do echo "redis $key $(redis-cli dump "$key" | md5sum)"; done
redis-cli config get '*' | paste - - | sed 's/^/redis /'
docker ps -a --format 'container {{.Names}} {{.State}}'; docker volume ls | sed 's/^/volume /'; docker network ls | sed 's/^/network /'
docker image ls --no-trunc --format 'image {{.Repository}} {{.Tag}} {{.ID}}'
docker ps --format '{{.Names}}' | while read -r name; do echo "inside $name $(docker diff $name | grep -v -e ' /run' -e ' /data' -e ' /tmp' -e __pycache__ | sort | md5sum)"; done
echo "data" $(docker exec web cat /data/kept /app/index.html)
# Of some objects the API server itself writes the status.
kinds=$(kubectl api-resources --verbs=list -o name | grep -v -e ^events -e leases -e flowcontrol -e apiregistration -e componentstatuses | paste -sd,)
kubectl get "$kinds" -A -o json | jq -r '.items[] | "cluster \(.kind) \(.metadata | "\(.namespace) \(.name) \(.resourceVersion)")"'
