package main

import (
	"context"
	"errors"
	"net/http"
)

func init() {
	register(Case{
		Name: "db-connections", Kind: Fault, Summary: "a service keeps all connections of PostgreSQL",
		Services: []string{"db"}, Culprits: []string{"orders"}, Terms: [][]string{{"orders"}, {"connections", "connection slots"}}, Needs: []string{postgres},
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
		Cure: func(*Lab) [][]string { return [][]string{{"labctl", "restart", "db"}} }, // orders, which has them, waits for db
	})
}
