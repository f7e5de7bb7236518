# engine.sh FOLDER USR GROUP: runs a Docker engine until standard input ends: its socket is in FOLDER, for GROUP, and its containers find USR at
# /run/homelab. Its programs are this machine's. What it and its containers change goes to memory; network, processes and devices are its own.
set -eu
PATH=$PATH:/usr/sbin
command -v dockerd >/dev/null || { echo "dockerd is missing: install docker.io"; exit 1; }
unshare --mount --pid --net --ipc --uts --fork --kill-child --propagation private sh -euc '
	ip link set lo up
	mount -t tmpfs tmpfs /mnt
	mkdir /mnt/upper /mnt/work /mnt/root
	mount -t overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work overlay /mnt/root
	cd /mnt/root
	mount -t proc proc proc
	mount --rbind /sys sys
	mount -o remount,bind,ro sys
	mount -t tmpfs -o mode=0755 tmpfs dev
	for device in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 dev/${device%:*} c 1 ${device#*:}; done
	mount -t tmpfs tmpfs run
	mkdir dev/pts dev/shm run/engine run/homelab
	mount --bind "$1" run/engine
	mount --bind "$2" run/homelab
	mkdir run/below
	pivot_root . run/below
	umount --lazy /run/below
	exec 3<&0
	cat <&3 >/dev/null &
	owner=$!
	NOTIFY_SOCKET=/run/engine/ready dockerd --host unix:///run/engine/docker.sock --group "$3" --data-root /run/data --exec-root /run/docker \
		--pidfile /run/docker.pid --bridge=none --iptables=false --ip6tables=false </dev/null >&2 3<&- &
	wait $owner
' sh "$@" || true
