package script

import (
	"fmt"
	"strings"
)

// psqlCommands judges the psql commands on the rest of a line, which begins with a backslash. Text that psql would replace in arguments
// (variables, backticks) is refused. runs means that a command executes the buffered statement.
func psqlCommands(line string) (runs bool, err error) {
	for line != "" {
		name, arguments, rest, err := psqlCommand(line)
		if err != nil {
			return false, err
		}
		if err := psqlGranted(name, arguments); err != nil {
			return false, err
		}
		runs = runs || name == "g" || name == "gx" || name == "gdesc" || name == "crosstabview"
		line = rest
	}
	return runs, nil
}

// psqlCommand splits the first command from line: its name, its arguments, and the rest, which is empty or begins with a backslash.
func psqlCommand(line string) (name, arguments, rest string, err error) {
	end := 1
	for end < len(line) && !strings.ContainsRune(" \t\\", rune(line[end])) {
		end++
	}
	name = line[1:end]
	if name == "" {
		return "", "", "", refuse(`psql: a backslash without a command; write commands such as \x on lines of their own`)
	}
	i := end
	for ; i < len(line) && line[i] != '\\'; i++ {
		switch c := line[i]; {
		case c == '`':
			return "", "", "", forbid(`psql: backticks after \` + name + ` run a program; write the argument itself`)
		case c == ':' && i+1 < len(line) && (isWord(line[i+1]) || strings.ContainsRune(`'"{`, rune(line[i+1]))):
			return "", "", "", refuse(`psql: a variable after \` + name + `; write its value in its place`)
		case c == '\'' || c == '"':
			quoted, _, closed := strings.Cut(line[i+1:], string(c))
			if !closed || strings.Contains(quoted, `\`) {
				return "", "", "", refuse(`psql: cannot read the quotes after \` + name + `; write the argument more plainly`)
			}
			i += len(quoted) + 1
		}
	}
	return name, strings.TrimSpace(line[end:i]), line[i:], nil
}

// psqlGranted judges one command of psql.
func psqlGranted(name, arguments string) error {
	switch {
	case listed("psql commands", name), arguments == "" && (name == "g" || name == "gx" || name == "encoding"):
		return nil
	case name == "g", name == "gx", name == "encoding":
		return forbid(`psql: \` + name + ` with an argument writes a file or runs a program; write it alone, the result is printed`)
	case name == "pset":
		return psqlFormat(arguments)
	case name == "set":
		return psqlSet(arguments)
	case listed("psql forbidden_commands", name):
		return forbid(`psql: \` + name + ` runs programs, reads or writes files or connects elsewhere; only send SQL, the result is printed`)
	case strings.HasPrefix(name, "dconfig"):
		return psqlConfiguration(arguments)
	case strings.HasPrefix(name, "deu"), strings.HasPrefix(name, "dRs") && name != "dRs":
		return forbid(`psql: \` + name + ` shows passwords of other servers; use \des, \dRs or pg_stat_subscription`)
	case strings.HasPrefix(name, "d") && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+") == "": // these list objects
		return nil
	case strings.HasPrefix(name, "lo_"):
		return forbid(`psql: \` + name + ` reads and writes files; count large objects with SELECT count(*) FROM pg_largeobject_metadata`)
	}
	return refuse(fmt.Sprintf(`psql: \%s is not granted; use \d and its kin, \l, \x, \timing or SQL`, name))
}

// psqlFormat judges \pset: output formats are granted, a pager is not, because it is a program.
func psqlFormat(arguments string) error {
	option, value, _ := strings.Cut(arguments, " ")
	value = strings.TrimSpace(value)
	if option == "" || listed("psql formats", option) || option == "pager" && (value == "off" || value == "0") {
		return nil
	}
	return refuse(`psql: \pset ` + option + ` is not granted; set format, null, border, expanded and the like, and pager only to off`)
}

// psqlSet judges \set: psql's own variables with literal values. Other variables could become parts of statements.
func psqlSet(arguments string) error {
	words := strings.Fields(arguments)
	if len(words) == 2 && listed("psql variables", words[0]) && plainWord(words[1]) {
		return nil
	}
	return refuse(`psql: \set is granted only for psql's own variables, such as \set ON_ERROR_STOP on; write values in their places`)
}

// psqlConfiguration judges \dconfig: it must name settings that are not secrets; * and ? are allowed.
func psqlConfiguration(name string) error {
	pattern := "^(" + strings.NewReplacer("*", ".*", "?", ".").Replace(name) + ")$"
	if name == "" || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz_*?") != "" || !hidesSecrets(pattern) {
		return refuse(`psql: among all settings are passwords; name those to show, such as \dconfig max_conn*`)
	}
	return nil
}
