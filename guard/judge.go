package guard

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/sudo"
)

// judge holds the state while one call is judged.
type judge struct {
	*Guard
	dir  string // the working folder; empty on another host and in a container
	at   string // the folder to which files of a repository are relative: dir, or that of -C
	as   string // the subcommand that runs in the place of the one that was called
	far  bool   // the current program runs on another host or in a container
	name string // the current program and its subcommands, for reasons

	env []string
	own bool
	why string // why a value is not what an option or an operand takes; empty: it has another form
}

var errSandbox = errors.New("it runs in the sandbox")

// systemFolders are the folders whose programs are known by their names.
var systemFolders = []string{"", "/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/snap/bin/"}

// call returns what to run for the words of a call. inside is how many programs have led to it, each on another host or in a container.
func (j *judge) call(words []string, inside int) (run []string, err error) {
	words = sudo.Drop(words)
	folder, name := path.Split(words[0])
	j.name = name
	switch {
	case !slices.Contains(systemFolders, folder):
		return nil, errors.New("what " + quoted(words[0]) + " does is not known; call a program of the system by its name")
	case inside > maxInside:
		return nil, errors.New("too many calls stand in one another")
	case j.far && (name == "claudeops" || name == "ssh"):
		return nil, errors.New("`" + name + "` is called here alone")
	}
	rules := j.Table.programs[name]
	if j.far {
		rules = slices.Concat(j.Table.far[name], rules)
	}
	err = notListed("the program `%s`", name)
	if !j.far && len(rules) == 0 && j.Table.instead[name] == "" {
		return nil, errSandbox
	}
	for i, r := range rules {
		j.name = name
		args, refused := j.take(r, "", words[1:], given{}, inside)
		if refused == nil {
			return append([]string{name}, args...), nil
		}
		if i == 0 || errors.Is(refused, errSandbox) {
			err = refused
		}
	}
	if j.far && errors.Is(err, errSandbox) {
		err = notListed("the program `%s`, for another host or a container,", name)
	}
	if sentence := j.Table.instead[name]; j.far && sentence != "" {
		err = &advised{err, sentence}
	}
	return nil, err
}

// advised is a refusal of a call in a call, which has more to say than the call around it.
type advised struct {
	error
	sentence string
}

// given are the options of a call, by name, with the last value.
type given map[string]string

// take returns the arguments to run where a rule takes them. options are those of the levels above.
func (j *judge) take(r *rule, options string, args []string, seen given, inside int) ([]string, error) {
	if r.same != nil {
		r = j.Table.the(r.same)
	}
	options += " " + r.all
	front, words, next, err := j.subcommand(r, options, args, seen)
	if err != nil {
		return nil, err
	}
	if next != nil {
		j.name = strings.TrimSpace(j.name + " " + strings.Join(words, " "))
		n := front + len(words)
		rest, err := j.take(next, options, args[n:], seen, inside)
		if j.as != "" {
			words, j.as = []string{j.as}, ""
		}
		return slices.Concat(args[:front], words, rest), err
	}
	for _, line := range r.lines {
		s, fault := j.Table.spec(options + " " + line)
		if fault != nil {
			return nil, fault
		}
		taken, refused := j.match(s, args, maps.Clone(seen), inside)
		if refused == nil {
			return taken, nil
		}
		err = cmp.Or(err, refused)
	}
	switch {
	case r.sandbox:
		return nil, errSandbox
	case err == nil && len(args) > front:
		return nil, notListed("`%s %s`", j.name, args[front])
	case err == nil:
		return nil, errors.New("`" + j.name + "` needs a subcommand that looks")
	}
	return nil, err
}

// subcommand returns the rule of the subcommand in args, with its words, and how many arguments stand before it; next is nil where a rule
// has none, or args name none of them. With no operand at all it is the rule of the program without a subcommand.
func (j *judge) subcommand(r *rule, options string, args []string, seen given) (front int, words []string, next *rule, err error) {
	if len(r.subs) == 0 {
		return 0, nil, nil, nil
	}
	s, err := j.Table.spec(options + " " + r.before)
	if err != nil {
		return 0, nil, nil, err
	}
	for front < len(args) && len(args[front]) > 1 && args[front][0] == '-' {
		n, refused := j.option(s, args[front:], seen)
		if refused != nil {
			break // it may be one of the program without a subcommand
		}
		front += n
	}
	j.at = j.dir
	if folder, named := seen["-C"]; named {
		j.at = absolute(folder, j.dir)
	}
	for _, sub := range r.subs {
		longer := next == nil || len(sub.words) > len(words)
		if n := len(sub.words); n > 0 && longer && front+n <= len(args) && slices.Equal(args[front:front+n], sub.words) {
			words, next = sub.words, sub.rule
		}
	}
	if next != nil {
		return front, words, next, nil
	}
	for _, sub := range r.subs {
		if len(sub.words) == 0 && !slices.ContainsFunc(args[front:], func(a string) bool { return a[:min(1, len(a))] != "-" }) {
			return 0, nil, sub.rule, nil
		}
	}
	return front, nil, nil, nil
}

// match returns the arguments to run where a line takes them.
func (j *judge) match(s *spec, args []string, seen given, inside int) ([]string, error) {
	j.why = ""
	var operands []string
	var places []int // of the operands in args, before a --
	for i := 0; i < len(args); {
		a := args[i]
		switch {
		case a == "--" && s.dashes, s.strict && len(operands) > 0:
			operands, i = append(operands, args[i:]...), len(args)
		case a == "--":
			operands, i = append(operands, args[i+1:]...), len(args)
			if slices.ContainsFunc(operands, func(o string) bool { return strings.HasPrefix(o, "-") }) {
				return nil, errors.New("an argument of `" + j.name + "` looks like an option; a file's name begins with ./")
			}
		case len(a) > 1 && (a[0] == '-' || a[0] == '+' && s.plus):
			n, err := j.option(s, args[i:], seen)
			if err != nil {
				return nil, err
			}
			i += n
		default:
			operands, places = append(operands, a), append(places, i)
			i++
		}
	}
	if len(s.need) > 0 && !slices.ContainsFunc(s.need, func(name string) bool { _, is := seen[name]; return is }) {
		return nil, errors.New("`" + j.name + "` needs " + strings.Join(s.need, " or "))
	}
	if j.far && s.here {
		return nil, errors.New("`" + j.name + "` runs here alone")
	}
	if s.repos && !j.far && (!j.repo(j.at) || ClosedName(path.Join(j.at, "file"))) {
		return nil, errors.New("`" + j.name + "` looks below " + j.ReposDir + ": `cd` there first")
	}
	if n := len(s.operands) - 1; n >= 0 && slices.Contains(nested, s.operands[n].of[0].kind) {
		return j.elsewhere(s, args, operands, inside)
	}
	if err := j.operands(s.operands, operands); err != nil {
		return nil, err
	}
	j.env, j.own = append(j.env, s.env...), j.own || s.own
	j.as = s.as
	return j.added(s, args, places), nil
}

// added returns arguments with what the broker adds to them: before --, and closed names at the end. places are those of the operands.
func (j *judge) added(s *spec, args []string, places []int) []string {
	paths := slices.Index(args, "--")
	if paths < 0 && s.closed {
		for _, i := range places { // the first that is a file, as git finds it
			if _, err := os.Lstat(absolute(args[i], j.at)); err == nil {
				paths = i
				break
			}
		}
	}
	add := s.add
	if paths < 0 {
		paths = len(args)
	} else { // of files, git tells the commits that change them
		add = slices.DeleteFunc(slices.Clone(add), func(a string) bool { return a == "--sparse" })
	}
	added := slices.Concat(args[:paths], add)
	switch {
	case !s.closed:
		return append(added, args[paths:]...)
	case paths == len(args):
		added = append(added, "--", ":/")
	case args[paths] != "--":
		added = append(added, "--")
	}
	added = append(added, args[paths:]...)
	for _, name := range ClosedNames() {
		added = append(added, ":(top,exclude,icase,glob)**/"+name)
	}
	return added
}

// option judges the option with which args begin, and returns how many of them it takes.
func (j *judge) option(s *spec, args []string, seen given) (int, error) {
	a := args[0]
	name, value, attached := strings.Cut(a, "=")
	takes, known := s.options[name]
	switch {
	case known && (s.words || strings.HasPrefix(a, "--") || a[0] == '+'):
		return j.valued(name, takes, value, attached, args, seen)
	case s.words || strings.HasPrefix(a, "--") || a[0] == '+':
		return 0, notListed("the option %s of `%s`", quoted(name), j.name)
	case s.digits && strings.Trim(a[1:], "0123456789") == "":
		return 1, nil
	}
	for i, letter := range a[1:] {
		name := "-" + string(letter)
		takes, known := s.options[name]
		rest := a[1+i+len(string(letter)):]
		switch {
		case !known:
			return 0, notListed("the option %s of `%s`", quoted(name), j.name)
		case s.pflag && strings.HasPrefix(rest, "="):
			return j.valued(name, takes, rest[1:], true, args, seen)
		case takes != nil:
			return j.valued(name, takes, rest, rest != "", args, seen)
		}
		seen[name] = ""
	}
	return 1, nil
}

// valued judges the value of an option, which is attached to it or the next argument.
func (j *judge) valued(name string, takes *values, value string, attached bool, args []string, seen given) (int, error) {
	n := 1
	switch {
	case takes == nil && attached:
		return 0, errors.New("the option " + quoted(name) + " of `" + j.name + "` takes no value here")
	case takes == nil, takes.behind && !attached:
		seen[name] = ""
		return 1, nil
	case !attached && len(args) < 2:
		return 0, errors.New("the option " + quoted(name) + " of `" + j.name + "` lacks its value")
	case !attached:
		value, n = args[1], 2
	}
	if _, again := seen[name]; again && name == "-C" {
		return 0, errors.New("`-C` is given once")
	}
	if !j.fits(*takes, value) {
		return 0, j.misfit(value, "the option "+quoted(name)+" of `"+j.name+"`")
	}
	seen[name] = value
	return n, nil
}

// misfit says that something does not take a value.
func (j *judge) misfit(value, what string) error {
	if why := j.why; why != "" {
		j.why = ""
		return errors.New(why)
	}
	return errors.New(quoted(value) + " is not what " + what + " takes here")
}

// operands judges the operands of a call.
func (j *judge) operands(takes []operand, words []string) error {
	if len(takes) == 0 {
		switch {
		case len(words) == 0:
			return nil
		case j.why != "":
			return j.misfit(words[0], j.name)
		}
		return notListed("%s of `%s`", quoted(words[0]), j.name)
	}
	o, later := takes[0], 0
	for _, next := range takes[1:] {
		later += next.least
	}
	n := 0
	for n < len(words) && n < o.most && n < len(words)-later && j.fits(o.values, words[n]) {
		n++
	}
	switch {
	case n >= o.least:
		return j.operands(takes[1:], words[n:])
	case n < len(words):
		return j.misfit(words[n], "`"+j.name+"`")
	}
	return errors.New("`" + j.name + "` lacks an argument")
}

// fits reports whether a word is one of what an option or an operand may be. Only ANY, which is compared, may lead upwards.
func (j *judge) fits(v values, word string) bool {
	upwards := slices.Contains(strings.Split(word, "/"), "..")
	for _, w := range v.of {
		switch {
		case upwards && w.kind != "ANY":
		case w.expression != nil && w.expression.MatchString(word),
			w.kind != "" && j.kind(w.kind, word),
			w.kind == "" && w.expression == nil && w.word == word:
			j.why = ""
			return true
		}
	}
	return false
}
