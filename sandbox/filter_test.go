package sandbox

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/sandbox/shim"
)

// judge runs the filter on one call, as the kernel would.
func judge(t *testing.T, network bool, abi int, machine, call uint32, args ...uint64) uint32 {
	t.Helper()
	raw, err := assemble(rules(network, abi))
	check(t, err)
	program := make([]bpf.Instruction, len(raw))
	for i, instruction := range raw {
		program[i] = instruction.Disassemble()
	}
	vm, err := bpf.NewVM(program)
	check(t, err)
	data := make([]byte, 64) // words in network order, as the bpf package reads them from a packet
	binary.BigEndian.PutUint32(data[offCall:], call)
	binary.BigEndian.PutUint32(data[offArch:], machine)
	for i, arg := range args {
		binary.BigEndian.PutUint32(data[offArgs+8*i:], uint32(arg))
		binary.BigEndian.PutUint32(data[offArgs+8*i+4:], uint32(arg>>32))
	}
	answer, err := vm.Run(data)
	check(t, err)
	return uint32(answer)
}

func TestFilter(t *testing.T) {
	const latest, upper = 7, 1 << 32
	for name, test := range map[string]struct {
		call           uint32
		args           []uint64
		alone, network uint32 // without and with network access
	}{
		"read":                   {unix.SYS_READ, nil, allow, allow},
		"a call of tomorrow":     {4000, nil, absent, absent},
		"x32":                    {0x40000000 | unix.SYS_READ, nil, absent, absent},
		"clone3":                 {unix.SYS_CLONE3, nil, absent, absent},
		"clone":                  {unix.SYS_CLONE, []uint64{uint64(unix.SIGCHLD)}, notify, notify},
		"clone of a namespace":   {unix.SYS_CLONE, []uint64{unix.CLONE_NEWUSER}, refuse, refuse},
		"its upper bits":         {unix.SYS_CLONE, []uint64{upper | unix.CLONE_NEWNET}, refuse, refuse},
		"tcp":                    {unix.SYS_SOCKET, []uint64{unix.AF_INET, unix.SOCK_STREAM}, refuse, allow},
		"tcp in upper bits":      {unix.SYS_SOCKET, []uint64{upper | unix.AF_INET, unix.SOCK_STREAM}, refuse, allow},
		"packet":                 {unix.SYS_SOCKET, []uint64{unix.AF_PACKET, unix.SOCK_RAW}, refuse, refuse},
		"the broker":             {unix.SYS_SOCKET, []uint64{unix.AF_UNIX, unix.SOCK_STREAM | unix.SOCK_CLOEXEC, shim.BrokerProtocol}, notify, notify},
		"unix":                   {unix.SYS_SOCKET, []uint64{unix.AF_UNIX, unix.SOCK_STREAM, 0}, refuse, allow},
		"a datagram broker":      {unix.SYS_SOCKET, []uint64{unix.AF_UNIX, unix.SOCK_DGRAM, shim.BrokerProtocol}, refuse, allow},
		"route":                  {unix.SYS_SOCKET, []uint64{unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE}, allow, allow},
		"netfilter":              {unix.SYS_SOCKET, []uint64{unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_NETFILTER}, refuse, refuse},
		"a stream pair":          {unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX, unix.SOCK_STREAM | unix.SOCK_NONBLOCK}, allow, allow},
		"a datagram pair":        {unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX, unix.SOCK_DGRAM}, refuse, allow},
		"connect":                {unix.SYS_CONNECT, nil, refuse, allow},
		"bind of netlink":        {unix.SYS_BIND, []uint64{3, 0, sizeofNetlink}, allow, allow},
		"bind":                   {unix.SYS_BIND, []uint64{3, 0, 110}, refuse, allow},
		"kill":                   {unix.SYS_KILL, []uint64{1, 15}, notify, notify},
		"chmod":                  {unix.SYS_FCHMODAT, nil, notify, notify},
		"own limits":             {unix.SYS_PRLIMIT64, []uint64{0, unix.RLIMIT_NOFILE, 0x1000}, allow, allow},
		"others' limits":         {unix.SYS_PRLIMIT64, []uint64{7, unix.RLIMIT_NOFILE, 0x1000}, refuse, refuse},
		"others' limits, read":   {unix.SYS_PRLIMIT64, []uint64{7, unix.RLIMIT_NOFILE, 0, 0x1000}, allow, allow},
		"an address above 4 GiB": {unix.SYS_PRLIMIT64, []uint64{7, unix.RLIMIT_NOFILE, upper}, refuse, refuse},
		"the mark":               {unix.SYS_PRLIMIT64, []uint64{0, upper | shim.MarkLimit, upper}, refuse, refuse},
		"the mark, read":         {unix.SYS_PRLIMIT64, []uint64{0, shim.MarkLimit, 0}, allow, allow},
		"open":                   {unix.SYS_OPENAT, []uint64{0, 0, unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC}, allow, allow},
		"open for nothing":       {unix.SYS_OPENAT, []uint64{0, 0, unix.O_ACCMODE}, refuse, refuse},
		"a fifo":                 {unix.SYS_MKNODAT, []uint64{0, 0, unix.S_IFIFO | 0o644}, allow, allow},
		"a whiteout":             {unix.SYS_MKNODAT, []uint64{0, 0, unix.S_IFCHR}, refuse, refuse},
		"rename":                 {unix.SYS_RENAMEAT2, []uint64{0, 0, 0, 0, unix.RENAME_NOREPLACE}, allow, allow},
		"rename with a whiteout": {unix.SYS_RENAMEAT2, []uint64{0, 0, 0, 0, upper | unix.RENAME_WHITEOUT}, refuse, refuse},
		"truncate":               {unix.SYS_TRUNCATE, nil, allow, allow},
		"a terminal's size":      {unix.SYS_IOCTL, []uint64{0, unix.TIOCGWINSZ}, allow, allow},
		"a terminal's input":     {unix.SYS_IOCTL, []uint64{0, upper | unix.TIOCSTI}, refuse, refuse},
		"a signal's owner":       {unix.SYS_FCNTL, []uint64{0, upper | unix.F_SETOWN}, refuse, refuse},
		"a lock":                 {unix.SYS_FCNTL, []uint64{0, unix.F_SETLK}, allow, allow},
	} {
		if got := judge(t, false, latest, arch, test.call, test.args...); got != test.alone {
			t.Errorf("%s: %#x, want %#x", name, got, test.alone)
		}
		if got := judge(t, true, latest, arch, test.call, test.args...); got != test.network {
			t.Errorf("%s with a network: %#x, want %#x", name, got, test.network)
		}
		if got := judge(t, true, latest, unix.AUDIT_ARCH_I386, test.call, test.args...); got != absent {
			t.Errorf("%s as a 32-bit program: %#x, want %#x", name, got, absent)
		}
	}
}

// Truncation is refused before Landlock 3, which restricts it.
func TestFilterTruncation(t *testing.T) {
	for flags, old := range map[uint64]uint32{
		unix.O_RDONLY | unix.O_TRUNC: refuse, unix.O_ACCMODE | unix.O_TRUNC: refuse, unix.O_WRONLY | unix.O_TRUNC: allow, unix.O_RDONLY: allow,
	} {
		if got := judge(t, false, 2, arch, unix.SYS_OPENAT, 0, 0, flags); got != old {
			t.Errorf("open with %#x beside Landlock 2: %#x, want %#x", flags, got, old)
		}
	}
	if got := judge(t, false, 2, arch, unix.SYS_TRUNCATE); got != refuse {
		t.Errorf("truncate beside Landlock 2: %#x, want %#x", got, refuse)
	}
}

func TestMissingSaysWhatToDo(t *testing.T) {
	for name, test := range map[string]struct {
		step  string
		errno error
		words []string
		is    bool
	}{
		"an old kernel":      {shim.StepLandlock, unix.ENOSYS, []string{"Linux 5.13"}, true},
		"switched off":       {shim.StepLandlock, unix.EOPNOTSUPP, []string{"lsm="}, true},
		"another listener":   {shim.StepSeccomp, unix.EBUSY, []string{"another program", "LXC"}, true},
		"a strict container": {shim.StepSeccomp, unix.EPERM, []string{"seccomp profile", "landlock_restrict_self"}, true},
		"a fault of its own": {shim.StepLandlock, unix.E2BIG, []string{shim.StepLandlock}, false},
		"the command":        {shim.StepStart, unix.ENOENT, []string{"no such file"}, false},
	} {
		err := missing(test.step, test.errno)
		for _, word := range test.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %q does not say %q", name, err, word)
			}
		}
		if errors.Is(err, ErrMissing) != test.is || !errors.Is(err, test.errno) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
