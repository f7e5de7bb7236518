package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// diskSize is the size of the homelab's small file system.
const diskSize = 4 << 20

// holdDisk mounts a small file system on a folder and keeps it until ctx ends. The program that calls it has a mount namespace of its own
// (diskNamespaces), so nobody else sees the mount, and it is gone with the last process that uses it.
func holdDisk(ctx context.Context, dir string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	options := "mode=0700,size=" + strconv.Itoa(diskSize)
	if err := unix.Mount("drill", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, options); err != nil {
		return fmt.Errorf("mount a small file system: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, diskMark), nil, 0o600); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// diskMark is a file that shows that the small file system is mounted.
const diskMark = ".mounted"

// diskNamespaces are the attributes of the process that holds the file system. Without root a user namespace permits the mount.
func diskNamespaces(attributes *syscall.SysProcAttr) {
	attributes.Cloneflags = syscall.CLONE_NEWNS
	if uid, gid := os.Getuid(), os.Getgid(); uid != 0 {
		attributes.Cloneflags |= syscall.CLONE_NEWUSER
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}}
	}
}

// diskSeen returns the path under which others reach the file system that a process holds.
func diskSeen(holder int, dir string) string {
	return filepath.Join("/proc", strconv.Itoa(holder), "root", dir)
}

// fillDisk writes a file until its file system is full. The file stays open.
func fillDisk(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	for size := 64 << 10; size > 0; {
		_, err := f.Write(make([]byte, size))
		switch {
		case err == nil:
		case errors.Is(err, syscall.ENOSPC):
			size /= 2
		default:
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}
