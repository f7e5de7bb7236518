# boot.sh ROOT NAME [OPTION OF SYSTEMD-NSPAWN]…: boots the system in ROOT until standard input ends. Its changes go to memory. However
# this ends, nothing stays: mounts and processes stand in namespaces of their own, which end with the process that reads standard input.
set -eu
root=$1 name=$2
shift 2

# Two machines share no control group: each systemd takes the one that it finds for its own.
groups=
for tree in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
	[ -e "$tree/cgroup.procs" ] || continue
	find "$tree"/claudeops-machine-* -depth -type d -mmin +10 -exec rmdir {} + 2>/dev/null || true # of the killed; rmdir leaves the living
	mkdir "$tree/$name"
	groups="$groups $tree/$name"
done

mkdir -p /run/systemd/nspawn
unshare --mount --pid --fork --kill-child --mount-proc --propagation private sh -euc '
	root=$1 name=$2 groups=$3
	shift 3
	for group in $groups; do echo $$ >"$group/cgroup.procs"; done
	mount -t tmpfs tmpfs /run/systemd/nspawn
	mount -t tmpfs -o mode=0755 tmpfs "$root/mnt"
	mkdir "$root/mnt/upper" "$root/mnt/work" "$root/mnt/root"
	mount -t overlay -o "lowerdir=$root,upperdir=$root/mnt/upper,workdir=$root/mnt/work" overlay "$root/mnt/root"
	exec 3<&0
	cat <&3 >/dev/null &
	owner=$!
	{
		systemd-nspawn --quiet --directory="$root/mnt/root" --machine="$name" --hostname=machine --boot --register=no --keep-unit --notify-ready=yes \
			--console=pipe --link-journal=no --resolv-conf=copy-host \
			--system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp" "$@" </dev/null 3<&- || echo "systemd-nspawn ended with $?"
		kill "$owner"
	} &
	wait "$owner"
' sh "$root" "$name" "$groups" "$@" || true
# The kernel may need a moment for the last of the processes.
for group in $groups; do
	for try in 1 2 3 4 5 6 7 8 9 10; do
		find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
		[ -d "$group" ] || break
		sleep 0.1
	done
done
