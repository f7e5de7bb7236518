package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// linkShows is for how long after its expiry the link of a message still shows, but decides nothing: how a late run ended.
const linkShows = 24 * time.Hour

// proposalPath matches the pages that the link of a message may open without a login.
var proposalPath = regexp.MustCompile(`^/proposals/([0-9]{1,18})(/approve|/reject)?$`)

// byLinkKey marks the context of a request that only the link of a message admits.
type byLinkKey struct{}

// byLink reports whether only the link of a message admits a request.
func byLink(r *http.Request) bool { return r.Context().Value(byLinkKey{}) != nil }

// linkOf returns the parameter of a message's link; empty if a request has none.
func linkOf(r *http.Request) string {
	if r.Method == http.MethodPost {
		return r.PostForm.Get("to")
	}
	return r.URL.Query().Get("to")
}

// mayOpenByLink reports whether a request without a login asks for a page that CLAUDEOPS_APPROVAL_LINK lets a link open. Whether the link
// is good is seen when the proposal is read.
func (s *server) mayOpenByLink(r *http.Request) bool {
	return s.options.Config.ApprovalLink == config.LinkBearer && proposalPath.MatchString(r.URL.Path) && linkOf(r) != ""
}

// linkTarget returns the target whose message has the link of a request. If nothing but the link admits the request, a bad or an old link is
// an error.
func (s *server) linkTarget(r *http.Request, p store.Proposal) (target string, err error) {
	if linkOf(r) != "" {
		target = s.options.LinkTarget(p, linkOf(r))
	}
	switch {
	case !byLink(r):
		return target, nil
	case target == "":
		return "", s.foreignLink()
	case s.now().After(p.ExpiresAt.Add(linkShows)):
		return "", s.closedLink("This link is over", "What it asked about has expired, and was not decided by it since.")
	}
	return target, nil
}

// linked returns a proposal, and the target whose message has the link of a request, as linkTarget does.
func (s *server) linked(r *http.Request, id int64) (d *dashboard.ProposalDetail, target string, err error) {
	d, err = s.instance.Proposal(r.Context(), id)
	if err != nil {
		if byLink(r) && errors.Is(err, store.ErrNotFound) {
			err = s.foreignLink()
		}
		return nil, "", err
	}
	target, err = s.linkTarget(r, d.Proposal)
	return d, target, err
}

// foreignLink is the same for a proposal that there is and for one that there is not: who only has a link learns nothing about others.
func (s *server) foreignLink() error {
	return s.closedLink("This link opens nothing", "It was altered, or is not of this proposal, or that was pruned.")
}

func (s *server) closedLink(title, detail string) error {
	return &fault{
		Status: http.StatusForbidden, Title: title, Detail: detail + " Nothing was run or changed.",
		Advice: "Open the link of the message itself, or log in to see the proposals.", Link: "/login?next=%2Fproposals", LinkText: "Log in",
	}
}

func (s *server) proposals() reader {
	page := func(*filters, store.ProposalFilter, *dashboard.ProposalsPage) content {
		return content{title: "Proposals", live: liveList}
	}
	return shown(s, (*filters).proposals, s.instance.Proposals, page)
}

// proposalView is the page of a proposal: what the API answers, and what of the link goes into its forms.
type proposalView struct {
	*dashboard.ProposalDetail
	Title string
	To    string // the parameter of the link that led here; empty if it is none of ours
	By    string // the target of that link
}

func (s *server) proposal(r *http.Request) (content, error) {
	id, err := s.filters(r).pathID()
	if err != nil {
		return content{}, err
	}
	d, target, err := s.linked(r, id)
	if err != nil {
		return content{}, err
	}
	c := content{data: d, title: notify.ProposalTitle(d.Proposal)}
	if d.Waits || d.Status == store.ProposalApproved {
		c.live = liveSession
	}
	if kindOf(r) == forPeople {
		v := proposalView{ProposalDetail: d, Title: c.title}
		if target != "" {
			v.To, v.By = linkOf(r), target
		}
		c.data = v
	}
	return c, nil
}

// decides handles POST /proposals/{id}/approve and …/reject.
func (s *server) decides(notice string, decide func(ctx context.Context, actions dashboard.Actions, id int64, by, reason string) error) answer {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := s.filters(r).pathID()
		if err != nil {
			return err
		}
		_, target, err := s.linked(r, id)
		if err != nil {
			return err
		}
		by, page := who(r), fmt.Sprintf("/proposals/%d", id)
		if target != "" {
			by = "link of " + target + ", from " + sender(r)
			page += "?to=" + url.QueryEscape(linkOf(r))
		}
		err = decide(r.Context(), s.options.Actions, id, by, r.PostForm.Get("reason"))
		if decided := (*ledger.DecidedError)(nil); errors.As(err, &decided) {
			f := faultOf(err)
			f.Link = page
			return f
		}
		if err != nil {
			return err
		}
		s.instance.Changed()
		s.seeNotice(w, r, page, notice)
		return nil
	}
}

func approve(ctx context.Context, actions dashboard.Actions, id int64, by, _ string) error {
	return actions.Approve(ctx, id, by)
}

func reject(ctx context.Context, actions dashboard.Actions, id int64, by, reason string) error {
	return actions.Reject(ctx, id, by, reason)
}
