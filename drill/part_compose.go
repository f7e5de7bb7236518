package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/claudeops/claudeops/config"
)

// compose is the part with a project of docker compose, whose one service (till) is a container of this program.
const compose = "compose"

func init() {
	registerPart(Part{Name: compose, Outside: removeTill, Start: startCompose, Services: watchedCompose, Identities: identifyTill,
		Reset: func(ctx context.Context, lab *Lab) error { return lab.deployTill(ctx) }})
}

// project is the name of the compose project, and of the folder with its file.
func (lab *Lab) project() string { return projectOf(outsideName(lab.Dir)) }

func projectOf(base string) string { return base + "-shop" }

func (lab *Lab) composeFile() string { return lab.Path("srv", lab.project(), "compose.yaml") }

// till is the name of the project's container, as compose forms it.
func (lab *Lab) till() string { return lab.project() + "-till-1" }

// tillImage is the image of a project's container.
func tillImage(project string) string { return project + ":1" }

func removeTill(base string) [][]string {
	project := projectOf(base)
	return [][]string{{"docker", "rm", "--force", project + "-till-1"}, {"docker", "image", "rm", "--force", tillImage(project)}}
}

func startCompose(ctx context.Context, lab *Lab) error {
	if err := errors.Join(lab.hasEngine(ctx), lab.borrowCompose()); err != nil {
		return err
	}
	if err := lab.docker(ctx, "compose", "version"); err != nil {
		return missing("there is no `docker compose`")
	}
	if err := errors.Join(lab.writeProject(), lab.leavesOutside(compose)); err != nil {
		return err
	}
	if err := lab.makeImage(ctx, tillImage(lab.project()), lenient); err != nil {
		return err
	}
	return lab.deployTill(ctx)
}

func (lab *Lab) writeProject() error {
	text := fmt.Sprintf("services:\n  till:\n    image: %s\n    network_mode: none\n    stop_grace_period: 1s\n", tillImage(lab.project()))
	return errors.Join(os.Mkdir(filepath.Dir(lab.composeFile()), 0o700), os.WriteFile(lab.composeFile(), []byte(text), 0o600))
}

// dockerConfig is the folder of docker's settings and plugins in the homelab.
func (lab *Lab) dockerConfig() string { return lab.Path("home", ".docker") }

// borrowCompose makes the user's own plugin of docker, if any, the homelab's.
func (lab *Lab) borrowCompose() error {
	const plugin = "cli-plugins/docker-compose"
	users := filepath.Join(cmp.Or(config.Lookup(lab.environ, dockerConfig), filepath.Join(config.Lookup(lab.environ, "HOME"), ".docker")), plugin)
	if _, err := os.Stat(users); errors.Is(err, os.ErrNotExist) {
		return nil // without one of the user, docker finds those of the system
	}
	return errors.Join(os.MkdirAll(filepath.Join(lab.dockerConfig(), filepath.Dir(plugin)), 0o700), os.Symlink(users, filepath.Join(lab.dockerConfig(), plugin)))
}

func (lab *Lab) deployTill(ctx context.Context) error {
	return errors.Join(lab.docker(ctx, "compose", "--file", lab.composeFile(), "up", "--detach", "--force-recreate"), await(ctx, lab.containerIs(lab.till(), "healthy")))
}

func identifyTill(ctx context.Context, lab *Lab) (map[string]string, error) {
	seen, err := lab.identityOf(ctx, lab.till())
	return map[string]string{"till": seen}, err
}

func watchedCompose(lab *Lab) []Service {
	way := fmt.Sprintf("{compose: {file: %q, service: till}}", lab.composeFile())
	return []Service{{Name: "till", Restart: way, Redeploy: way, Settle: "3s",
		More:   []string{fmt.Sprintf("aliases: [%q]", lab.project())},
		Checks: []string{fmt.Sprintf("{type: container, container: %s, attempts: 1}", lab.till())}}}
}
