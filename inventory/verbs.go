package inventory

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/probe"
)

// DefaultTimeout is how long a way may take, if nobody says otherwise.
const DefaultTimeout = 10 * time.Minute

const (
	maxTimeout  = 24 * time.Hour
	maxAttempts = 5
)

// The kinds of ways that a verb may have, in the order in which people are told of them.
var (
	restartKinds  = []Kind{Container, Unit, Compose, Deployment, Run}
	redeployKinds = []Kind{Compose, Deployment, Helm, Run}
	actionKinds   = []Kind{Run}
)

var (
	// wayNames matches the names of containers, units, compose services, deployments and releases: none that is an option, a pattern or a
	// path.
	wayNames    = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:@\\-]{0,199}$`)
	namespaces  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)
	charts      = regexp.MustCompile(`^[A-Za-z0-9_./][^\s\x00-\x1f\x7f]*$`)
	actionNames = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,63}$`)
)

// Aid returns the way of the service's first aid; the zero value if it has none.
func (s *Service) Aid() Way {
	switch {
	case !s.FirstAid.Given():
		return Way{}
	case s.FirstAid.Do != "":
		return s.Actions[s.FirstAid.Do]
	}
	return s.Restart
}

// Logged returns what the service's logs are of: what its restart reaches, or where that is a program, the one container or unit that its
// checks name.
func (s *Service) Logged() Way {
	if slices.Contains([]Kind{Container, Unit, Compose, Deployment}, s.Restart.Kind) {
		return s.Restart
	}
	return silentRestart(s.Checks)
}

// Verb is what one of a service's verbs runs.
type Verb struct {
	Service string   `json:"service"`
	Verb    string   `json:"verb"` // restart, redeploy, action NAME or first aid
	Runs    []string `json:"runs"` // empty: a person is asked, or there is no first aid
}

// Verbs returns what the verbs of the service run. engine is the program of the containers' engine: docker or podman.
func (s *Service) Verbs(engine string) []Verb {
	verbs := []Verb{{s.Name, "restart", s.Restart.RestartArgv(engine)}, {s.Name, "redeploy", s.Redeploy.RedeployArgv(engine)}}
	if s.Restart.Kind == Compose {
		verbs = append(verbs, Verb{s.Name, "restart without a container", s.Restart.UpArgv(engine)})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Actions)) {
		verbs = append(verbs, Verb{s.Name, "action " + name, s.Actions[name].Run})
	}
	return append(verbs, Verb{s.Name, FirstAidVerb, s.Aid().RestartArgv(engine)})
}

// FirstAidVerb is the verb without a model.
const FirstAidVerb = "first aid"

// Remediable reports whether the service may be remediated at a time of day.
func (s *Service) Remediable(now time.Time) bool {
	_, open := s.Hours.Until(now)
	return open || s.Hours == Hours{}
}

// verbFields returns the keys of a service that say what may be done about it, and by whom.
func (b *builder) verbFields(s *Service) []strict.Field {
	way := func(to *Way, kinds []Kind) strict.Takes {
		return strict.Takes{Schema: waySchema(kinds), Read: func(_ *strict.Reader, name string, n *strict.Node) {
			*to = b.readWay(n, name, kinds)
		}}
	}
	return []strict.Field{
		{Name: "restart", Default: "the container or unit that its checks name, if that is exactly one",
			Doc: "[how it is restarted](#what-may-be-done)", Takes: way(&s.Restart, restartKinds)},
		{Name: "redeploy", Default: "none: a person is asked", Doc: "[how it is redeployed](#what-may-be-done)", Takes: way(&s.Redeploy, redeployKinds)},
		{Name: "actions", Default: "none", Doc: "a mapping of names to programs: [what may be done besides](#what-may-be-done)", Takes: strict.Takes{
			Schema: `"type":"object","propertyNames":{"pattern":` + strconv.Quote(actionNames.String()) + `},"additionalProperties":{` + waySchema(actionKinds) + `}`,
			Read:   func(_ *strict.Reader, name string, n *strict.Node) { s.Actions = b.readActions(n, name) }}},
		{Name: "first_aid", Default: "none", Doc: "what is done [without asking a model](#first-aid) where its checks find it down; `{}` restarts it",
			Takes: strict.Takes{Schema: `"$ref":"#/$defs/first_aid"`, Read: func(_ *strict.Reader, name string, n *strict.Node) {
				if b.Mapping(n, name, "attempts, settle and do, or {}") {
					s.FirstAid = newFirstAid()
					b.Fill(n, name, "", firstAidFields(&s.FirstAid))
				}
			}}},
		{Name: "query", Default: "none", Doc: "the [account](#queries) that agents' statements to its database use", Takes: strict.Takes{
			Schema: `"$ref":"#/$defs/query"`, Read: func(_ *strict.Reader, name string, n *strict.Node) { s.Query = b.readQuery(n, name) }}},
		{Name: "logs", Default: "none", Doc: "a list of its log files, as absolute paths in which `*`, `?` and `[…]` are patterns: agents may read them",
			Takes: strict.Takes{Schema: `"type":"array","items":{"$ref":"#/$defs/file"}`, Read: func(_ *strict.Reader, name string, n *strict.Node) {
				for _, pattern := range b.List(n, name, "a list of paths and patterns, like [/srv/shop/log/*.log]") {
					if given, ok := b.Text(&pattern, name); ok {
						b.Fault(&pattern, name, logFault(given))
						s.Logs = append(s.Logs, given)
					}
				}
			}}},
		{Name: "max_tier", Default: "`CLAUDEOPS_MAX_TIER`", Doc: "the highest tier that works on it, or acts on it while it works on another, 1 to 3; with `1` its trouble is told and nothing is done",
			Takes: strict.Whole(&s.MaxTier, 1, 3)},
		{Name: "runbook", Default: "none", Doc: "a file below `CLAUDEOPS_REPOS_DIR`, of at most 64 KiB, whose text the tiers that work on it get to read",
			Takes: strict.Judged(&s.Runbook, `"pattern":"^[^/\\x00-\\x1f\\x7f][^\\x00-\\x1f\\x7f]*$"`, func(file string) string {
				if strict.HasControl(file) || !filepath.IsLocal(file) || path.Clean(file) != file {
					return "not the path of a file below CLAUDEOPS_REPOS_DIR; write it like runbooks/shop.md"
				}
				return ""
			})},
	}
}

// waySchema returns the members of a JSON schema for ways of some kinds.
func waySchema(kinds []Kind) string {
	if len(kinds) == 1 {
		return `"$ref":"#/$defs/way_` + string(kinds[0]) + `"`
	}
	refs := make([]string, len(kinds))
	for i, kind := range kinds {
		refs[i] = `{"$ref":"#/$defs/way_` + string(kind) + `"}`
	}
	return `"anyOf":[` + strings.Join(refs, ",") + "]"
}

// wayFields returns the keys of a way: one for each kind, and those that belong to run.
func (b *builder) wayFields(w *Way) []strict.Field {
	parts := func(of string, fields func(*Way) []strict.Field) strict.Takes {
		return strict.Takes{Schema: `"$ref":"#/$defs/` + of + `"`, Read: func(_ *strict.Reader, name string, n *strict.Node) {
			if given := fields(w); b.Mapping(n, name, strings.Join(strict.Names(given), " and ")) {
				b.Fill(n, name, "", given)
			}
		}}
	}
	return []strict.Field{
		{Name: string(Container), Doc: "a container, by its name", Takes: strict.Matching(&w.Name, wayNames, " is no name of a container")},
		{Name: string(Unit), Doc: "a unit of systemd", Takes: strict.Matching(&w.Name, wayNames, " is no name of a unit")},
		{Name: string(Compose), Doc: "`{file: …, service: …}`: a service of a compose project, which its file or its folder names",
			Takes: parts("compose", composeFields)},
		{Name: string(Deployment), Doc: "`{name: …, namespace: …}`: a deployment of Kubernetes; without `namespace` of `default`",
			Takes: parts("deployment", deploymentFields)},
		{Name: string(Helm), Doc: "`{release: …, chart: …, namespace: …}`: a release of helm, upgraded with the values that it has",
			Takes: parts("helm", helmFields)},
		{Name: string(Run), Doc: "a list of a program, by its path or its name in `PATH`, and its arguments, which no shell reads",
			Takes: probe.Command(&w.Run, "a list of the program and its arguments, like [/usr/local/bin/restart-shop, --quick]")},
		{Name: "dir", Default: "`CLAUDEOPS_REPOS_DIR`", Doc: "with `run`: the folder in which it runs, absolute or below that one",
			Takes: strict.Judged(&w.Dir, `"pattern":"^[^\\x00-\\x1f\\x7f]+$"`, func(dir string) string {
				if strict.HasControl(dir) || !path.IsAbs(dir) && !filepath.IsLocal(dir) {
					return "not the path of a folder; must begin with /, or lead below CLAUDEOPS_REPOS_DIR"
				}
				return ""
			})},
		{Name: "timeout", Doc: "with `run`: the longest that it may take, however long its caller waits; within a tier not longer than that; more than `0s`, at most `24h`", Takes: strict.Duration(&w.Timeout, 1, maxTimeout)},
	}
}

func composeFields(w *Way) []strict.Field {
	return []strict.Field{
		{Name: "file", Required: "the file of the compose project, or its folder", Doc: "the project's file, or its folder", Takes: strict.File(&w.File)},
		{Name: "service", Required: "the service's name in the project", Doc: "the service's name in the project",
			Takes: strict.Matching(&w.Name, wayNames, " is no name of a compose service")},
	}
}

func deploymentFields(w *Way) []strict.Field {
	w.Namespace = "default"
	return []strict.Field{
		{Name: "name", Required: "the name of the deployment", Doc: "its name", Takes: strict.Matching(&w.Name, wayNames, " is no name of a deployment")},
		{Name: "namespace", Doc: "its namespace", Takes: strict.Matching(&w.Namespace, namespaces, " is no namespace")},
	}
}

func helmFields(w *Way) []strict.Field {
	w.Namespace = "default"
	return []strict.Field{
		{Name: "release", Required: "the name of the release", Doc: "its name", Takes: strict.Matching(&w.Name, wayNames, " is no name of a release")},
		{Name: "chart", Required: "its chart", Doc: "its chart: a reference, a URL or a path",
			Takes: strict.Matching(&w.Chart, charts, " is no chart; must be like repo/shop, oci://registry/shop or /srv/charts/shop")},
		{Name: "namespace", Doc: "its namespace", Takes: strict.Matching(&w.Namespace, namespaces, " is no namespace")},
	}
}

// readWay reads how a verb is done, which is of one of some kinds.
func (b *builder) readWay(n *strict.Node, name string, kinds []Kind) Way {
	words := make([]string, len(kinds))
	for i, kind := range kinds {
		words[i] = string(kind)
	}
	expected := "must have one of " + strings.Join(words, ", ")
	if len(words) == 1 {
		expected = "must have " + words[0]
	}
	if n.Kind != strict.Mapping {
		b.Fault(n, name, n.Kind.String()+"; "+expected)
		return Way{}
	}
	w := Way{Timeout: DefaultTimeout}
	fields := slices.DeleteFunc(b.wayFields(&w), func(f strict.Field) bool {
		is := Kind(f.Name)
		return slices.Contains([]Kind{Container, Unit, Compose, Deployment, Helm, Run}, is) && !slices.Contains(kinds, is)
	})
	b.Fill(n, name, "", fields)
	for _, kind := range kinds {
		switch {
		case n.Member(string(kind)) == nil:
		case w.Given():
			b.Fault(n, name, fmt.Sprintf("both %s and %s; %s", w.Kind, kind, expected))
			return w
		default:
			w.Kind = kind
		}
	}
	if !w.Given() {
		b.Fault(n, name, "says not how; "+expected)
	}
	for _, key := range []string{"dir", "timeout"} {
		if given := n.Member(key); given != nil && w.Given() && w.Kind != Run {
			b.Fault(given, key, "must not be given here; it belongs to run")
		}
	}
	return w
}

func (b *builder) readActions(n *strict.Node, name string) map[string]Way {
	actions := map[string]Way{}
	if !b.Mapping(n, name, "a mapping of names to {run: [PROGRAM, …]}") {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := &n.Content[i]
		_, twice := actions[key.Value]
		switch {
		case key.Kind != strict.Text || !actionNames.MatchString(key.Value):
			b.Fault(key, name, strict.Quote(key.Value)+" is no name of an action; must be a word in lower case, like make_room")
		case twice:
			b.Fault(key, name, strict.Quote(key.Value)+" is given twice; must be given once")
		default:
			actions[key.Value] = b.readWay(&n.Content[i+1], key.Value, actionKinds)
		}
	}
	return actions
}

// newFirstAid returns first aid with the defaults of its keys; Settle is that of its service.
func newFirstAid() FirstAid { return FirstAid{Attempts: 1} }

func firstAidFields(f *FirstAid) []strict.Field {
	return []strict.Field{
		{Name: "attempts", Doc: "how often it is tried within an hour, as long as it does not help, 1 to 5; each attempt counts", Takes: strict.Whole(&f.Attempts, 1, maxAttempts)},
		{Name: "settle", Default: "the service's", Doc: "what the service needs after it until its checks mean something; from `0s` to `1h`",
			Takes: strict.Duration(&f.Settle, 0, time.Hour)},
		{Name: "do", Default: "the service's `restart`", Doc: "the name of one of its `actions`",
			Takes: strict.Matching(&f.Do, actionNames, " is no name of an action")},
	}
}

func queryFields(q *Query) []strict.Field {
	return []strict.Field{
		{Name: "database", Required: "the URL of the database, like postgres://reader@db1/shop",
			Doc: "its URL, as [database checks](#database) have it, but of no file, with a user that may only read and without a password", Takes: probe.QueryURL(&q.Database)},
		{Name: "container", Default: "none", Doc: "the container of the database: the engine tells its address, in place of the URL's host",
			Takes: strict.Matching(&q.Container, wayNames, " is no name of a container")},
		{Name: "password_env", Default: "none", Doc: "name of the [environment variable](#secrets) that has the password",
			Takes: strict.Variable(&q.PasswordEnv)},
	}
}

func (b *builder) readQuery(n *strict.Node, name string) (q Query) {
	if b.Mapping(n, name, "database, container and password_env") {
		b.Fill(n, name, "", queryFields(&q))
	}
	return q
}

// logFault returns what is wrong with a pattern of log files; empty for nothing.
func logFault(pattern string) string {
	_, err := path.Match(pattern, "")
	if err != nil || !path.IsAbs(pattern) || path.Clean(pattern) != pattern || pattern == "/" || strict.HasControl(pattern) {
		return "not the path or pattern of a log file; must begin with /, like /srv/shop/log/*.log"
	}
	return ""
}

// finishVerbs completes what may be done about a service, when all its keys are read. The container or unit that it restarts becomes an
// alias of the service, so that every restart of that counts.
func (b *builder) finishVerbs(s *Service, n *strict.Node) {
	if given := n.Member("restart"); given == nil {
		s.Restart = silentRestart(s.Checks)
	} else {
		s.Restart = s.there(s.Restart)
		if key := string(s.Restart.Kind); (s.Restart.Kind == Container || s.Restart.Kind == Unit) && s.Restart.Name != "" {
			b.addAlias(s, given.Member(key), key, s.Restart.Name, len(b.inv.Services))
		}
	}
	s.Redeploy = s.there(s.Redeploy)
	aid := n.Member("first_aid")
	if aid == nil || !s.FirstAid.Given() {
		return
	}
	if aid.Member("settle") == nil {
		s.FirstAid.Settle = s.Settle
	}
	_, known := s.Actions[s.FirstAid.Do]
	switch do := aid.Member("do"); {
	case do != nil && s.FirstAid.Do != "" && !known:
		b.Fault(do, "do", strict.Quote(s.FirstAid.Do)+" is none of the service's actions")
	case do == nil && n.Member("restart") == nil && !s.Restart.Given():
		b.Fault(aid, "first_aid", "its checks name no container or unit, or several, so it is not known what to restart; must have `do:` the name of one of its actions, or a `restart:` beside it")
	}
}

// there returns a way that was given, as it is done where the service is: by ssh, or by the engine that a check of the container asks.
func (s *Service) there(w Way) Way {
	if !slices.Contains([]Kind{Container, Unit, Compose}, w.Kind) {
		return w
	}
	w.SSH = s.SSH
	for _, k := range s.Checks {
		if of, is := k.Options.(*probe.Container); is && w.SSH == "" && w.Kind == Container && of.Name == w.Name {
			w.Engine = cmp.Or(w.Engine, of.Engine)
		}
	}
	return w
}

// silentRestart returns the restart of the one container or unit that checks name, where the checks look at it; none if they name several. A
// job, a timer and whatever else is no service is not restarted, nor is a unit of a user's own manager.
func silentRestart(checks []probe.Check) (w Way) {
	for _, k := range checks {
		var found Way
		switch of := k.Options.(type) {
		case *probe.Container:
			found = Way{Kind: Container, Name: of.Name, Engine: of.Engine, Timeout: DefaultTimeout}
			if of.Job {
				return Way{}
			}
		case *probe.Unit:
			found = Way{Kind: Unit, Name: of.Name, Timeout: DefaultTimeout}
			if of.User || !strings.HasSuffix(of.Name, ".service") {
				return Way{}
			}
		default:
			continue
		}
		if w.Given() && (w.Kind != found.Kind || w.Name != found.Name || w.Engine != found.Engine) {
			return Way{}
		}
		w = found
	}
	return w
}

// remediateFields returns the keys of remediate.
func (b *builder) remediateFields(s *Service) []strict.Field {
	return []strict.Field{
		{Name: "hours", Default: "always", Doc: "when the service may be restarted or redeployed, such as `\"22:00-06:00 Europe/Berlin\"`; without a zone it is the machine's (`TZ`)",
			Takes: b.hoursOf(&s.Hours)},
	}
}

// instead returns the keys that take the place of a `remedy`, as a block to write.
func instead(n *strict.Node) string {
	value := func(key string) string {
		if given := n.Member(key); given != nil {
			return inFlow(given)
		}
		return ""
	}
	aid := "attempts: " + cmp.Or(value("attempts"), "1")
	if settle := value("settle"); settle != "" {
		aid += ", settle: " + settle
	}
	var first string
	switch run, name := value("run"), value("name"); {
	case run != "" && value("counts") == "redeployment":
		first = "actions: {redo: {run: " + run + "}}"
		aid += ", do: redo"
	case run != "":
		first = "restart: {run: " + run + "}"
	case value("restart") == "compose":
		first = "restart: {compose: {file: " + value("project") + ", service: " + name + "}}"
	case value("restart") == "deployment":
		first = "restart: {deployment: {name: " + name + ", namespace: " + cmp.Or(value("namespace"), "default") + "}}"
	default:
		first = "restart: {" + cmp.Or(value("restart"), "container") + ": " + cmp.Or(name, "NAME") + "}"
	}
	key, _, _ := strings.Cut(first, ":")
	return "remedy is now " + key + " and first_aid; write\n    " + first + "\n    first_aid: {" + aid + "}"
}

var plainFlow = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./@-]*$`)

// inFlow formats a scalar, or a list of them, in YAML's flow style.
func inFlow(n *strict.Node) string {
	if n.Kind == strict.List {
		words := make([]string, len(n.Content))
		for i := range n.Content {
			words[i] = inFlow(&n.Content[i])
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	if plainFlow.MatchString(n.Value) {
		return n.Value
	}
	return strconv.Quote(n.Value)
}
