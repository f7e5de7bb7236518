package notify

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// Digest is the content of the daily digest: how everything is now, and what happened since the last one.
type Digest struct {
	Since    time.Time
	Unseen   bool           // the cycle has checked nothing
	Watched  int            // services
	Healthy  int            // of them
	Services []string       // a line for each service that is not well, or held back
	Below    []store.Uptime // of the services that were down in the week, the worst first
	Opened   int            // incidents since then
	Open     int            // incidents now
	Closed   []store.Incident
	Worked   []store.Work
	Tiers    []store.TierTotal

	WeekUSD   float64
	BudgetUSD float64 // 0 means none
	LeftUSD   float64 // of the budget

	Name func(service string) string // as it is shown
}

// Limits of a digest, which must be readable on a phone with 3 services or with 10,000. Compose cuts what is too long
// all the same.
const (
	mostListed    = 8 // lines of a list
	maxDigestLine = 160
)

//go:embed digest.tmpl
var digestText string

var digestTemplate = template.Must(template.New("digest").Funcs(template.FuncMap{
	"count": text.Count, "dollars": text.Dollars, "duration": text.Duration, "moment": text.Moment,
}).Parse(digestText))

// State describes the state of the services in a few words.
func (d Digest) State() string {
	if d.Unseen {
		return "nothing was checked in this cycle"
	}
	return fmt.Sprintf("%d of %s healthy", d.Healthy, text.Count(d.Watched, "service"))
}

// CostUSD returns the cost since the last digest.
func (d Digest) CostUSD() (usd float64) {
	for _, t := range d.Tiers {
		usd += t.CostUSD
	}
	return usd
}

// Notification returns the digest as a row for the outbox. Secrets are redacted before anything is cut.
func (d Digest) Notification(redact func(string) string) (store.Notification, error) {
	n := store.Notification{Kind: store.DailyDigest, Title: "Daily digest: " + d.State()}
	if cost := d.CostUSD(); cost > 0 {
		n.Title += ", " + text.Dollars(cost)
	}
	var all strings.Builder
	if err := digestTemplate.Execute(&all, d); err != nil {
		return n, fmt.Errorf("word the digest: %w", err)
	}
	var paragraphs []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(all.String()), "\n\n") {
		lines := strings.Split(paragraph, "\n")
		if more := len(lines) - 1 - mostListed; more > 0 {
			lines = append(lines[:1+mostListed], fmt.Sprintf("- … and %d more", more))
		}
		for n, line := range lines {
			lines[n] = Masked(line, redact, maxDigestLine)
		}
		paragraphs = append(paragraphs, strings.Join(lines, "\n"))
	}
	n.Body = strings.Join(paragraphs, "\n\n")
	return n, nil
}
