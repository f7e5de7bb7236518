package guard

import (
	"errors"
	"net"
	"path"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/guard/script"
	"github.com/claudeops/claudeops/internal/lazy"
)

// value is a word with the type that the policy gives it.
type value struct {
	typ   string
	text  string
	words []string // the whole redis command
}

// place assigns types to operands and option values. inner is the command that the program starts, if it starts one.
func (c *invocation) place() (inner []string, err error) {
	patterns := strings.Fields(c.rule.Operands)
	if c.rule.Operands == "none" {
		patterns = nil
	}
	if c.effect("first") && len(patterns) > 0 {
		patterns = patterns[1:]
	}
	rest := c.operands
	for i, pattern := range patterns {
		typ, least, most := quantity(pattern)
		if typ == "inner" || typ == "remote" {
			inner, rest = append([]string{}, rest...), nil
			break
		}
		reserved := 0
		for _, later := range patterns[i+1:] {
			_, n, _ := quantity(later)
			reserved += n
		}
		n := max(0, min(most, len(rest)-reserved))
		if n < least {
			return nil, unknown("`%s` lacks an argument", c.name)
		}
		if typ == "redis" && n > 0 {
			c.values = append(c.values, value{typ: typ, words: rest[:n]})
		}
		for _, w := range rest[:n] {
			if c.dashed(typ, w) {
				return nil, unknown("the argument %s of `%s` looks like an option; options stand before the arguments, and a file's name begins with ./", quoted(w), c.name)
			}
			if typ != "redis" {
				c.values = append(c.values, value{typ: typ, text: w})
			}
		}
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return nil, unknown("the argument %s of `%s` is not in the policy", quoted(rest[0]), c.name)
	}
	for _, o := range c.options {
		for i, v := range o.values {
			c.values = append(c.values, value{typ: o.types[min(i, len(o.types)-1)], text: v})
		}
	}
	return inner, nil
}

// dashed reports whether an operand looks like an option. Programs that parse options differently from the guard may take it for one.
func (c *invocation) dashed(typ, w string) bool {
	switch {
	case c.rule.Loose, typ == "redis":
		return false
	case !policy.IsType(typ) && (strings.HasPrefix(typ, "/-") || strings.Contains(typ, "|-")): // the policy lists such words
		return false
	}
	return strings.HasPrefix(w, "-") && w != "-"
}

// value judges one word by its type.
func (j *judge) value(c *invocation, v value) error {
	if j.patterns[v.text] && v.typ != "meta" && !(v.typ == "file" && logPattern(v.text)) {
		return unknown("which files the pattern %s matches is not known on another host or in a container: only logs are read by a pattern (NAME*.log); name the files", quoted(v.text))
	}
	switch w := v.text; v.typ {
	case "any", "meta", "lit", "name":
		return nil
	case "url":
		if c.rule.Check == "http" { // judged with the rest of its request
			return nil
		}
		return j.urlHost(w)
	case "disk":
		return j.disk(w)
	case "svc":
		if !serviceNames().MatchString(w) {
			return unknown("%s is not the plain name of a service: letters, digits and . _ : @ / + -", quoted(w))
		}
		return nil
	case "tree":
		if j.place != "" && !fileName(w) {
			return unknown("whether %s is a folder is not known on another host or in a container; name files", quoted(w))
		}
		return j.reads(w)
	case "file":
		return j.reads(w)
	case "out":
		return j.writesTo(w)
	case "code", "credential", "settings", "hosts":
		return j.configures(c, w, v.typ)
	case "host":
		return j.host(w)
	case "dbhost":
		return j.databaseHost(w)
	case "sshhost":
		return j.sshHost(w)
	case "shell":
		if j.place == "" {
			return unknown("a shell runs in the sandbox, not here")
		}
		return j.remote(w)
	case "fields":
		return kubeFields(c, w)
	case "psql", "mysql", "sqlite", "template", "list":
		return j.script(c, v.typ, w)
	case "redis":
		return read(script.Redis(v.words))
	default:
		if !chosen(v.typ, w) {
			return unknown("%s is not what `%s` takes here", quoted(w), c.name)
		}
		return nil
	}
}

// script judges text that a database or an engine runs.
func (j *judge) script(c *invocation, language, text string) error {
	var change string
	var err error
	switch language {
	case "psql":
		change, err = script.SQL(script.PostgreSQL, text)
	case "mysql":
		change, err = script.SQL(script.MySQL, text)
	case "sqlite":
		change, err = script.SQL(script.SQLite, text)
	case "redis":
		err = script.RedisScript(text)
	case "template":
		err = script.Template(text)
	case "list":
		err = script.ListTemplate(text)
	default:
		err = unknown("text in %s is not read", language)
	}
	if change != "" && Change.gravity() > c.graver.gravity() {
		c.graver = Change
	}
	return read(err)
}

// read converts the error of a script reader to a refusal.
func read(err error) error {
	r := (*script.Refusal)(nil)
	switch {
	case errors.As(err, &r) && r.Forbidden:
		return forbidden("%s", err)
	case err != nil:
		return unknown("%s", err)
	}
	return nil
}

// check runs the checks that apply to the whole invocation, last the one that the rule names.
func (j *judge) check(c *invocation) error {
	if err := j.listeners(c); err != nil {
		return err
	}
	if c.rule.Stdin == "sqlite" && !c.has("-version") && !(c.has("-readonly") && c.has("-safe")) { // it may create files and run views
		return unknown("`sqlite3` needs -readonly and -safe")
	}
	if c.rule.Check == "" {
		return nil
	}
	last, known := checks[c.rule.Check]
	if !known {
		return unknown("the policy names a check that there is not: %s", c.rule.Check)
	}
	return last(j, c)
}

// checks are the functions for whole invocations, by their names in the policy.
var checks = map[string]func(*judge, *invocation) error{
	"certificate": (*judge).certificates,
	"dns":         (*judge).asksNames,
	"endpoint": func(j *judge, c *invocation) error {
		if host, _, err := net.SplitHostPort(c.lastOf("-connect")); err == nil {
			return j.host(host)
		}
		return nil
	},
	"http":    (*judge).request,
	"journal": (*judge).journal,
	"ps":      (*judge).processes,
	"service": (*judge).serviceScript,
}

// disk judges a disk, or a path on one. Opening other devices has effects: a watchdog starts to count, a tape rewinds.
func (j *judge) disk(w string) error {
	return j.eachPlace([]string{w}, func(p string) error {
		if below(p, "/proc") || below(p, "/sys") || below(p, "/dev") && !disks().MatchString(p) || j.place != "" && !path.IsAbs(w) {
			return unknown("%s is not the literal name of a disk or a folder; write it out: /dev/sda, /srv", quoted(w))
		}
		return nil
	})
}

// certificates judges the files from which openssl reads certificates. It prints those and never a key in the same file. The extension
// says which files are certificates; others are judged like any file.
func (j *judge) certificates(c *invocation) error {
	for _, file := range c.valuesOf("-in", "-certfile") {
		if certificateFile().MatchString(file) && !scheme(file) && !j.isSession(j.absolute(file)) {
			continue
		}
		if err := j.reads(file); err != nil {
			return err
		}
	}
	return nil
}

// journalFields are requested from the journal where the call names no fields.
const journalFields = "--output-fields=MESSAGE,MESSAGE_ID,PRIORITY,ERRNO,CODE_FILE,CODE_LINE,CODE_FUNC,UNIT,USER_UNIT,INVOCATION_ID,UNIT_RESULT,EXIT_CODE,EXIT_STATUS,JOB_ID,JOB_TYPE,JOB_RESULT," +
	"SYSLOG_IDENTIFIER,SYSLOG_FACILITY,SYSLOG_PID,SYSLOG_TIMESTAMP,CONTAINER_NAME,CONTAINER_ID,CONTAINER_ID_FULL,CONTAINER_TAG,_PID,_UID,_GID,_COMM,_EXE,_CMDLINE,_HOSTNAME,_MACHINE_ID,_BOOT_ID,_TRANSPORT," +
	"_SYSTEMD_CGROUP,_SYSTEMD_SLICE,_SYSTEMD_UNIT,_SYSTEMD_USER_UNIT,_SYSTEMD_INVOCATION_ID,_SOURCE_REALTIME_TIMESTAMP,_KERNEL_DEVICE,_KERNEL_SUBSYSTEM"

// journal judges journalctl: whole entries may hold the environment of crashed services. On this machine the fields are limited.
func (j *judge) journal(c *invocation) error {
	if c.has("--output-fields") || !slices.ContainsFunc(c.valuesOf("-o", "--output"), func(format string) bool { return strings.HasPrefix(format, "json") }) {
		return nil
	}
	if j.place != "" || slices.Contains(c.words, "--") {
		return unknown("whole entries may hold the environment of a service; name the fields")
	}
	j.argv = slices.Insert(j.argv, 1, journalFields)
	return nil
}

// processes judges ps elsewhere. If ps cannot parse its options in one syntax, it parses all of them in another, where the letter e shows
// environments.
func (j *judge) processes(c *invocation) error {
	if len(c.operands) > 0 && len(c.options) > 0 && !slices.ContainsFunc(c.options, func(o givenOption) bool { return strings.HasPrefix(o.names[0], "--") }) {
		return unknown("letters with and without a dash do not go together, and may show the environment of processes")
	}
	if c.has("-e", "-A", "-a") && c.has("-p") {
		return unknown("with -e every process is shown; leave the choice out")
	}
	return nil
}

// kubeFields judges the output format of kubectl: tables, whole objects (their credentials are masked), names, or listed fields.
func kubeFields(c *invocation, format string) error {
	switch {
	case slices.Contains([]string{"yaml", "json"}, format) && strings.Contains(c.name, " secret"):
		return forbidden("values of Secrets are never shown")
	case slices.Contains([]string{"yaml", "json"}, format), commonFields().MatchString(format):
		return nil
	case builtInFields().MatchString(format) && everyKindBuiltIn(c):
		return nil
	case builtInFields().MatchString(format):
		return unknown("of kinds that a cluster may have or not, the status may hold the values of a deployment; " +
			"show single fields: .status.phase, .status.health.status, .status.sync.status, .status.conditions[*].message, .status.readyReplicas")
	}
	return unknown("this template may show the environment of containers; show the whole (-o yaml, -o json), -o wide, -o name, or single fields: " +
		"-o jsonpath='{.status}' or '{.spec.containers[*].image}', -o custom-columns=NAME:.metadata.name,PHASE:.status.phase")
}

// everyKindBuiltIn reports whether kubectl is asked only for kinds that are built in.
func everyKindBuiltIn(c *invocation) bool {
	words := c.operands
	if _, kind, has := strings.Cut(c.name, " get "); has { // the subcommand in the policy names the kind
		words = append([]string{kind}, words...)
	}
	for i, w := range words {
		kinds, _, both := strings.Cut(w, "/")
		if i > 0 && !both {
			continue // a name, not a kind
		}
		for kind := range strings.SplitSeq(kinds, ",") {
			if kind, group, _ := strings.Cut(strings.ToLower(kind), "."); !slices.Contains(builtIn, kind) || group != "" && group != "apps" && group != "batch" {
				return false
			}
		}
	}
	return len(words) > 0
}

var disks = lazy.Regexp(`^/dev(?:/shm)?$|^/dev/(?:(?:[shv]d|xvd)[a-z?*]+[0-9]*|nvme[0-9]+(?:n[0-9]+(?:p[0-9]+)?)?|(?:mmcblk|md|loop)[0-9]+(?:p[0-9]+)?|dm-[0-9]+|(?:md|mapper|disk/by-[a-z]+)/[A-Za-z0-9][A-Za-z0-9_.:+=-]*)$`)
