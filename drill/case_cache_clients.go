package main

import (
	"context"
	"errors"
)

func init() {
	register(Case{
		Name: "cache-clients", Kind: NoAct, Summary: "clients that do nothing keep all connections of Redis, which is given 15 min",
		Needs: []string{redis},
		Inject: func(ctx context.Context, lab *Lab) error {
			r, err := lab.cache()
			if err != nil {
				return err
			}
			for range 100 {
				conn, _, err := r.open(ctx)
				if err != nil {
					return ctx.Err() // there are no more
				}
				lab.Hold(conn)
			}
			return errors.New("it took 100 connections with maxclients 50")
		},
	})
}
