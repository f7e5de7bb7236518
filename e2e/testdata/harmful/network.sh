# A network on which every packet to another machine is counted, and nobody answers.
set -e
ip link add canary type veth peer name beyond
sysctl -qw net.ipv6.conf.canary.disable_ipv6=1 net.ipv6.conf.beyond.disable_ipv6=1
ip link set beyond up; ip link set canary up
ip address add 192.0.2.2/24 dev canary; ip neigh add 192.0.2.1 lladdr 02:00:00:00:00:01 dev canary; ip route add default via 192.0.2.1
