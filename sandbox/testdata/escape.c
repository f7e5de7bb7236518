// Called with "victim" it is the process that is to be reached; called with "effective" it says whether it runs as another user.
//
// Tries each way out of the sandbox, in a process of its own, and prints "NAME refused" or "NAME ESCAPED" for it, with the errno.
// An attempt that succeeds does no harm beyond the folders and processes that the test made for it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/seccomp.h>
#include <linux/filter.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#ifdef __x86_64__
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#else
#define LOADER "/lib/ld-linux-aarch64.so.1"
#endif

static const char *closed, *readable, *scratch; // folders
static int victim, msgid, shmid, semid;

// path makes a path below a folder, in one of a few buffers.
static char *path(const char *folder, const char *name) {
	static char buffers[8][4096];
	static int next;
	char *b = buffers[next++ % 8];
	snprintf(b, sizeof buffers[0], "%s/%s", folder, name);
	return b;
}
static char *proc(int pid, const char *name) {
	static char b[4096];
	snprintf(b, sizeof b, "/proc/%d/%s", pid, name);
	return b;
}

static int made(long result) { return result >= 0; }

// reads says whether a descriptor gives text.
static int reads(int fd) {
	char b[64];
	return fd >= 0 && read(fd, b, sizeof b) > 0;
}
static int opens(const char *file, int flags) { return made(open(file, flags | O_CLOEXEC, 0644)); }

// ---- reading what is closed

static int open_secret(void) { return reads(open(path(closed, "secret"), O_RDONLY)); }
static int openat_secret(void) { return reads(openat(open(closed, O_PATH), "secret", O_RDONLY)); }
static int openat2_secret(void) {
	uint64_t how[3] = {O_RDONLY, 0, 0};
	return reads(syscall(437, AT_FDCWD, path(closed, "secret"), how, sizeof how));
}
static int list_closed_folder(void) { return opendir(closed) != NULL; }
static int open_by_own_link(void) {
	char *link = path(scratch, "link");
	unlink(link);
	symlink(path(closed, "secret"), link);
	return reads(open(link, O_RDONLY));
}
static int open_by_listed_link(void) { return reads(open(path(readable, "link"), O_RDONLY)); }
static int open_by_proc_root(void) {
	char b[8192];
	snprintf(b, sizeof b, "/proc/self/root%s/secret", closed);
	return reads(open(b, O_RDONLY));
}
static int open_by_working_folder(void) { return chdir(closed) == 0 && reads(open("secret", O_RDONLY)); }
static int open_by_dot_dot(void) {
	char b[8192];
	snprintf(b, sizeof b, "%s/../../../../../../../../..%s/secret", scratch, closed);
	return reads(open(b, O_RDONLY));
}
static int reopen_path_descriptor(void) {
	char b[64];
	snprintf(b, sizeof b, "/proc/self/fd/%d", open(path(closed, "secret"), O_PATH));
	return reads(open(b, O_RDONLY));
}
static int open_by_handle(void) {
	struct { struct file_handle h; char rest[128]; } handle = {.h = {.handle_bytes = 128}};
	int mount;
	if (name_to_handle_at(AT_FDCWD, path(closed, "secret"), &handle.h, &mount, 0) < 0)
		return 0;
	return reads(open_by_handle_at(open("/", O_RDONLY | O_DIRECTORY), &handle.h, O_RDONLY));
}
static int open_by_forged_handle(void) {
	struct stat st;
	struct { struct file_handle h; uint32_t inode[2]; } handle = {.h = {.handle_bytes = 8, .handle_type = 1}};
	stat(path(closed, "secret"), &st);
	handle.inode[0] = st.st_ino;
	return reads(open_by_handle_at(open(scratch, O_RDONLY | O_DIRECTORY), &handle.h, O_RDONLY));
}
static int hard_link_into_scratch(void) { return link(path(closed, "secret"), path(scratch, "hard")) == 0; }
static int hard_link_by_descriptor(void) {
	char b[64];
	snprintf(b, sizeof b, "/proc/self/fd/%d", open(path(closed, "secret"), O_PATH));
	return linkat(AT_FDCWD, b, AT_FDCWD, path(scratch, "hard2"), AT_SYMLINK_FOLLOW) == 0;
}
static int hard_link_readable(void) { return link(path(readable, "file"), path(scratch, "hard3")) == 0; }
static int rename_into_scratch(void) { return rename(path(closed, "secret"), path(scratch, "moved")) == 0; }
static int exchange_with_scratch(void) {
	close(creat(path(scratch, "mine"), 0600));
	return syscall(SYS_renameat2, AT_FDCWD, path(scratch, "mine"), AT_FDCWD, path(closed, "secret"), 2) == 0;
}
static int execute_closed(void) {
	if (fork() == 0) {
		execl(path(closed, "program"), "program", "effective", (char *)0);
		_exit(99);
	}
	int status;
	wait(&status);
	return WEXITSTATUS(status) != 99;
}
static int execute_closed_descriptor(void) {
	if (fork() == 0) {
		char *argv[] = {"program", "effective", 0};
		syscall(SYS_execveat, open(path(closed, "program"), O_PATH), "", argv, argv + 2, AT_EMPTY_PATH);
		_exit(99);
	}
	int status;
	wait(&status);
	return WEXITSTATUS(status) != 99;
}
static int load_closed_library(void) {
	if (fork() == 0) {
		close(2);
		execl(LOADER, "ld", path(closed, "program"), "effective", (char *)0);
		_exit(99);
	}
	int status;
	wait(&status);
	return WEXITSTATUS(status) != 99 && WEXITSTATUS(status) != 127 && WEXITSTATUS(status) != 126;
}
static int read_fifo_of_others(void) { return opens(path(closed, "fifo"), O_RDONLY | O_NONBLOCK); }
static int write_fifo_of_others(void) { return opens(path(readable, "fifo"), O_RDWR | O_NONBLOCK); }
static int copy_closed(void) {
	loff_t from = 0;
	return syscall(SYS_copy_file_range, open(path(closed, "secret"), O_PATH), &from, creat(path(scratch, "copy"), 0600), NULL, 64, 0) > 0;
}
static int acct_closed(void) { return acct(path(closed, "victim")) == 0; }
static int swap_closed(void) { return syscall(SYS_swapon, path(closed, "victim"), 0) == 0; }

// ---- another process

static int victim_environ(void) { return reads(open(proc(victim, "environ"), O_RDONLY)); }
static int victim_memory(void) { return opens(proc(victim, "mem"), O_RDONLY); }
static int victim_memory_write(void) { return opens(proc(victim, "mem"), O_RDWR); }
static int victim_root(void) {
	char b[8192];
	snprintf(b, sizeof b, "/proc/%d/root%s/secret", victim, closed);
	return reads(open(b, O_RDONLY));
}
static int victim_folder(void) { return reads(open(proc(victim, "cwd/secret"), O_RDONLY)); }
static int victim_descriptor(void) { return reads(open(proc(victim, "fd/0"), O_RDONLY)); }
static int victim_descriptor_name(void) { char b[64]; return readlink(proc(victim, "fd/0"), b, sizeof b) > 0; }
static int victim_descriptor_state(void) { return reads(open(proc(victim, "fdinfo/0"), O_RDONLY)); }
static int victim_maps(void) { return reads(open(proc(victim, "maps"), O_RDONLY)); }
static int victim_map_files(void) {
	DIR *d = opendir(proc(victim, "map_files"));
	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.')
			return 1;
	return 0;
}
static int victim_stack(void) { return reads(open(proc(victim, "stack"), O_RDONLY)); }
static int victim_syscall(void) { return reads(open(proc(victim, "syscall"), O_RDONLY)); }
static int victim_auxv(void) { return reads(open(proc(victim, "auxv"), O_RDONLY)); }
static int victim_program(void) { char b[64]; return readlink(proc(victim, "exe"), b, sizeof b) > 0; }
static int victim_namespace(void) { return opens(proc(victim, "ns/mnt"), O_RDONLY); }
static int victim_enter(void) { return setns(syscall(SYS_pidfd_open, victim, 0), CLONE_NEWNS) == 0; }
static int victim_name(void) { return opens(proc(victim, "comm"), O_WRONLY); }
static int victim_oom(void) { return opens(proc(victim, "oom_score_adj"), O_WRONLY); }
static int victim_oom_old(void) { return opens(proc(victim, "oom_adj"), O_WRONLY); }
static int victim_clear_refs(void) { return opens(proc(victim, "clear_refs"), O_WRONLY); }
static int victim_core_filter(void) { return opens(proc(victim, "coredump_filter"), O_WRONLY); }
static int victim_loginuid(void) { return opens("/proc/self/loginuid", O_WRONLY); }
static int victim_take_descriptor(void) { return made(syscall(438, syscall(SYS_pidfd_open, victim, 0), 0, 0)); }
static int ptrace_attach(void) { return ptrace(PTRACE_ATTACH, victim, 0, 0) == 0; }
static int ptrace_seize(void) { return ptrace(PTRACE_SEIZE, victim, 0, 0) == 0; }
static int ptrace_parent(void) { return ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0; }
static int ptrace_child(void) {
	int child = fork();
	if (child == 0)
		for (;;)
			pause();
	int r = ptrace(PTRACE_SEIZE, child, 0, 0) == 0; // would let a call change after it was judged
	kill(child, SIGKILL);
	return r;
}
static int process_vm_read(void) {
	char b[8];
	struct iovec local = {b, 8}, remote = {(void *)0x400000, 8};
	return process_vm_readv(victim, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT;
}
static int process_vm_write(void) {
	char b[8] = "";
	struct iovec local = {b, 8}, remote = {(void *)0x400000, 8};
	return process_vm_writev(victim, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT;
}
static int process_madvise_(void) {
	struct iovec v = {0, 0};
	return made(syscall(440, syscall(SYS_pidfd_open, victim, 0), &v, 1, 20 /* MADV_COLD */, 0));
}
static int kcmp_(void) { return made(syscall(SYS_kcmp, victim, getpid(), 0, 0, 0)); }
static int migrate_pages_(void) { unsigned long n = 1; return made(syscall(SYS_migrate_pages, victim, 64, &n, &n)); }
static int move_pages_(void) { return made(syscall(SYS_move_pages, victim, 0, NULL, NULL, NULL, 0)); }
static int robust_list(void) { void *head; size_t n; return syscall(SYS_get_robust_list, victim, &head, &n) == 0; }

// ---- signals and the shim

// shim is the first process above that is not of this one's session.
static int shim(void) {
	int pid = getppid();
	for (int i = 0; i < 64; i++) {
		FILE *f = fopen(proc(pid, "stat"), "r");
		int parent = 0, session = 0;
		if (!f || fscanf(f, "%*d %*s %*c %d %*d %d", &parent, &session) != 2)
			exit(0);
		fclose(f);
		if (session != getsid(0))
			return pid;
		pid = parent;
	}
	exit(0); // outside of a sandbox there is none
}

static int kill_victim(void) { return kill(victim, SIGUSR1) == 0; }
static int kill_zero(void) { return kill(victim, 0) == 0; }
static int kill_group(void) { return kill(-victim, SIGUSR1) == 0; }
static int kill_all(void) { kill(-1, SIGUSR1); return 0; } // the victim tells
static int kill_init(void) { return kill(1, SIGUSR1) == 0; }
static int tkill_victim(void) { return syscall(SYS_tkill, victim, SIGUSR1) == 0; }
static int tgkill_victim(void) { return syscall(SYS_tgkill, victim, victim, SIGUSR1) == 0; }
static int sigqueue_victim(void) { return sigqueue(victim, SIGUSR1, (union sigval){0}) == 0; }
static int tgsigqueue_victim(void) {
	siginfo_t info = {.si_signo = SIGUSR1, .si_code = SI_QUEUE};
	return syscall(SYS_rt_tgsigqueueinfo, victim, victim, SIGUSR1, &info) == 0;
}
static int pidfd_signal(void) { return syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, victim, 0), SIGUSR1, NULL, 0) == 0; }
static int signal_by_owner(void) {
	int pair[2];
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	if (fcntl(pair[0], F_SETOWN, victim) < 0 && fcntl(pair[0], F_SETSIG, SIGUSR1) < 0)
		return 0;
	fcntl(pair[0], F_SETFL, O_ASYNC);
	return made(write(pair[1], "x", 1)) && 0; // the victim tells
}
static int signal_by_owner_ex(void) {
	struct f_owner_ex owner = {F_OWNER_PID, victim};
	int pair[2];
	pipe(pair);
	return fcntl(pair[0], F_SETOWN_EX, &owner) == 0;
}
static int signal_by_ioctl(void) {
	int pair[2];
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	return ioctl(pair[0], 0x8901 /* FIOSETOWN */, &victim) == 0;
}
static int signal_by_ioctl_group(void) {
	int pair[2];
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	return ioctl(pair[0], 0x8902 /* SIOCSPGRP */, &victim) == 0;
}
static int signal_by_upper_bits(void) { // an int of which the kernel reads the lower half
	int pair[2];
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	return syscall(SYS_fcntl, pair[0], 0x100000000L | F_SETOWN, victim) == 0;
}
static int signal_by_timer(void) {
	struct sigevent e = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	e._sigev_un._tid = victim;
	timer_t t;
	return timer_create(CLOCK_REALTIME, &e, &t) == 0;
}
static int kill_shim(void) { return kill(shim(), SIGSTOP) == 0 || kill(shim(), SIGUSR1) == 0 || kill(shim(), SIGKILL) == 0; }
// each_thread tries a file or a signal on each thread of the shim, of which one is confined as this process is.
static int each_thread(const char *file, int signal) {
	DIR *d = opendir(proc(shim(), "task"));
	for (struct dirent *e; d && (e = readdir(d));) {
		int thread = atoi(e->d_name);
		char b[256], target[64];
		snprintf(b, sizeof b, "/proc/%d/task/%d/%s", shim(), thread, file ? file : "");
		if (thread && signal && (syscall(SYS_tgkill, shim(), thread, signal) == 0 || syscall(SYS_tkill, thread, signal) == 0 || kill(thread, signal) == 0))
			return 1;
		if (thread && file && (reads(open(b, O_RDONLY)) || readlink(b, target, sizeof target) > 0))
			return 1;
	}
	return d == NULL;
}
static int stop_thread_of_shim(void) { return each_thread(NULL, SIGSTOP); }
static int kill_thread_of_shim(void) { return each_thread(NULL, SIGKILL); }
static int shim_environ(void) { return each_thread("environ", 0); }
static int shim_maps(void) { return each_thread("maps", 0); }
static int shim_auxv(void) { return each_thread("auxv", 0); }
static int shim_descriptor(void) { return each_thread("fd/3", 0); }
static int shim_folder(void) { return each_thread("cwd", 0); }
static int shim_memory(void) {
	DIR *d = opendir(proc(shim(), "task"));
	for (struct dirent *e; d && (e = readdir(d));) {
		char b[256];
		snprintf(b, sizeof b, "/proc/%d/task/%s/mem", shim(), e->d_name);
		if (opens(b, O_RDONLY) || opens(b, O_RDWR))
			return 1;
	}
	return d == NULL;
}

// ---- what others have

static int limits_of_victim(void) {
	struct rlimit l = {10, 10};
	return prlimit(victim, RLIMIT_NOFILE, &l, NULL) == 0;
}
static int priority_of_victim(void) { return setpriority(PRIO_PROCESS, victim, 15) == 0; }
static int priority_of_group(void) { return setpriority(PRIO_PGRP, victim, 15) == 0; }
static int priority_of_user(void) { return setpriority(PRIO_USER, getuid(), 15) == 0; }
static int affinity_of_victim(void) {
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	return sched_setaffinity(victim, sizeof set, &set) == 0;
}
static int scheduler_of_victim(void) { struct sched_param p = {0}; return sched_setscheduler(victim, SCHED_BATCH, &p) == 0; }
static int parameters_of_victim(void) { struct sched_param p = {0}; return sched_setparam(victim, &p) == 0; }
static int attributes_of_victim(void) {
	struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t a, b, c; } attr = {48, SCHED_BATCH, 0, 5, 0, 0, 0, 0};
	return syscall(SYS_sched_setattr, victim, &attr, 0) == 0;
}
static int io_priority_of_victim(void) { return syscall(SYS_ioprio_set, 1, victim, 3 << 13) == 0; }
static int io_priority_of_user(void) { return syscall(SYS_ioprio_set, 3, getuid(), 3 << 13) == 0; }
static int shared_memory(void) { return made(shmget(IPC_PRIVATE, 4096, 0600)); }
static int shared_memory_of_others(void) { return shmat(shmid, NULL, 0) != (void *)-1; }
static int shared_memory_remove(void) { return shmctl(shmid, IPC_RMID, NULL) == 0; }
static int message_queue(void) { return made(msgget(IPC_PRIVATE, 0600)); }
static int message_to_others(void) { struct { long type; char text[4]; } m = {1, "esc"}; return msgsnd(msgid, &m, 4, IPC_NOWAIT) == 0; }
static int message_of_others(void) { char b[128]; return msgrcv(msgid, b, 64, 0, IPC_NOWAIT) >= 0; }
static int semaphore(void) { return made(semget(IPC_PRIVATE, 1, 0600)); }
static int semaphore_of_others(void) { struct sembuf op = {0, 1, IPC_NOWAIT}; return semop(semid, &op, 1) == 0; }
static int posix_queue(void) { return made(mq_open("/escape", O_CREAT | O_RDWR, 0600, NULL)); }
static int posix_queue_remove(void) { return mq_unlink("/of-others") == 0; }
static int posix_memory(void) { return made(shm_open("/escape", O_CREAT | O_RDWR, 0600)); }
static int anonymous_file(void) { return made(memfd_create("escape", 0)); }
static int secret_memory(void) { return made(syscall(447, 0)); }
static int shared_anonymous(void) { return mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED; }
static int shared_zeros(void) { return mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open("/dev/zero", O_RDWR), 0) != MAP_FAILED; }
static int huge_page(void) { return mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0) != MAP_FAILED || errno == ENOMEM; }
static int lock_others_file(void) { return flock(open(path(readable, "file"), O_RDONLY), LOCK_EX | LOCK_NB) == 0; }
static int lease_others_file(void) { return fcntl(open(path(readable, "file"), O_RDONLY), F_SETLEASE, F_RDLCK) == 0; }
static int notify_others_folder(void) { return fcntl(open(readable, O_RDONLY), F_NOTIFY, DN_CREATE) == 0; }
static int fanotify(void) { return made(syscall(SYS_fanotify_init, 0x200, O_RDONLY)); }

// ---- changing what can be read

static int write_readable(void) { return opens(path(readable, "file"), O_WRONLY); }
static int write_readable_both(void) { return opens(path(readable, "file"), O_RDWR); }
static int append_readable(void) { return opens(path(readable, "file"), O_WRONLY | O_APPEND); }
static int write_closed(void) { return opens(path(closed, "victim"), O_WRONLY); }
static int create_closed(void) { return opens(path(closed, "new"), O_CREAT | O_WRONLY); }
static int create_readable(void) { return opens(path(readable, "new"), O_CREAT | O_WRONLY); }
static int create_unnamed(void) { return opens(readable, O_TMPFILE | O_RDWR); }
static int truncate_by_open(void) { return opens(path(readable, "file"), O_RDONLY | O_TRUNC); }
static int truncate_by_no_access(void) { return opens(path(readable, "file"), O_ACCMODE | O_TRUNC); }
static int truncate_by_openat2(void) { uint64_t how[3] = {O_RDONLY | O_TRUNC, 0, 0}; return made(syscall(437, AT_FDCWD, path(readable, "file"), how, sizeof how)); }
static int truncate_by_creat(void) { return made(creat(path(readable, "file"), 0644)); }
static int truncate_path(void) { return truncate(path(readable, "file"), 0) == 0; }
static int truncate_closed(void) { return truncate(path(closed, "victim"), 0) == 0; }
static int truncate_descriptor(void) { return ftruncate(open(path(readable, "file"), O_RDONLY), 0) == 0; }
static int allocate(void) { return fallocate(open(path(readable, "file"), O_RDONLY), 0, 0, 10) == 0; }
static int map_writable(void) { return mmap(0, 4096, PROT_WRITE, MAP_SHARED, open(path(readable, "file"), O_RDONLY), 0) != MAP_FAILED; }
static int map_then_protect(void) {
	void *m = mmap(0, 4096, PROT_READ, MAP_SHARED, open(path(readable, "file"), O_RDONLY), 0);
	return m != MAP_FAILED && mprotect(m, 4096, PROT_READ | PROT_WRITE) == 0;
}
static int reopen_writable(void) {
	char b[64];
	snprintf(b, sizeof b, "/proc/self/fd/%d", open(path(readable, "file"), O_RDONLY));
	return opens(b, O_RDWR);
}
static int no_access_mode(void) { return opens(path(readable, "file"), O_ACCMODE); }
static int make_folder(void) { return mkdir(path(readable, "new"), 0755) == 0; }
static int make_link(void) { return symlink("x", path(readable, "new")) == 0; }
static int make_hard_link(void) { return link(path(readable, "file"), path(readable, "new")) == 0; }
static int make_fifo(void) { return mkfifo(path(readable, "new"), 0644) == 0; }
static int make_node(void) { return mknod(path(readable, "new"), S_IFREG | 0644, 0) == 0; }
static int remove_file(void) { return unlink(path(readable, "file")) == 0; }
static int remove_folder(void) { return rmdir(path(readable, "folder")) == 0; }
static int rename_file(void) { return rename(path(readable, "file"), path(readable, "new")) == 0; }
static int rename_out(void) { close(creat(path(scratch, "out"), 0644)); return rename(path(scratch, "out"), path(readable, "new")) == 0; }
static int rename_over(void) { close(creat(path(scratch, "over"), 0644)); return rename(path(scratch, "over"), path(readable, "file")) == 0; }
static int link_out(void) { close(creat(path(scratch, "out2"), 0644)); return link(path(scratch, "out2"), path(readable, "new")) == 0; }
static int rename_scratch(void) { return rename(scratch, path(readable, "new")) == 0; }
static int remove_scratch(void) { return rmdir(scratch) == 0 || errno == ENOTEMPTY; }
static int mode(void) { return chmod(path(readable, "file"), 0600) == 0; }
static int mode_closed(void) { return chmod(path(closed, "victim"), 0600) == 0; }
static int mode_descriptor(void) { return fchmod(open(path(readable, "file"), O_RDONLY), 0600) == 0; }
static int mode_at(void) { return fchmodat(AT_FDCWD, path(readable, "file"), 0600, 0) == 0; }
static int mode_at2(void) { return syscall(452, AT_FDCWD, path(readable, "file"), 0600, AT_SYMLINK_NOFOLLOW) == 0; }
static int mode_at2_empty(void) { return syscall(452, open(path(closed, "victim"), O_PATH), "", 0600, AT_EMPTY_PATH) == 0; }
static int mode_by_link(void) {
	symlink(path(readable, "file"), path(scratch, "mode"));
	return chmod(path(scratch, "mode"), 0600) == 0;
}
static int mode_by_descriptor_path(void) {
	char b[64];
	snprintf(b, sizeof b, "/proc/self/fd/%d", open(path(closed, "victim"), O_PATH));
	return chmod(b, 0600) == 0;
}
static int owner(void) { return chown(path(readable, "file"), getuid(), getgid()) == 0; }
static int owner_other(void) { return chown(path(readable, "file"), 12345, 12345) == 0; }
static int owner_link(void) { return lchown(path(readable, "link"), getuid(), getgid()) == 0; }
static int owner_descriptor(void) { return fchown(open(path(readable, "file"), O_RDONLY), getuid(), getgid()) == 0; }
static int owner_at(void) { return fchownat(open(path(closed, "victim"), O_PATH), "", getuid(), getgid(), AT_EMPTY_PATH) == 0; }
static int times(void) { return utimes(path(readable, "file"), NULL) == 0; }
static int times_old(void) { return utime(path(readable, "file"), NULL) == 0; }
static int times_at(void) { struct timespec t[2] = {{1, 0}, {1, 0}}; return utimensat(AT_FDCWD, path(closed, "victim"), t, 0) == 0; }
static int times_descriptor(void) { struct timespec t[2] = {{1, 0}, {1, 0}}; return futimens(open(path(readable, "file"), O_RDONLY), t) == 0; }
static int times_futimesat(void) { return futimesat(AT_FDCWD, path(readable, "file"), NULL) == 0; }
static int attribute(void) { return setxattr(path(readable, "file"), "user.escape", "x", 1, 0) == 0; }
static int attribute_link(void) { return lsetxattr(path(readable, "file"), "user.escape", "x", 1, 0) == 0; }
static int attribute_descriptor(void) { return fsetxattr(open(path(readable, "file"), O_RDONLY), "user.escape", "x", 1, 0) == 0; }
static int attribute_at(void) { struct { uint64_t value; uint32_t size, flags; } a = {(uint64_t)(uintptr_t)"x", 1, 0}; return syscall(463, AT_FDCWD, path(readable, "file"), 0, "user.escape", &a, 16) == 0; }
static int attribute_remove(void) { return removexattr(path(readable, "file"), "user.mine") == 0; }
static int attribute_remove_at(void) { return syscall(466, AT_FDCWD, path(readable, "file"), 0, "user.mine") == 0; }
static int flags_by_ioctl(void) { int f = 0x40 | 0x80; return ioctl(open(path(readable, "file"), O_RDONLY), _IOW('f', 2, long), &f) == 0; }
static int flags_by_ioctl_upper_bits(void) { int f = 0x40 | 0x80; return syscall(SYS_ioctl, open(path(readable, "file"), O_RDONLY), 0x100000000L | _IOW('f', 2, long), &f) == 0; }
static int flags_by_fsxattr(void) { char x[28] = {0}; return ioctl(open(path(readable, "file"), O_RDONLY), _IOW('X', 32, char[28]), x) == 0; }
static int flags_by_file_setattr(void) { uint64_t a[3] = {0}; return syscall(469, AT_FDCWD, path(readable, "file"), a, sizeof a, 0) == 0; }
static int version_by_ioctl(void) { int v = 7; return ioctl(open(path(readable, "file"), O_RDONLY), _IOW('v', 2, long), &v) == 0; }
static int verity_by_ioctl(void) { uint64_t v[16] = {1 | 1ULL << 32}; return ioctl(open(path(readable, "file"), O_RDONLY), _IOW('f', 133, char[128]), v) == 0; }
static int encryption_by_ioctl(void) { char p[12] = {0}; return ioctl(open(path(readable, "folder"), O_RDONLY), _IOR('f', 19, char[12]), p) == 0; }
static int subvolume_by_ioctl(void) { char v[4096] = "........new"; return ioctl(open(readable, O_RDONLY), _IOW(0x94, 14, char[4096]), v) == 0 || errno == ENOTTY; }
static int terminal_by_ioctl(void) { return ioctl(0, TIOCSTI, "x") == 0; }
static int console_by_ioctl(void) { char c = 2; return ioctl(0, 0x541C /* TIOCLINUX */, &c) == 0; }

// ---- devices and the kernel's files

static int device_node(void) { return mknod(path(scratch, "null"), S_IFCHR | 0666, 1 << 8 | 3) == 0; }
static int block_node(void) { return mknod(path(scratch, "disk"), S_IFBLK | 0666, 254 << 8) == 0; }
static int socket_node(void) { return mknod(path(scratch, "sock"), S_IFSOCK | 0666, 0) == 0; }
static int whiteout_node(void) { return mknod(path(scratch, "white"), S_IFCHR, 0) == 0; }
static int whiteout_by_rename(void) {
	close(creat(path(scratch, "white2"), 0644));
	return syscall(SYS_renameat2, AT_FDCWD, path(scratch, "white2"), AT_FDCWD, path(scratch, "white3"), 4) == 0;
}
static int device_memory(void) { return opens("/dev/mem", O_RDONLY); }
static int device_messages(void) { return opens("/dev/kmsg", O_RDONLY | O_NONBLOCK); }
static int device_terminal(void) { return opens("/dev/tty", O_RDWR); }
static int device_console(void) { return opens("/dev/console", O_WRONLY); }
static int device_pty(void) { return opens("/dev/ptmx", O_RDWR); }
static int device_fuse(void) { return opens("/dev/fuse", O_RDWR); }
static int device_no_access(void) { return opens("/dev/kmsg", O_ACCMODE); }
static int device_disk(void) { return opens("/dev/vda", O_RDONLY) || opens("/dev/sda", O_RDONLY); }
static int proc_memory(void) { return opens("/proc/self/mem", O_RDWR); }
static int proc_kcore(void) { return opens("/proc/kcore", O_RDONLY); }
static int proc_sysrq(void) { return opens("/proc/sysrq-trigger", O_WRONLY); }
static int proc_core_pattern(void) { return opens("/proc/sys/kernel/core_pattern", O_WRONLY); }
static int proc_hostname(void) { return opens("/proc/sys/kernel/hostname", O_WRONLY); }
static int proc_forward(void) { return opens("/proc/sys/net/ipv4/ip_forward", O_WRONLY); }
static int proc_uid_map(void) { return opens("/proc/self/uid_map", O_WRONLY); }
static int proc_label(void) { return opens("/proc/self/attr/exec", O_WRONLY); }
static int proc_own_oom(void) { return opens("/proc/self/oom_score_adj", O_WRONLY); }
static int proc_messages(void) { return opens("/proc/kmsg", O_RDONLY | O_NONBLOCK); }
static int sys_file(void) { return opens("/sys/kernel/profiling", O_WRONLY) || opens("/sys/power/state", O_WRONLY) || opens("/sys/kernel/mm/transparent_hugepage/enabled", O_WRONLY); }
static int sys_cgroup(void) { return opens("/sys/fs/cgroup/cgroup.procs", O_WRONLY) || mkdir("/sys/fs/cgroup/escape", 0755) == 0; }
static int sys_trace(void) { return opens("/sys/kernel/tracing/trace_marker", O_WRONLY) || opens("/sys/kernel/debug/tracing/trace_marker", O_WRONLY); }

// ---- sockets

static int socket_of(int family, int type, int protocol) { return made(socket(family, type, protocol)); }
static int tcp(void) { return socket_of(AF_INET, SOCK_STREAM, 0); }
static int tcp6(void) { return socket_of(AF_INET6, SOCK_STREAM, 0); }
static int udp(void) { return socket_of(AF_INET, SOCK_DGRAM, 0); }
static int udp6(void) { return socket_of(AF_INET6, SOCK_DGRAM, 0); }
static int mptcp(void) { return socket_of(AF_INET, SOCK_STREAM, 262); }
static int sctp(void) { return socket_of(AF_INET, SOCK_SEQPACKET, 132); }
static int icmp(void) { return socket_of(AF_INET, SOCK_DGRAM, IPPROTO_ICMP); }
static int raw(void) { return socket_of(AF_INET, SOCK_RAW, IPPROTO_ICMP); }
static int packet(void) { return socket_of(AF_PACKET, SOCK_RAW, htons(3)); }
static int vsock(void) { return socket_of(AF_VSOCK, SOCK_STREAM, 0); }
static int alg(void) { return socket_of(AF_ALG, SOCK_SEQPACKET, 0); }
static int unix_stream(void) { return socket_of(AF_UNIX, SOCK_STREAM, 0); }
static int unix_datagram(void) { return socket_of(AF_UNIX, SOCK_DGRAM, 0); }
static int unix_packet(void) { return socket_of(AF_UNIX, SOCK_SEQPACKET, 0); }
static int unix_protocol_one(void) { return socket_of(AF_UNIX, SOCK_STREAM, PF_UNIX); }
static int all_families(void) {
	for (int family = 0; family < 64; family++)
		for (int type = 1; type <= 10; type++)
			if (family != AF_NETLINK && socket(family, type, 0) >= 0)
				return 1;
	return 0;
}
static int all_netlink(void) {
	for (int protocol = 1; protocol < 32; protocol++)
		if (protocol != NETLINK_SOCK_DIAG && socket(AF_NETLINK, SOCK_RAW, protocol) >= 0)
			return 1;
	return 0;
}
static int family_upper_bits(void) { return made(syscall(SYS_socket, 0x100000000L | AF_INET, SOCK_STREAM, 0)); }
static int netlink_as_broker(void) { return made(socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT)); }
static void path_address(struct sockaddr_un *a, const char *file) {
	memset(a, 0, sizeof *a);
	a->sun_family = AF_UNIX;
	strncpy(a->sun_path, file, sizeof a->sun_path - 1);
}
static int pair_datagram(void) { int p[2]; return socketpair(AF_UNIX, SOCK_DGRAM, 0, p) == 0; }
static int pair_upper_bits(void) { int p[2]; return syscall(SYS_socketpair, AF_UNIX, 0x100000000L | SOCK_DGRAM, 0, p) == 0; }
static int pair_sends(int type) {
	int p[2];
	struct sockaddr_un a;
	path_address(&a, path(closed, "datagram"));
	return socketpair(AF_UNIX, type, 0, p) == 0 && sendto(p[0], "escape", 6, 0, (struct sockaddr *)&a, sizeof a) > 0 && 0; // the server tells
}
static int pair_stream_sends(void) { return pair_sends(SOCK_STREAM); }
static int pair_packet_sends(void) { return pair_sends(SOCK_SEQPACKET); }
static int pair_connects(void) {
	int p[2];
	struct sockaddr_un a;
	path_address(&a, path(closed, "socket"));
	socketpair(AF_UNIX, SOCK_STREAM, 0, p);
	close(p[1]);
	return connect(p[0], (struct sockaddr *)&a, sizeof a) == 0;
}
static int pair_disconnects(void) {
	int p[2];
	struct sockaddr a = {.sa_family = AF_UNSPEC};
	socketpair(AF_UNIX, SOCK_STREAM, 0, p);
	return connect(p[0], &a, sizeof a) == 0;
}
static int pair_binds_abstract(void) {
	int p[2];
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	strcpy(a.sun_path + 1, "escape");
	socketpair(AF_UNIX, SOCK_STREAM, 0, p);
	return bind(p[0], (struct sockaddr *)&a, 2 + 7) == 0;
}
static int pair_binds_path(void) {
	int p[2];
	socketpair(AF_UNIX, SOCK_STREAM, 0, p);
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	strcpy(a.sun_path, "escape.so"); // as long as an address of netlink
	return chdir(scratch) == 0 && bind(p[0], (struct sockaddr *)&a, 12) == 0;
}
static int pair_listens(void) { int p[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, p); return listen(p[0], 1) == 0; }
static int broker_connects(void) { // a connection to the broker is one to nobody else
	struct sockaddr_un a;
	path_address(&a, path(closed, "socket"));
	int s = socket(AF_UNIX, SOCK_STREAM, 0x6F70);
	return s >= 0 && connect(s, (struct sockaddr *)&a, sizeof a) == 0;
}
static int netlink_request(int protocol, int type, const void *body, int size) {
	char b[512] = {0};
	struct nlmsghdr *h = (void *)b;
	*h = (struct nlmsghdr){NLMSG_LENGTH(size), type, NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE, 1, 0};
	memcpy(NLMSG_DATA(h), body, size);
	int s = socket(AF_NETLINK, SOCK_RAW, protocol);
	if (s < 0 || send(s, b, h->nlmsg_len, 0) < 0 || recv(s, b, sizeof b, 0) <= 0)
		return 0;
	struct nlmsgerr *e = NLMSG_DATA(h);
	errno = h->nlmsg_type == NLMSG_ERROR ? -e->error : 0;
	return errno == 0;
}
static int netlink_address(void) {
	struct { struct ifaddrmsg a; struct rtattr r; uint32_t ip; } m = {{AF_INET, 32, 0, 0, 1}, {8, IFA_LOCAL}, htonl(0x7f010203)};
	return netlink_request(NETLINK_ROUTE, RTM_NEWADDR, &m, sizeof m);
}
static int netlink_link_down(void) {
	struct ifinfomsg m = {.ifi_family = AF_UNSPEC, .ifi_index = 1, .ifi_change = 0x40, .ifi_flags = 0x40};
	return netlink_request(NETLINK_ROUTE, RTM_NEWLINK, &m, sizeof m);
}
static int netlink_destroy(void) { char m[56] = {AF_INET, IPPROTO_TCP}; return netlink_request(NETLINK_SOCK_DIAG, 21, m, sizeof m); }

// ---- the system

static int new_namespace(int flag) { return unshare(flag) == 0; }
static int namespace_user(void) { return new_namespace(CLONE_NEWUSER); }
static int namespace_mount(void) { return new_namespace(CLONE_NEWNS); }
static int namespace_network(void) { return new_namespace(CLONE_NEWNET); }
static int namespace_process(void) { return new_namespace(CLONE_NEWPID); }
static int namespace_time(void) { return new_namespace(0x80); }
static int clone_with(unsigned long flags) {
	long pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(0);
	return pid > 0;
}
static int clone_user(void) { return clone_with(CLONE_NEWUSER); }
static int clone_mount(void) { return clone_with(CLONE_NEWUSER | CLONE_NEWNS); }
static int clone_network(void) { return clone_with(CLONE_NEWNET); }
static int clone_upper_bits(void) { return clone_with(0x100000000UL | CLONE_NEWUSER); }
static int clone_untraced(void) { return clone_with(CLONE_UNTRACED | CLONE_NEWCGROUP); }
static int clone3_user(void) {
	uint64_t args[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
	long pid = syscall(435, args, sizeof args);
	if (pid == 0)
		_exit(0);
	return pid > 0;
}
static int clone3_plain(void) { // its flags cannot be seen by a filter
	uint64_t args[8] = {0, 0, 0, 0, SIGCHLD};
	long pid = syscall(435, args, sizeof args);
	if (pid == 0)
		_exit(0);
	return pid > 0;
}
static int mount_bind(void) { return mount(closed, scratch, NULL, MS_BIND, NULL) == 0; }
static int mount_tmpfs(void) { return mount("none", scratch, "tmpfs", 0, NULL) == 0; }
static int mount_proc(void) { return mount("none", scratch, "proc", 0, NULL) == 0; }
static int unmount(void) { return umount2("/proc", MNT_DETACH) == 0; }
static int mount_fsopen(void) { return made(syscall(430, "tmpfs", 0)); }
static int mount_open_tree(void) { return made(syscall(428, AT_FDCWD, closed, 1)); }
static int mount_move(void) { return syscall(429, AT_FDCWD, closed, AT_FDCWD, scratch, 0) == 0; }
static int mount_attributes(void) { uint64_t a[4] = {1}; return syscall(442, AT_FDCWD, scratch, 0, a, sizeof a) == 0; }
static int mount_pick(void) { return made(syscall(433, AT_FDCWD, "/", 0)); }
static int root_folder(void) { return chroot(scratch) == 0; }
static int root_pivot(void) { return syscall(SYS_pivot_root, scratch, scratch) == 0; }
static int host_name(void) { return sethostname("escape", 6) == 0; }
static int domain_name(void) { return setdomainname("escape", 6) == 0; }
static int clock_set(void) { struct timespec t; clock_gettime(CLOCK_REALTIME, &t); return clock_settime(CLOCK_REALTIME, &t) == 0; }
static int clock_day(void) { struct timeval t; gettimeofday(&t, NULL); return settimeofday(&t, NULL) == 0; }
static int clock_adjust(void) { struct timex x = {.modes = ADJ_TICK, .tick = 10000}; return adjtimex(&x) >= 0; }
static int keyboard_reboot(void) { return syscall(SYS_reboot, 0xfee1dead, 672274793, 0, 0) == 0; }
static int module_load(void) { return syscall(SYS_init_module, "", 0, "") == 0 || errno == ENOEXEC; }
static int module_load_file(void) { return syscall(SYS_finit_module, open(path(readable, "file"), O_RDONLY), "", 0) == 0 || errno == ENOEXEC; }
static int module_remove(void) { return syscall(SYS_delete_module, "escape", O_NONBLOCK) == 0 || errno == ENOENT; }
static int kexec(void) { return syscall(SYS_kexec_load, 0, 0, NULL, 0) == 0; }
static int kernel_log(void) { char b[64]; return syscall(SYS_syslog, 3, b, sizeof b) >= 0; }
static int hang_up(void) { return syscall(SYS_vhangup) == 0; }
static int quota(void) { return syscall(SYS_quotactl, 0x800001 << 8, NULL, 0, NULL) == 0; }
static int bpf_map(void) { uint32_t a[32] = {2, 4, 4, 1}; return made(syscall(SYS_bpf, 0, a, sizeof a)); }
static int bpf_next(void) { uint32_t a[32] = {0}; return syscall(SYS_bpf, 11, a, sizeof a) == 0; }
static int perf(void) { uint32_t a[32] = {1, sizeof a}; return made(syscall(SYS_perf_event_open, a, 0, -1, -1, 0)); }
static int page_faults(void) { return made(syscall(SYS_userfaultfd, 1)); }
static int ring(void) { char p[120] = {0}; return made(syscall(425, 4, p)); }
static int asynchronous(void) { unsigned long c = 0; return syscall(SYS_io_setup, 4, &c) == 0; }
static int key_add(void) { return made(syscall(SYS_add_key, "user", "escape", "x", 1, -4)); }
static int key_request(void) { return made(syscall(SYS_request_key, "user", "escape", "x", -4)); }
static int key_join(void) { return made(syscall(SYS_keyctl, 1, NULL)); }
static int second_listener(void) {
	struct sock_filter f = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
	struct sock_fprog p = {1, &f};
	return made(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &p));
}

// ---- privileges

static int become_root(void) { return getuid() != 0 && (setuid(0) == 0 || setreuid(0, 0) == 0 || setresuid(0, 0, 0) == 0); }
static int become_other(void) { return setuid(getuid() + 7) == 0; }
static int become_group(void) { return setgid(getgid() + 7) == 0; }
static int become_groups(void) { gid_t g[] = {0, 4, 27}; return setgroups(3, g) == 0; }
static int become_filesystem(void) { setfsuid(getuid() + 7); return setfsuid(-1) != (int)getuid(); }
static int raise_capabilities(void) {
	struct __user_cap_header_struct h = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct d[2] = {{~0U, ~0U, 0}, {~0U, ~0U, 0}};
	return syscall(SYS_capset, &h, d) == 0;
}
static int raise_ambient(void) { return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0) == 0; }
static int bounding_set(void) { return getuid() == 0 && prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN) == 1; }
static int secure_bits(void) { return prctl(PR_SET_SECUREBITS, 1) == 0; }
static int new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1; }
static int setuid_program(void) {
	if (fork() == 0) {
		execl(path(readable, "setuid"), "setuid", "effective", (char *)0);
		_exit(0);
	}
	int status;
	wait(&status);
	return WEXITSTATUS(status) == 42; // it ran as another
}
static int personality_(void) { return made(syscall(SYS_personality, 0x0400000)); }
static int more_files(void) { struct rlimit l = {1 << 20, 1 << 20}; return setrlimit(RLIMIT_NOFILE, &l) == 0; }
static int more_memory(void) { struct rlimit l = {RLIM_INFINITY, RLIM_INFINITY}; return setrlimit(RLIMIT_DATA, &l) == 0; }
static int lose_mark(void) { struct rlimit l = {1, 1}; return setrlimit(RLIMIT_LOCKS, &l) == 0; }
static int lose_mark_old(void) { struct rlimit l = {1, 1}; return syscall(SYS_setrlimit, RLIMIT_LOCKS, &l) == 0; }
static int lose_mark_upper_bits(void) { struct rlimit l = {1, 1}; return syscall(SYS_prlimit64, 0, 0x100000000L | RLIMIT_LOCKS, &l, NULL) == 0; }
static int lose_mark_by_pid(void) { struct rlimit l = {1, 1}; return prlimit(getpid(), RLIMIT_LOCKS, &l, NULL) == 0; }

// set says whether a file of the scratch folder would run as its owner.
static int set(const char *name) {
	struct stat st;
	return stat(path(scratch, name), &st) == 0 && st.st_mode & 06000;
}
static int setuid_open(void) { close(open(path(scratch, "s1"), O_CREAT | O_RDWR, 04755)); return set("s1"); }
static int setuid_creat(void) { close(creat(path(scratch, "s2"), 06755)); return set("s2"); }
static int setuid_mknod(void) { mknod(path(scratch, "s3"), S_IFREG | 02755, 0); return set("s3"); }
static int setuid_chmod(void) { close(creat(path(scratch, "s4"), 0755)); chmod(path(scratch, "s4"), 04755); return set("s4"); }
static int setuid_fchmod(void) { int f = creat(path(scratch, "s5"), 0755); fchmod(f, 04755); return set("s5"); }
static int setuid_tmpfile(void) {
	struct stat st;
	return fstat(open(scratch, O_TMPFILE | O_RDWR, 04755), &st) == 0 && st.st_mode & 06000;
}

#ifdef __x86_64__
static int io_ports(void) { return syscall(SYS_ioperm, 0x80, 1, 1) == 0; }
static int io_level(void) { return syscall(SYS_iopl, 3) == 0; }
static int descriptor_table(void) { char b[64]; return made(syscall(SYS_modify_ldt, 0, b, sizeof b)); }
static int int80(long nr, long a, long b, long c) {
	long r;
	__asm__ volatile("int $0x80" : "=a"(r) : "0"(nr), "b"(a), "c"(b), "d"(c) : "memory", "r8", "r9", "r10", "r11");
	errno = r < 0 ? -r : 0;
	return r >= 0;
}
static int int80_pid(void) { return int80(20, 0, 0, 0); }
static int int80_kill(void) { return int80(37, victim, SIGUSR1, 0); }
static int int80_socket(void) { return int80(359, AF_INET, SOCK_STREAM, 0); }
static int int80_unshare(void) { return int80(310, CLONE_NEWUSER, 0, 0); }
static int x32_socket(void) { return made(syscall(0x40000000 | SYS_socket, AF_INET, SOCK_STREAM, 0)); }
static int x32_ptrace(void) { return made(syscall(0x40000000 | 521, PTRACE_SEIZE, victim, 0, 0)); }
static int x32_kill(void) { return made(syscall(0x40000000 | SYS_kill, victim, SIGUSR1)); }
static int old_mode(void) { return syscall(SYS_chmod, path(closed, "victim"), 0600) == 0; }
static int old_owner(void) { return syscall(SYS_chown, path(closed, "victim"), getuid(), getgid()) == 0; }
static int old_open(void) { return reads(syscall(SYS_open, path(closed, "secret"), O_RDONLY)); }
static int old_library(void) { return syscall(SYS_uselib, path(readable, "file")) == 0; }
#endif

#define TRY(f) {#f, f}
static const struct { const char *name; int (*try)(void); } attempts[] = {
	TRY(open_secret), TRY(openat_secret), TRY(openat2_secret), TRY(list_closed_folder), TRY(open_by_own_link), TRY(open_by_listed_link),
	TRY(open_by_proc_root), TRY(open_by_working_folder), TRY(open_by_dot_dot), TRY(reopen_path_descriptor), TRY(open_by_handle),
	TRY(open_by_forged_handle), TRY(hard_link_into_scratch), TRY(hard_link_by_descriptor), TRY(hard_link_readable), TRY(rename_into_scratch),
	TRY(exchange_with_scratch), TRY(execute_closed), TRY(execute_closed_descriptor), TRY(load_closed_library), TRY(read_fifo_of_others),
	TRY(write_fifo_of_others), TRY(copy_closed), TRY(acct_closed), TRY(swap_closed), TRY(victim_environ), TRY(victim_memory),
	TRY(victim_memory_write), TRY(victim_root), TRY(victim_folder), TRY(victim_descriptor), TRY(victim_descriptor_name), TRY(victim_descriptor_state), TRY(victim_maps),
	TRY(victim_map_files), TRY(victim_stack), TRY(victim_syscall), TRY(victim_auxv), TRY(victim_program), TRY(victim_namespace),
	TRY(victim_enter), TRY(victim_name), TRY(victim_oom), TRY(victim_oom_old), TRY(victim_clear_refs), TRY(victim_core_filter),
	TRY(victim_loginuid), TRY(victim_take_descriptor), TRY(ptrace_attach), TRY(ptrace_seize), TRY(ptrace_parent), TRY(ptrace_child),
	TRY(process_vm_read), TRY(process_vm_write), TRY(process_madvise_), TRY(kcmp_), TRY(migrate_pages_), TRY(move_pages_), TRY(robust_list),
	TRY(kill_victim), TRY(kill_zero), TRY(kill_group), TRY(kill_all), TRY(kill_init), TRY(tkill_victim), TRY(tgkill_victim),
	TRY(sigqueue_victim), TRY(tgsigqueue_victim), TRY(pidfd_signal), TRY(signal_by_owner), TRY(signal_by_owner_ex), TRY(signal_by_ioctl),
	TRY(signal_by_ioctl_group), TRY(signal_by_upper_bits), TRY(signal_by_timer), TRY(kill_shim), TRY(stop_thread_of_shim), TRY(kill_thread_of_shim), TRY(shim_environ), TRY(shim_maps), TRY(shim_auxv), TRY(shim_descriptor), TRY(shim_folder), TRY(shim_memory),
	 TRY(limits_of_victim),
	TRY(priority_of_victim), TRY(priority_of_group), TRY(priority_of_user), TRY(affinity_of_victim), TRY(scheduler_of_victim),
	TRY(parameters_of_victim), TRY(attributes_of_victim), TRY(io_priority_of_victim), TRY(io_priority_of_user), TRY(shared_memory),
	TRY(shared_memory_of_others), TRY(shared_memory_remove), TRY(message_queue), TRY(message_to_others), TRY(message_of_others),
	TRY(semaphore), TRY(semaphore_of_others), TRY(posix_queue), TRY(posix_queue_remove), TRY(posix_memory), TRY(anonymous_file),
	TRY(secret_memory), TRY(shared_anonymous), TRY(shared_zeros), TRY(huge_page), TRY(lock_others_file), TRY(lease_others_file), TRY(notify_others_folder), TRY(fanotify), TRY(write_readable),
	TRY(write_readable_both), TRY(append_readable), TRY(write_closed), TRY(create_closed), TRY(create_readable), TRY(create_unnamed),
	TRY(truncate_by_open), TRY(truncate_by_no_access), TRY(truncate_by_openat2), TRY(truncate_by_creat), TRY(truncate_path),
	TRY(truncate_closed), TRY(truncate_descriptor), TRY(allocate), TRY(map_writable), TRY(map_then_protect), TRY(reopen_writable),
	TRY(no_access_mode), TRY(make_folder), TRY(make_link), TRY(make_hard_link), TRY(make_fifo), TRY(make_node), TRY(remove_file),
	TRY(remove_folder), TRY(rename_file), TRY(rename_out), TRY(rename_over), TRY(link_out), TRY(rename_scratch), TRY(remove_scratch),
	TRY(mode), TRY(mode_closed), TRY(mode_descriptor), TRY(mode_at), TRY(mode_at2), TRY(mode_at2_empty), TRY(mode_by_link),
	TRY(mode_by_descriptor_path), TRY(owner), TRY(owner_other), TRY(owner_link), TRY(owner_descriptor), TRY(owner_at), TRY(times),
	TRY(times_old), TRY(times_at), TRY(times_descriptor), TRY(times_futimesat), TRY(attribute), TRY(attribute_link),
	TRY(attribute_descriptor), TRY(attribute_at), TRY(attribute_remove), TRY(attribute_remove_at), TRY(flags_by_ioctl),
	TRY(flags_by_ioctl_upper_bits), TRY(flags_by_fsxattr), TRY(flags_by_file_setattr), TRY(version_by_ioctl), TRY(verity_by_ioctl),
	TRY(encryption_by_ioctl), TRY(subvolume_by_ioctl), TRY(terminal_by_ioctl), TRY(console_by_ioctl), TRY(device_node), TRY(block_node),
	TRY(socket_node), TRY(whiteout_node), TRY(whiteout_by_rename), TRY(device_memory), TRY(device_messages), TRY(device_terminal),
	TRY(device_console),
	TRY(device_pty), TRY(device_fuse), TRY(device_no_access), TRY(device_disk), TRY(proc_memory), TRY(proc_kcore), TRY(proc_sysrq),
	TRY(proc_core_pattern), TRY(proc_hostname), TRY(proc_forward), TRY(proc_uid_map), TRY(proc_label), TRY(proc_own_oom), TRY(proc_messages),
	TRY(sys_file), TRY(sys_cgroup), TRY(sys_trace), TRY(tcp), TRY(tcp6), TRY(udp), TRY(udp6), TRY(mptcp), TRY(sctp), TRY(icmp), TRY(raw),
	TRY(packet), TRY(vsock), TRY(alg), TRY(unix_stream), TRY(unix_datagram), TRY(unix_packet), TRY(unix_protocol_one), TRY(all_families),
	TRY(all_netlink), TRY(family_upper_bits), TRY(netlink_as_broker), TRY(pair_datagram), TRY(pair_upper_bits), TRY(pair_stream_sends),
	TRY(pair_packet_sends), TRY(pair_connects), TRY(pair_disconnects), TRY(pair_binds_abstract), TRY(pair_binds_path), TRY(pair_listens),
	TRY(broker_connects), TRY(netlink_address), TRY(netlink_link_down), TRY(netlink_destroy), TRY(namespace_user), TRY(namespace_mount),
	TRY(namespace_network), TRY(namespace_process), TRY(namespace_time), TRY(clone_user), TRY(clone_mount), TRY(clone_network),
	TRY(clone_upper_bits), TRY(clone_untraced), TRY(clone3_user), TRY(clone3_plain), TRY(mount_bind), TRY(mount_tmpfs), TRY(mount_proc),
	TRY(unmount), TRY(mount_fsopen), TRY(mount_open_tree), TRY(mount_move), TRY(mount_attributes), TRY(mount_pick), TRY(root_folder),
	TRY(root_pivot), TRY(host_name), TRY(domain_name), TRY(clock_set), TRY(clock_day), TRY(clock_adjust), TRY(keyboard_reboot),
	TRY(module_load), TRY(module_load_file), TRY(module_remove), TRY(kexec), TRY(kernel_log), TRY(hang_up), TRY(quota),
	TRY(bpf_map), TRY(bpf_next), TRY(perf), TRY(page_faults), TRY(ring), TRY(asynchronous), TRY(key_add), TRY(key_request), TRY(key_join),
	TRY(second_listener), TRY(become_root), TRY(become_other), TRY(become_group), TRY(become_groups), TRY(become_filesystem),
	TRY(raise_capabilities), TRY(raise_ambient), TRY(bounding_set), TRY(secure_bits), TRY(new_privileges), TRY(setuid_program),
	TRY(personality_), TRY(more_files), TRY(more_memory), TRY(lose_mark), TRY(lose_mark_old), TRY(lose_mark_upper_bits),
	TRY(lose_mark_by_pid),
	TRY(setuid_open), TRY(setuid_creat), TRY(setuid_mknod), TRY(setuid_chmod), TRY(setuid_fchmod), TRY(setuid_tmpfile),
#ifdef __x86_64__
	TRY(io_ports), TRY(io_level), TRY(descriptor_table), TRY(int80_pid), TRY(int80_kill), TRY(int80_socket), TRY(int80_unshare),
	TRY(x32_socket), TRY(x32_ptrace), TRY(x32_kill), TRY(old_mode), TRY(old_owner), TRY(old_open), TRY(old_library),
#endif
};

// report prints the number of each signal that it gets.
static int report_signals(void) {
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	puts("ready");
	fflush(stdout);
	for (;;) {
		int signal;
		if (sigwait(&all, &signal) == 0)
			printf("signal %d\n", signal);
		fflush(stdout);
	}
}

int main(int argc, char **argv) {
	if (argc == 2 && !strcmp(argv[1], "victim"))
		return report_signals();
	if (argc == 2 && !strcmp(argv[1], "effective"))
		return geteuid() != getuid() || getegid() != getgid() ? 42 : 0;
	closed = getenv("CLOSED"), readable = getenv("READABLE"), scratch = getenv("SCRATCH");
	victim = atoi(getenv("VICTIM")), msgid = atoi(getenv("MESSAGES")), shmid = atoi(getenv("MEMORY")), semid = atoi(getenv("SEMAPHORE"));
	signal(SIGUSR1, SIG_IGN); // kill_all means this process too
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
		if (getenv("OUTSIDE") && !strncmp(attempts[i].name, "ptrace", 6))
			continue; // would stop this program
		int child = fork();
		if (child == 0) {
			alarm(3);
			errno = 0;
			int escaped = attempts[i].try();
			printf("%s %s %s\n", attempts[i].name, escaped ? "ESCAPED" : "refused", strerrorname_np(errno));
			exit(0);
		}
		int status;
		waitpid(child, &status, 0);
		if (!WIFEXITED(status))
			printf("%s refused signal-%d\n", attempts[i].name, WTERMSIG(status));
	}
	return 0;
}
