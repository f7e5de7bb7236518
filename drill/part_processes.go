package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// processes is the part of the homelab that every machine has: small services, each a process of this program.
const processes = "processes"

func init() {
	registerPart(Part{Name: processes, Start: startProcesses, Services: watchedProcesses, Identities: filesOfProcesses, Reset: resetProcesses})
}

// smallServices are the small services with what their releases say.
func smallServices(lab *Lab) []settings {
	url := func(name, path string) string { return "http://" + lab.Address(name) + path }
	list := []settings{
		{Name: "catalog", Pages: 64, CachePages: 64, Template: "page.html"},
		{Name: "shop", Backend: url("catalog", "/health")},
		{Name: "ledger", Accepts: "accepted"},
		{Name: "billing", Backend: url("ledger", "/account"), Credential: "credential"},
		{Name: "sessions"},
		{Name: "mirror", OpenFiles: 40},
		{Name: "queue", Exclusive: true},
		{Name: "jobs", Backup: "every 1s"},
		{Name: "times", Clock: true},
		{Name: "archive"},
		{Name: "spool"},
	}
	for i := range list {
		list[i].Listen = lab.Address(list[i].Name)
	}
	return list
}

const memoryOfSessions = 192 << 20

func startProcesses(ctx context.Context, lab *Lab) error {
	if err := errors.Join(lab.write("vault/ledger", firstPassword), os.Mkdir(lab.Path("plugins"), 0o700), writePlugin(lab)); err != nil {
		return err
	}
	for _, s := range smallServices(lab) {
		dir := lab.Folder(s.Name)
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "data"), 0o700), os.Mkdir(filepath.Join(dir, "run"), 0o700), deploy(lab, s)); err != nil {
			return err
		}
		p := Program{
			Name: s.Name, Argv: []string{lab.self, "serve", dir}, Dir: dir, Env: serviceEnviron(),
			Log: filepath.Join(dir, s.Name+".log"), Ready: saysReady(dir),
			Before: func() error {
				return errors.Join(os.RemoveAll(filepath.Join(dir, "run")), os.Mkdir(filepath.Join(dir, "run"), 0o700))
			},
			Deploy: func() error { return deploy(lab, s) },
			Always: s.Name == "catalog",
		}
		if s.Name == "sessions" {
			p.MemoryMax = memoryOfSessions
		}
		if err := lab.Add(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func serviceEnviron() []string { return []string{"PATH=/usr/bin:/bin", "TZ=UTC"} }

// Folder is the folder of a small service.
func (lab *Lab) Folder(name string) string { return lab.Path("srv", name) }

const firstPassword = "blue-harbour-41"

// goodPage is the form of catalog's pages.
const goodPage = "<h1>{{.Title}}</h1>\n"

// deploy puts the files of a small service's release into its folder: all but its data and its log.
func deploy(lab *Lab, s settings) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	files := map[string]string{"config.json": string(text) + "\n"}
	if s.Template != "" {
		files[s.Template] = goodPage
	}
	if s.Credential != "" || s.Accepts != "" {
		password, err := os.ReadFile(lab.Path("vault", "ledger"))
		if err != nil {
			return err
		}
		files[s.Credential+s.Accepts] = string(password)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(lab.Folder(s.Name), name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, state := range []string{"lock", "drift"} {
		if err := os.Remove(filepath.Join(lab.Folder(s.Name), "data", state)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// saysReady returns a func for Program.Ready: the small service in a folder listens. That something does at its address says less.
func saysReady(dir string) func(context.Context) error {
	return func(context.Context) error {
		_, err := os.Stat(filepath.Join(dir, "run", "ready"))
		return err
	}
}

// configure changes the configuration of a small service.
func (lab *Lab) configure(name string, change func(*settings)) error {
	for _, s := range smallServices(lab) {
		if s.Name != name {
			continue
		}
		change(&s)
		text, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(lab.Folder(name), "config.json"), text, 0o600)
	}
	return fmt.Errorf("no small service is called %q", name)
}

// mustNotStart returns nil if a program did not start: err is what its start came to.
func mustNotStart(err error) error {
	if err == nil {
		return errors.New("it started, and should not have")
	}
	return nil
}

func watchedProcesses(lab *Lab) (all []Service) {
	needs := map[string][]string{"shop": {"catalog"}, "billing": {"ledger"}}
	for _, s := range smallServices(lab) {
		watched := Service{Name: s.Name, DependsOn: needs[s.Name], Checks: []string{
			fmt.Sprintf(`{type: http, url: "http://%s/health", timeout: 2s, attempts: 1, degraded_after: 1s}`, s.Listen)}}
		switch s.Name {
		case "queue":
			watched.Checks = []string{fmt.Sprintf(`{type: service, address: "%s", timeout: 2s, attempts: 1}`, s.Listen)}
		case "spool":
			watched.Checks = []string{fmt.Sprintf("{type: service, plugin: [%q], timeout: 2s, attempts: 1}", spoolPlugin(lab))}
		case "archive":
			now := time.Now().UTC()
			watched.More = []string{fmt.Sprintf("maintenance: [{from: %s, to: %s, note: new disks}]",
				now.Add(-time.Hour).Format(time.RFC3339), now.Add(24*time.Hour).Format(time.RFC3339))}
		}
		all = append(all, watched)
	}
	return all
}

func spoolPlugin(lab *Lab) string { return lab.Path("plugins", "check_spool") }

func writePlugin(lab *Lab) error {
	return os.WriteFile(spoolPlugin(lab), []byte("#!/bin/sh\necho 'OK: 0 files wait'\n"), 0o700)
}

// filesOfProcesses is what an act changes of the small services beside their processes.
func filesOfProcesses(_ context.Context, lab *Lab) (map[string]string, error) {
	all := map[string]string{}
	for _, s := range smallServices(lab) {
		digest, err := digestOf(lab.Folder(s.Name), s.Name+".log", "run", "data/backup")
		if err != nil {
			return nil, err
		}
		all[s.Name] = digest
	}
	return all, nil
}

// digestOf returns a digest of what is in a folder but for some paths, which a service writes by itself.
func digestOf(dir string, but ...string) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // it was removed meanwhile
		case err != nil:
			return err
		case slices.Contains(but, path) && e.IsDir():
			return fs.SkipDir
		case slices.Contains(but, path):
			return nil
		}
		_, _ = fmt.Fprintf(sum, "%q %s\n", path, e.Type()) // a hash takes all
		if !e.Type().IsRegular() {
			return nil
		}
		text, err := readBounded(filepath.Join(dir, path), mostDigested)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		_, _ = fmt.Fprintf(sum, "%q\n", text)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

const mostDigested = 1 << 20 // bytes of a file

// resetProcesses brings all small services back to their release, and their logs to nothing.
func resetProcesses(ctx context.Context, lab *Lab) error {
	if err := errors.Join(lab.write("vault/ledger", firstPassword), writePlugin(lab)); err != nil {
		return err
	}
	for _, s := range smallServices(lab) {
		if err := lab.StopProgram(s.Name); err != nil {
			return err
		}
		if err := os.Truncate(filepath.Join(lab.Folder(s.Name), s.Name+".log"), 0); err != nil {
			return err
		}
	}
	for _, s := range smallServices(lab) {
		if err := lab.Redeploy(ctx, s.Name); err != nil {
			return err
		}
	}
	return nil
}
