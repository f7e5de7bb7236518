package main

import (
	"context"
	"encoding/json"
)

func init() {
	register(Case{
		Name: "alert-storm", Kind: NoAct, Summary: "eight services are alerted about at once, because the uplink of the one who asks is gone",
		Inject: func(ctx context.Context, lab *Lab) error {
			var alerts []map[string]string
			for _, s := range smallServices(lab)[:8] {
				alerts = append(alerts, map[string]string{
					"service": s.Name, "status": "firing", "message": "probe from outside: no route to the site, timeout after 10 s (uplink eth0 of the prober down)"})
			}
			text, err := json.Marshal(alerts)
			if err != nil {
				return err
			}
			_, err = lab.run(ctx, string(text), "alert", "-")
			return err
		},
	})
}
