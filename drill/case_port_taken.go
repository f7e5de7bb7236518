package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// preview is the program that takes another's port. It is not watched.
const preview = "preview"

func init() {
	register(Case{
		Name: "port-taken", Kind: Fault, Summary: "another program listens on the port of a service",
		Services: []string{"times"}, Culprits: []string{preview}, Terms: [][]string{{"port", "address"}, {"in use", "taken", "preview", "another"}},
		Inject: func(ctx context.Context, lab *Lab) error {
			if err := lab.StopProgram("times"); err != nil {
				return err
			}
			if err := takePort(ctx, lab, "times"); err != nil {
				return err
			}
			return mustNotStart(lab.Restart(ctx, "times"))
		},
		Propose: []string{"labctl", "stop", preview}, Cure: "restart",
		Well: func(_ context.Context, lab *Lab) error {
			return lab.do("times", func(p *supervised) error {
				if p.running() == nil {
					return errors.New("times does not run; something else answers")
				}
				return nil
			})
		},
		Undo: func(_ context.Context, lab *Lab) error { return lab.remove(preview) },
	})
}

// takePort starts a program that listens on the port of a service and has no page that the service's check asks for.
func takePort(ctx context.Context, lab *Lab, name string) error {
	dir := lab.Folder(preview)
	text, err := json.Marshal(settings{Name: preview, Listen: lab.Address(name), Accepts: "accepted", NoHealth: true})
	if err != nil {
		return err
	}
	err = errors.Join(os.MkdirAll(filepath.Join(dir, "data"), 0o700), os.MkdirAll(filepath.Join(dir, "run"), 0o700), os.WriteFile(filepath.Join(dir, "config.json"), text, 0o600))
	if err != nil {
		return err
	}
	return lab.Add(ctx, Program{
		Name: preview, Argv: []string{lab.self, "serve", dir}, Dir: dir, Env: serviceEnviron(),
		Log: filepath.Join(dir, preview+".log"), Ready: saysReady(dir),
	})
}
