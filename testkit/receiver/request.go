package receiver

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// pingPath is the path of heartbeats.
	pingPath = "/ping/0b3e5a0e-6f55-4c11-a1f0-5a6a0b7c1d2e"
	// maxRequest is the maximum size of a request's body, in bytes.
	maxRequest = 1 << 20
)

// jsonPost is the body that Apprise posts to a json:// URL.
type jsonPost struct {
	Version     string  `json:"version"`
	Title       *string `json:"title"`
	Message     string  `json:"message"`
	Attachments []any   `json:"attachments"`
	Type        string  `json:"type"`
}

// statelessPost is the body of a request to /notify/ of an Apprise API.
type statelessPost struct {
	URLs   jsontext.Value `json:"urls"`
	Title  string         `json:"title"`
	Body   string         `json:"body"`
	Type   string         `json:"type"`
	Format string         `json:"format"`
}

// keyedPost is the body of a request to /notify/KEY of an Apprise API.
type keyedPost struct {
	Title  string `json:"title"`
	Body   string `json:"body"`
	Type   string `json:"type"`
	Format string `json:"format"`
	Tag    string `json:"tag"`
}

// decode parses a request strictly.
func decode(request *http.Request, body []byte) (m Message, err error) {
	m = Message{Path: request.URL.Path, Header: request.Header}
	if request.Method != http.MethodPost {
		return m, errors.New("is no POST")
	}
	if kind, params, err := mime.ParseMediaType(request.Header.Get("Content-Type")); err != nil || kind != "application/json" ||
		params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") {
		return m, fmt.Errorf("has the content type %q, not application/json", request.Header.Get("Content-Type"))
	}
	if !utf8.Valid(body) {
		return m, errors.New("is not UTF-8")
	}
	key, isAPI := strings.CutPrefix(request.URL.Path, "/notify")
	switch key = strings.Trim(key, "/"); {
	case !isAPI:
		err = m.readJSON(body)
	case key == "":
		err = m.readStateless(body)
	default:
		m.Key = key
		err = m.readKeyed(body)
	}
	return m, err
}

func (m *Message) readJSON(body []byte) error {
	var post jsonPost
	if err := strictly(body, &post); err != nil {
		return err
	}
	if post.Title == nil || post.Version == "" {
		return errors.New("lacks title or version")
	}
	m.Title, m.Body, m.Type = *post.Title, post.Message, post.Type
	return m.check()
}

func (m *Message) readStateless(body []byte) error {
	var post statelessPost
	if err := strictly(body, &post); err != nil {
		return err
	}
	m.Title, m.Body, m.Type, m.Format = post.Title, post.Body, post.Type, post.Format
	var one string
	if json.Unmarshal(post.URLs, &one) == nil {
		m.URLs = strings.FieldsFunc(one, func(r rune) bool { return r == ',' || r == ' ' })
	} else if err := json.Unmarshal(post.URLs, &m.URLs); err != nil {
		return errors.New("has urls that are neither a text nor a list of texts")
	}
	return errors.Join(m.check(), m.checkFormat())
}

func (m *Message) readKeyed(body []byte) error {
	var post keyedPost
	if err := strictly(body, &post); err != nil {
		return err
	}
	m.Title, m.Body, m.Type, m.Format, m.Tag = post.Title, post.Body, post.Type, post.Format, post.Tag
	return errors.Join(m.check(), m.checkFormat())
}

func (m *Message) check() error {
	switch {
	case m.Body == "":
		return errors.New("lacks a body")
	case !slices.Contains([]string{"info", "success", "warning", "failure"}, m.Type):
		return fmt.Errorf("has the type %q", m.Type)
	}
	return nil
}

func (m *Message) checkFormat() error {
	if !slices.Contains([]string{"text", "markdown", "html"}, m.Format) {
		return fmt.Errorf("has the format %q", m.Format)
	}
	return nil
}

// strictly parses one JSON object without unknown members.
func strictly(body []byte, into any) error {
	if err := json.Unmarshal(body, into, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("is not as it should be: %w", err)
	}
	return nil
}

// usable reports whether Apprise supports at least one of the URLs.
func (m *Message) usable() bool {
	return slices.ContainsFunc(m.URLs, func(text string) bool {
		scheme, rest, _ := strings.Cut(text, "://")
		known := []string{"json", "jsons", "ntfy", "ntfys", "tgram", "slack", "discord", "mailto", "mailtos", "gotify", "gotifys", "pover"}
		return slices.Contains(known, scheme) && strings.Trim(rest, "/") != ""
	})
}

// tagged reports whether a tag expression ("a,b": a or b; "a b": a and b) matches the tags. An empty expression matches all.
func tagged(expression string, tags []string) bool {
	if strings.TrimSpace(expression) == "" {
		return true
	}
	for either := range strings.SplitSeq(expression, ",") {
		all := strings.Fields(either)
		if len(all) > 0 && !slices.ContainsFunc(all, func(tag string) bool { return !slices.Contains(tags, tag) }) {
			return true
		}
	}
	return false
}

// readPing parses a heartbeat strictly.
func readPing(request *http.Request, body []byte) (p Ping, err error) {
	p = Ping{Text: string(body), Run: request.URL.Query().Get("rid"), Header: request.Header}
	rest := strings.TrimPrefix(request.URL.Path, pingPath)
	p.Beat = strings.TrimPrefix(rest, "/")
	kind, _, _ := mime.ParseMediaType(request.Header.Get("Content-Type"))
	switch {
	case request.Method != http.MethodPost:
		return p, errors.New("is no POST")
	case rest != "" && rest != "/start" && rest != "/fail":
		return p, errors.New("has a path that no heartbeat has: " + (&url.URL{Path: rest}).String())
	case kind != "text/plain":
		return p, fmt.Errorf("has the content type %q, not text/plain", request.Header.Get("Content-Type"))
	case !utf8.Valid(body):
		return p, errors.New("is not UTF-8")
	case len(body) > 10_000:
		return p, fmt.Errorf("has %d bytes; the monitor keeps 10,000", len(body))
	}
	return p, nil
}
