package main

import (
	"context"
	"errors"
	"net/http"
)

func init() {
	register(Case{
		Name: "db-connections", Kind: NoAct, Summary: "a service keeps all connections of PostgreSQL, which is given 15 min",
		Needs: []string{postgres},
		Inject: func(ctx context.Context, lab *Lab) error {
			for range 100 {
				status, err := lab.post(ctx, "orders", "/report")
				if err != nil {
					return err
				}
				if status != http.StatusOK {
					return nil
				}
			}
			return errors.New("PostgreSQL gave out 100 connections")
		},
	})
}
