package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/guard/script"
)

// nested judges the command that a program starts: on this machine, in a container, on another host.
func (k *walker) nested(u *use, typ string, before []typed, rest []word) bool {
	f := u.f
	for _, b := range before {
		k.judge(u, b)
		switch b.typ {
		case "sshhost":
			f.place = "on " + b.word.String()
		case "lit", "name", "svc":
			f.place = "in " + b.word.String()
		}
	}
	if u.failed {
		return false
	}
	if f.place != "" && f.stdin.shared {
		k.eaten = true
	}
	if len(rest) == 0 {
		k.deny(u, Unknown, "`"+u.name+"` would read its commands from its input; give the command to run as an argument")
		return false
	}
	if u.rule.Check == "loop" {
		f = f.within("under `" + u.name + "`")
		f.stdin = f.stdin.parted()
	}
	cwds, away := k.cwds, k.away
	k.away = f.place != ""
	defer func() { k.cwds, k.away = cwds, away }()
	defer k.as(u)()
	if f.place != "" {
		if k.cwds = []string{"/"}; typ == "remote" { // ssh begins in somebody's home
			k.cwds = []string{"/root"}
		}
		for _, g := range u.given { // the last of them holds
			if slices.Contains(g.option.names, "-w") || slices.Contains(g.option.names, "--workdir") {
				if k.cwds = nil; g.values[0].known && !linked(path.Join("/", g.values[0].text)) {
					k.cwds = []string{path.Join("/", g.values[0].text)}
				}
			}
		}
	}
	if typ == "remote" {
		k.remote(u, rest, f)
		return !u.failed
	}
	k.run(rest, f, false)
	return true
}

// remote judges words that ssh joins to one line for the shell over there.
func (k *walker) remote(u *use, rest []word, f flow) {
	texts := make([]string, 0, len(rest))
	for _, w := range rest {
		if !k.wantWritten(u, w) {
			return
		}
		texts = append(texts, w.text)
	}
	k.fresh(func() { k.shell(strings.Join(texts, " "), f, true) })
}

// wantWritten refuses shell text that does not stand there literally.
func (k *walker) wantWritten(u *use, w word) bool {
	if k.wantKnown(u, w) && !w.written {
		k.deny(u, Unknown, "what a shell runs stands there literally; write "+quoted(w.text)+" out")
	}
	return !u.failed
}

// nestedShell judges source that another shell runs.
func (k *walker) nestedShell(u *use, w word) {
	if k.wantWritten(u, w) {
		f := u.f
		f.stdin = f.stdin.parted()
		defer k.as(u)()
		k.fresh(func() { k.shell(w.text, f, u.name != "bash") })
	}
}

// as keeps in mind that a program runs what it is given as another user, until what it returns is called.
func (k *walker) as(u *use) (back func()) {
	outer := k.other
	k.other = outer || slices.Contains([]string{"sudo", "doas", "su", "runuser"}, u.name)
	return func() { k.other = outer }
}

// fresh judges what a new shell runs, which knows nothing of this one's variables.
func (k *walker) fresh(judge func()) {
	k.subshell(func() {
		outer := k.foreign
		k.vars, k.foreign = map[string][]word{}, true
		judge()
		k.foreign = outer
	})
}

// script judges program text inside an argument.
func (k *walker) script(u *use, language string, w word) {
	if language == "jq" && subscripts(w) {
		w = literal(w.glob)
	}
	if !w.known {
		k.deny(u, Unknown, "its "+language+" text is only known when it runs ("+w.why+"); write it out")
		return
	}
	var effects script.Effects
	var err error
	switch language {
	case "sed":
		effects, err = script.Sed(w.text)
	case "awk":
		effects, err = script.Awk(w.text)
	case "jq":
		effects, err = script.JQ(w.text)
	case "psql":
		effects, err = script.SQL(script.PostgreSQL, w.text)
	case "mysql":
		effects, err = script.SQL(script.MySQL, w.text)
	case "sqlite":
		effects, err = script.SQL(script.SQLite, w.text)
	case "redis":
		effects, err = script.RedisScript(w.text)
	case "template":
		err = script.Template(w.text)
	}
	k.effects(u, effects, err)
}

// redis judges one command of redis, given as words.
func (k *walker) redis(u *use, words []word) {
	texts := make([]string, 0, len(words))
	for _, w := range words {
		if !k.wantKnown(u, w) {
			return
		}
		texts = append(texts, w.text)
	}
	effects, err := script.Redis(texts)
	k.effects(u, effects, err)
}

func (k *walker) effects(u *use, effects script.Effects, err error) {
	if err != nil {
		action := Unknown
		if r, ok := err.(*script.Refusal); ok && r.Forbidden { //nolint:errorlint // the readers return it as it is
			action = Forbidden
		}
		k.deny(u, action, err.Error())
		return
	}
	for _, p := range effects.Reads {
		k.reads(literal(p), u.f, u.name, show(u.words))
	}
	for _, p := range effects.Writes {
		k.writes(literal(p), u.f, u.name, show(u.words))
	}
	if effects.Change != "" && Change.gravity() > u.action.gravity() {
		u.action = Change
	}
}
