package main

import "context"

func init() {
	register(Case{
		Name: "maintenance", Kind: NoAct, Summary: "a service is down in its maintenance window",
		Inject: func(_ context.Context, lab *Lab) error { return lab.StopProgram("archive") },
	})
}
