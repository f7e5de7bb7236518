package main

import (
	"context"
	"os"
)

func init() {
	register(Case{
		Name: "unknown", Kind: NoAct, Summary: "a check cannot be made: its plugin is gone",
		Inject: func(_ context.Context, lab *Lab) error { return os.Remove(spoolPlugin(lab)) },
	})
}
