package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
)

const (
	getTime   = 10 * time.Second
	maxGot    = 256 << 10 // bytes of an answer
	maxHeader = 64 << 10  // bytes of its header
)

// get prints what a GET of a URL answers: the status, what says where and what it is, and the text. It follows no redirect, which could
// lead anywhere, and uses no proxy.
func (b *Broker) get(ctx context.Context, words []string, to io.Writer) error {
	address := strings.Join(words, " ")
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return guard.Refuse(guard.RuleCall, "not asked: expected a URL like http://127.0.0.1:8080/health, without a password")
	}
	if err := b.MayGet(address); err != nil {
		return &guard.RefusalError{Rule: toolGet, Reason: err.Error()}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, getTime, fmt.Errorf("no whole answer within %s", getTime))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", ownName)
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: maxHeader},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return whyNot(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	head := response.Proto + " " + response.Status + "\n"
	for _, name := range []string{"Content-Type", "Location", "Retry-After", "WWW-Authenticate"} {
		if value := response.Header.Get(name); value != "" {
			head += name + ": " + value + "\n"
		}
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxGot+1))
	shown := strings.TrimRight(string(body[:min(len(body), maxGot)]), "\n")
	switch {
	case strings.ContainsRune(shown, 0):
		shown = fmt.Sprintf("(%d bytes or more that are no text)", len(body))
	case len(body) > maxGot:
		shown += "\n(cut after " + text.Size(maxGot) + ")"
	}
	_, unread := fmt.Fprintf(to, "%s\n%s\n", head, shown)
	return errors.Join(unread, whyNot(ctx, err))
}

// whyNot returns why there is no answer, without the URL.
func whyNot(ctx context.Context, err error) error {
	if of := (*url.Error)(nil); errors.As(err, &of) {
		err = of.Err
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}
