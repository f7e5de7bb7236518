package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// disk is the part with a small file system of its own, and a server of files (uploads) that keeps them there.
const disk = "disk"

func init() {
	registerPart(Part{Name: disk, Start: startDisk, Services: watchedDisk,
		Reset: func(ctx context.Context, lab *Lab) error { return lab.Redeploy(ctx, "uploads") }})
}

func startDisk(ctx context.Context, lab *Lab) error {
	if err := errors.Join(os.MkdirAll(lab.Folder("disk"), 0o700), os.MkdirAll(lab.Folder("uploads"), 0o700)); err != nil {
		return err
	}
	mount := lab.Path("disk")
	if err := os.Mkdir(mount, 0o700); err != nil {
		return err
	}
	holder := lab.own("disk", mount)
	holder.Apart = true
	if err := lab.Add(ctx, holder); err != nil {
		return missing("this machine lets this user mount no small file system: %v", err)
	}
	if err := lab.awaitDisk(); err != nil {
		return err
	}
	p := lab.own("uploads", lab.Address("uploads"), lab.disk())
	p.Ready, p.Deploy = listens(lab.Address("uploads")), func() error { return emptyDisk(lab.disk()) }
	return lab.Add(ctx, p)
}

// disk is the folder of the small file system, as other processes reach it.
func (lab *Lab) disk() string {
	holder, err := lab.supervisor.find(disk)
	if err != nil || holder.running() == nil {
		return lab.Path("no-disk")
	}
	return diskSeen(holder.running().pid, lab.Path("disk"))
}

func (lab *Lab) awaitDisk() (err error) {
	for range 40 {
		if _, err = os.Stat(filepath.Join(lab.disk(), diskMark)); err == nil {
			return nil
		}
		time.Sleep(pace)
	}
	return missing("this machine lets this user mount no small file system: %v", err)
}

// emptyDisk removes what belongs to no release: logs, exports and what was begun.
func emptyDisk(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Name() != diskMark {
			err = errors.Join(err, os.Remove(filepath.Join(dir, f.Name())))
		}
	}
	return err
}

func watchedDisk(lab *Lab) []Service {
	return []Service{{Name: "uploads", Checks: []string{
		fmt.Sprintf(`{type: http, url: "http://%s/files/probe", method: PUT, status: 201, timeout: 2s, attempts: 1}`, lab.Address("uploads"))}}}
}
