package main

import "context"

func init() {
	register(Case{
		Name: "noisy-log", Kind: NoAct, Summary: "a log is full of errors that mean nothing: the service is well",
		Inject: func(_ context.Context, lab *Lab) error {
			for range 200 {
				for _, line := range []string{
					"ERROR cart 4711: card declined by the bank, told to the customer",
					"FATAL-looking but handled: client went away during the answer: broken pipe",
					"panic: recovered in handler of /old-page: no such page (404 sent)",
				} {
					if err := lab.AppendLog("shop", line); err != nil {
						return err
					}
				}
			}
			return nil
		},
	})
}
