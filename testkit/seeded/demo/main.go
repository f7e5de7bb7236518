// Command demo writes records to look at:
//
//	go run ./testkit/seeded/demo homelab DIR
//	HOME=DIR/home claudeops dashboard --env-file DIR/env
//
// Besides homelab there is load. With homelab this program is the process of the running session, and continues to write its raw log
// until it is interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/claudeops/claudeops/testkit/seeded"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	kinds := map[string]func(context.Context, string, time.Time) (*seeded.Lab, error){"homelab": seeded.Homelab, "load": seeded.Load}
	if len(args) != 2 || kinds[args[0]] == nil {
		return errors.New("usage: demo homelab|load DIR")
	}
	lab, err := kinds[args[0]](ctx, args[1], time.Now())
	if err != nil {
		return err
	}
	fmt.Printf("HOME=%s claudeops dashboard --env-file %s\n", lab.Home, lab.EnvFile)
	if lab.Running == 0 {
		return nil
	}
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(3 * time.Second):
		}
		segment := fmt.Sprintf("level=INFO msg=\"WAL segment loaded\" segment=%d maxSegment=4180", 4113+n)
		if err := lab.Call("docker logs --tail 1 prometheus", segment); err != nil {
			return err
		}
	}
}
