package discover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/netip"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"

	"github.com/claudeops/claudeops/internal/text"
)

// tcpListen is the state of a listening socket in /proc/net/tcp.
const tcpListen = 0x0A

// listeners collects the units and programs that listen on TCP ports. It runs after containers, because it must know their published
// ports.
func (c *collection) listeners(ctx context.Context, o Options) error {
	proc, err := procfs.NewFS(cmp.Or(o.proc, procfs.DefaultMountPoint))
	if err != nil {
		return fmt.Errorf("the listening ports were not read: %w", err)
	}
	return c.listening(ctx, proc)
}

func (c *collection) listening(ctx context.Context, proc procfs.FS) error {
	sockets, err := listeningSockets(proc)
	if err != nil {
		return fmt.Errorf("the listening ports were not read: %w", err)
	}
	published := map[string]bool{}
	for _, one := range c.order {
		for _, p := range one.ports {
			published[p.address] = true
		}
	}
	processes, err := proc.AllProcs()
	if err != nil {
		return fmt.Errorf("the programs behind the listening ports were not read: %w", err)
	}
	slices.SortFunc(processes, func(a, b procfs.Proc) int { return a.PID - b.PID }) // the oldest process has opened the socket
	lowest, highest := passingPorts(proc)
	for _, process := range processes {
		if ctx.Err() != nil {
			return errors.New("the programs behind the listening ports were not all read in time")
		}
		var held []port
		for _, inode := range socketsOf(process) {
			if p, listens := sockets[inode]; listens && process.PID != 1 { // what systemd holds for a unit belongs to the unit, once it runs
				held = add(held, p)
				delete(sockets, inode)
			}
		}
		held = slices.DeleteFunc(held, func(p port) bool { return published[p.address] })
		held = slices.DeleteFunc(held, func(p port) bool { // the same port over IPv6
			return strings.HasPrefix(p.address, "[::1]:") && slices.ContainsFunc(held, func(o port) bool { return o.address == "127.0.0.1:"+strconv.Itoa(p.private) })
		})
		lasting := slices.DeleteFunc(slices.Clone(held), func(p port) bool { return p.private >= lowest && p.private <= highest })
		if who := ownerOf(process); len(held) > 0 && who.program != "" {
			c.listener(who, lasting, len(held)-len(lasting))
		}
	}
	return unseen(slices.DeleteFunc(slices.Collect(maps.Values(sockets)), func(p port) bool {
		return published[p.address] || p.private >= lowest && p.private <= highest
	}))
}

// unseen returns the error about ports whose processes are not visible; nil if there are none.
func unseen(ports []port) error {
	var numbers []int
	for _, p := range ports {
		numbers = add(numbers, p.private)
	}
	if len(numbers) == 0 {
		return nil
	}
	slices.Sort(numbers)
	words := make([]string, len(numbers))
	for i, number := range numbers {
		words[i] = strconv.Itoa(number)
	}
	return fmt.Errorf("the listeners on port %s belong to systemd, or to another user whose processes are not visible: run discover as root to see more", text.Few(words, 10))
}

// owner is the program and the unit of a process.
type owner struct{ program, unit string }

// listener collects what listens on ports. passing is the number of its ports from the kernel's dynamic range, which belong to no
// service.
func (c *collection) listener(who owner, ports []port, passing int) {
	if passing > 0 {
		c.leaveOut(text.Count(passing, "port")+" of "+shown(who.program), "among those that the kernel gives out, which are others after a restart")
	}
	if len(ports) == 0 {
		return
	}
	var one *candidate
	if who.unit != "" {
		one = c.candidate("unit\x00"+who.unit, candidate{service: strings.TrimSuffix(who.unit, ".service"), unit: who.unit})
		one.from = add(one.from, "systemd unit "+shown(who.unit))
	} else {
		name := who.program
		if runsOthers(name) {
			name += "-" + strconv.Itoa(slices.MinFunc(ports, func(a, b port) int { return a.private - b.private }).private)
		}
		one = c.candidate("program\x00"+name, candidate{service: name, program: who.program})
		one.from = add(one.from, "program "+shown(who.program)+", which listens and has no unit")
	}
	one.image = who.program
	one.ports = add(one.ports, ports...)
}

// runsOthers reports whether a program is known by the script that it runs rather than its own name.
var runsOthers = regexp.MustCompile(`^(python|node|nodejs|ruby|java|perl|php|php-fpm|beam\.smp|dotnet|deno|bun)[0-9.]*$`).MatchString

// listeningSockets returns the listening ports of this machine, by inode of the socket.
func listeningSockets(proc procfs.FS) (map[uint64]port, error) {
	// The library's alternative, netlink, is unavailable to many who may read /proc.
	four, err := proc.NetTCP() //nolint:staticcheck // see above
	if err != nil {
		return nil, err
	}
	six, err := proc.NetTCP6()                         //nolint:staticcheck // see above
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without IPv6
		return nil, err
	}
	sockets := map[uint64]port{}
	for _, s := range append(four, six...) {
		ip, ok := netip.AddrFromSlice(s.LocalAddr)
		if s.St != tcpListen || !ok {
			continue
		}
		if ip = ip.Unmap(); ip.IsUnspecified() {
			ip = netip.AddrFrom4([4]byte{127, 0, 0, 1})
		}
		sockets[s.Inode] = port{address: net.JoinHostPort(ip.String(), strconv.FormatUint(s.LocalPort, 10)), private: int(s.LocalPort)}
	}
	return sockets, nil
}

// passingPorts returns the kernel's range of dynamic ports.
func passingPorts(proc procfs.FS) (lowest, highest int) {
	limits, err := proc.SysctlInts("net.ipv4.ip_local_port_range")
	if err != nil || len(limits) != 2 {
		return 32768, 60999 // Linux's default
	}
	return limits[0], limits[1]
}

// socketsOf returns the inodes of a process's open sockets; none if the process is not visible.
func socketsOf(process procfs.Proc) (inodes []uint64) {
	open, err := process.FileDescriptorTargets()
	if err != nil {
		return nil
	}
	for _, target := range open {
		bare, is := strings.CutPrefix(target, "socket:[")
		if inode, err := strconv.ParseUint(strings.TrimSuffix(bare, "]"), 10, 64); is && err == nil {
			inodes = append(inodes, inode)
		}
	}
	return inodes
}

// ownerOf returns the owner of a process; the zero owner for processes of containers, of the operating system and of this program.
func ownerOf(process procfs.Proc) owner {
	program, err := process.Executable()
	program = strings.TrimSuffix(filepath.Base(program), " (deleted)")
	if err != nil || program == "." {
		program, err = process.Comm()
	}
	groups, groupErr := process.Cgroups()
	if err != nil || groupErr != nil || slices.Contains(noServices, program) {
		return owner{}
	}
	unit := ""
	for _, group := range groups {
		of, contained := unitOf(group.Path)
		if contained {
			return owner{}
		}
		unit = cmp.Or(unit, of)
	}
	forwards := unit == "" && strings.HasPrefix(program, "sshd") // what an ssh login has forwarded
	if forwards || systemsOwn(unit) {
		return owner{}
	}
	return owner{program: program, unit: unit}
}

// unitOf returns the system unit that a control group belongs to, empty for none, and whether it belongs to a container.
func unitOf(path string) (unit string, contained bool) {
	for part := range strings.SplitSeq(path, "/") {
		switch {
		case part == "docker", part == "kubepods", part == "kubepods.slice", strings.HasPrefix(part, "libpod"), ofContainer(part):
			return "", true
		case part == "user.slice": // below it, units are a user's own
			return "", false
		case strings.HasSuffix(part, ".service"):
			unit = part
		}
	}
	return unit, false
}

var ofContainer = regexp.MustCompile(`^(docker|crio|cri-containerd|nerdctl)-[0-9a-f]{12,}\.scope$`).MatchString

// noServices are programs that listen for others, such as containers, and claudeops, which has its own monitoring.
var noServices = []string{"docker-proxy", "conmon", "rootlessport", "rootlessport-child", "slirp4netns", "pasta", "containerd-shim-runc-v2", "claudeops"}
