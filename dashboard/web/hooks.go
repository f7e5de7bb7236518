package web

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/claudeops/claudeops/hooks"
)

// hooksKnown reports whether there is a page of hooks: claude-hooks has kept a state for the user who serves the dashboard.
func (s *server) hooksKnown() bool { return s.options.Home != "" && hooks.Known(s.options.Home) }

func (s *server) hooks(*http.Request) (content, error) {
	if !s.hooksKnown() {
		return content{}, &fault{
			Status: http.StatusNotFound, Title: "There is no such page",
			Detail: "No hook of Claude Code has run behind claude-hooks for the user who serves this dashboard.",
			Advice: "`claude-hooks install` puts them behind it.", Link: "/", LinkText: "First page",
		}
	}
	health := hooks.Examine(s.options.Home, s.now())
	slices.SortStableFunc(health.Hooks, func(a, b hooks.HookHealth) int { return cmp.Compare(rank(a), rank(b)) })
	return content{data: health, title: "Hooks", live: liveList}, nil
}

// rank puts first what is switched off, then what is in a session.
func rank(h hooks.HookHealth) int {
	switch {
	case h.Disabled:
		return 0
	case len(h.Loops) > 0:
		return 1
	}
	return 2
}

// circuit returns the state in which a hook is shown: on, where it runs although its circuit is not closed.
func circuit(h hooks.HookHealth) string {
	if !h.Excluded && !h.Disabled && len(h.Loops) == 0 {
		return string(hooks.Closed)
	}
	return h.Word()
}
