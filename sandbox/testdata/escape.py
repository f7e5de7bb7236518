# The same ideas as escape.c, as a script would try them: prints "NAME refused" or "NAME ESCAPED" for each.
import ctypes, fcntl, mmap, os, resource, shutil, signal, socket, subprocess, sys, multiprocessing

closed, readable, scratch, victim = os.environ["CLOSED"], os.environ["READABLE"], os.environ["SCRATCH"], int(os.environ["VICTIM"])
libc = ctypes.CDLL(None, use_errno=True)


def native(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


def datagram_from_pair():
    a, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    a.sendto(b"escape", closed + "/datagram")


def read_by_link():
    link = scratch + "/python-link"
    os.symlink(closed + "/secret", link)
    open(link).read()


def write_by_link():
    link = scratch + "/python-victim"
    os.symlink(readable + "/file", link)
    open(link, "a").write("escape")


def replace_scratch():
    os.rename(scratch, scratch + "-old")


attempts = {
    "read": lambda: open(closed + "/secret").read(),
    "read_by_link": read_by_link,
    "write_by_link": write_by_link,
    "replace_scratch": replace_scratch,
    "list": lambda: os.listdir(closed),
    "walk": lambda: next(os.walk(closed))[2][0],
    "copy": lambda: shutil.copy(closed + "/secret", scratch + "/python-copy"),
    "move": lambda: shutil.move(readable + "/file", scratch + "/python-moved"),
    "overwrite": lambda: open(readable + "/file", "w"),
    "append": lambda: open(readable + "/file", "a"),
    "remove": lambda: os.remove(readable + "/file"),
    "remove_tree": lambda: shutil.rmtree(readable + "/folder"),
    "mode": lambda: os.chmod(readable + "/file", 0o600),
    "owner": lambda: os.chown(readable + "/file", os.getuid(), os.getgid()),
    "times": lambda: os.utime(readable + "/file"),
    "attribute": lambda: os.setxattr(readable + "/file", "user.escape", b"x"),
    "truncate": lambda: os.truncate(readable + "/file", 0),
    "lock": lambda: fcntl.flock(open(readable + "/file"), fcntl.LOCK_EX | fcntl.LOCK_NB),
    "environ": lambda: open(f"/proc/{victim}/environ").read(),
    "memory": lambda: open(f"/proc/{victim}/mem", "rb"),
    "descriptor": lambda: os.readlink(f"/proc/{victim}/fd/0"),
    "kill": lambda: os.kill(victim, signal.SIGUSR1),
    "kill_group": lambda: os.killpg(victim, signal.SIGUSR1),
    "kill_pidfd": lambda: signal.pidfd_send_signal(os.pidfd_open(victim), signal.SIGUSR1),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, victim, 10),
    "affinity": lambda: os.sched_setaffinity(victim, {0}),
    "limits": lambda: resource.prlimit(victim, resource.RLIMIT_NOFILE, (10, 10)),
    "raise_limit": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1 << 19, 1 << 19)),
    "tcp": lambda: socket.create_connection(("127.0.0.1", 80), 1),
    "listen": lambda: socket.create_server(("127.0.0.1", 0)),
    "resolve": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 53)),
    "unix": lambda: socket.socket(socket.AF_UNIX).connect(closed + "/socket"),
    "unix_datagram": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", closed + "/datagram"),
    "datagram_from_pair": datagram_from_pair,
    "raw": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    "become": lambda: os.setuid(os.getuid() + 1),
    "groups": lambda: os.setgroups([0]),
    "chroot": lambda: os.chroot(scratch),
    "host_name": lambda: socket.sethostname("escape"),
    "ptrace": lambda: native(libc.ptrace(16, victim, 0, 0)),
    "mount": lambda: native(libc.mount(b"none", scratch.encode(), b"tmpfs", 0, None)),
    "unshare": lambda: native(libc.unshare(0x10000000)),
    "memfd": lambda: os.memfd_create("escape"),
    "semaphore": lambda: multiprocessing.Semaphore(),
    "pty": lambda: os.openpty(),
    "write_map": lambda: mmap.mmap(os.open(readable + "/file", os.O_RDONLY), 0, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE),
    "run_closed": lambda: subprocess.run([closed + "/program"]),
    "kernel_file": lambda: open("/proc/sys/kernel/core_pattern", "w"),
    "own_memory": lambda: open("/proc/self/mem", "r+b"),
}
for name, attempt in attempts.items():
    try:
        attempt()
        print(name, "ESCAPED")
    except (OSError, ValueError, shutil.Error, StopIteration, IndexError) as e:
        print(name, "refused", type(e).__name__)
    sys.stdout.flush()
