package web

import (
	"slices"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
)

// judgement is the verdict in words.
type judgement struct{ Icon, Class, Text string }

// verdict returns the verdict in one line, including what is being done.
func verdict(o *dashboard.Overview) judgement {
	l := looks[string(o.Verdict)]
	j := judgement{Icon: l.icon, Class: l.class, Text: o.Headline()}
	if o.Verdict == dashboard.Trouble && slices.ContainsFunc(o.Incidents, func(i dashboard.IncidentLine) bool { return i.Status == check.Down }) {
		j.Icon, j.Class = "bad", "bad"
	}
	return j
}
