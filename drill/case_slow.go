package main

import "context"

func init() {
	register(Case{
		Name: "slow", Kind: Fault, Summary: "a configuration without a cache makes each answer slow",
		Services: []string{"catalog"}, Terms: [][]string{{"cache"}},
		Inject: func(ctx context.Context, lab *Lab) error {
			if err := lab.configure("catalog", func(s *settings) { s.CachePages = 0 }); err != nil {
				return err
			}
			return lab.Restart(ctx, "catalog")
		},
		Cure: "redeploy",
	})
}
