package config

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/kelseyhightower/envconfig"
	"golang.org/x/sys/unix"
)

// InvalidError is every fault of a configuration, a line each: which variable, what it holds, what it takes. No line holds a
// secret's value.
type InvalidError struct{ Lines []string }

func (e *InvalidError) Error() string { return strings.Join(e.Lines, "\n") }

// Load reads the configuration in force. envFile is the environment file to read, which must then exist; empty means EnvFile,
// where it exists. The process's own variables count before those of the file; an empty variable of ours is an unset one.
//
// Its error is always an *InvalidError. The Environment is there even then, as far as it could be read; the Config is not. While it
// runs nothing else may use the process's environment, which it lends to envconfig.
func Load(envFile string) (Config, *Environment, error) {
	upper := processLayer()
	told := upper["CLAUDEOPS_STATE_DIR"].text != ""
	file := environmentFile(envFile)
	lower, fileFaults := fileLayer(file)
	upperFiles, faults := upper.settle()
	lowerFiles, lowerFaults := lower.settle()
	faults = slices.Concat(faults, fileFaults, lowerFaults)

	env := &Environment{values: upper.merge(lower), file: lower, secrets: slices.Concat([]string{file}, upperFiles, lowerFiles)}
	env.Warnings = unknownVariables(env.values)
	if envFile == "" && !told {
		env.Warnings = append(env.Warnings, unreadFile(EnvFile)...)
	}

	config, valueFaults := decode(env.values)
	if faults = append(faults, valueFaults...); len(faults) > 0 {
		return Config{}, env, &InvalidError{Lines: faults}
	}
	return config, env, nil
}

// environmentFile is the file to read; empty where there is none, as os.DevNull says.
func environmentFile(path string) string {
	if path == os.DevNull {
		return ""
	}
	// What an agent calls has all of its variables in the environment; and a file that systemd reads for us may be root's alone.
	if path == "" && os.Getenv("CLAUDEOPS_RUN_TOKEN") == "" && unix.Access(EnvFile, unix.R_OK) == nil {
		return EnvFile
	}
	return path
}

// unreadFile warns of an environment file that is there, and closed to us. Where the process's own environment names the state directory, as
// systemd's unit does, whoever started us has read the file.
func unreadFile(path string) (warnings []string) {
	if err := unix.Access(path, unix.R_OK); !errors.Is(err, unix.EACCES) || os.Getenv("CLAUDEOPS_RUN_TOKEN") != "" {
		return nil
	}
	return []string{path + " may not be read by this user: what it says does not count here, the state directory included; run this as root or as a user who may read the file"}
}

// decode fills a Config and returns what is wrong with the values, in the order of the table.
func decode(values map[string]value) (Config, []string) {
	table := definitions()
	faults := map[string]string{}
	for _, d := range table {
		if fault := numeralFault(d.kind, values[d.name].text); fault != "" {
			faults[d.name] = fault
		}
	}
	var config Config
	restore := lend(table, values, faults)
	for _, part := range []any{&config, &config.Agent} {
		fill(part, faults)
	}
	restore()
	for name, fault := range crossFaults(config) {
		if faults[name] == "" {
			faults[name] = fault
		}
	}
	var lines []string
	for _, d := range table {
		if faults[d.name] == "" {
			continue
		}
		v, set := values[d.name]
		if !set {
			v = value{d.def, FromDefault}
		}
		lines = append(lines, assigned(d.name, value{d.mask(v.text), v.source})+": "+faults[d.name])
	}
	return config, lines
}

// lend puts the values in force into the process's environment, from which alone envconfig reads, less those that are faulty
// already, and returns what puts the process's own back.
func lend(table []definition, values map[string]value, faults map[string]string) (restore func()) {
	own := map[string]string{}
	for _, d := range table {
		if text, set := os.LookupEnv(d.name); set {
			own[d.name] = text
		}
		setVariable(d.name, strings.TrimSpace(values[d.name].text), faults[d.name] == "")
	}
	return func() {
		for _, d := range table {
			text, set := own[d.name]
			setVariable(d.name, text, set)
		}
	}
}

// setVariable cannot fail: the names are ours, and no value that got here holds a NUL. An empty one of ours is an unset one.
func setVariable(name, text string, set bool) {
	if set && text != "" {
		_ = os.Setenv(name, text)
		return
	}
	_ = os.Unsetenv(name)
}

// fill decodes part, a pointer to Config or Agent. envconfig stops at the first fault: that variable is then left at its default,
// and it starts again, so that all are found.
func fill(part any, faults map[string]string) {
	for {
		err := envconfig.Process("", part)
		if err == nil {
			return
		}
		var fault *envconfig.ParseError
		if !errors.As(err, &fault) || faults[fault.KeyName] != "" {
			panic("config: the table itself is wrong: " + err.Error())
		}
		faults[fault.KeyName] = explain(fault)
		setVariable(fault.KeyName, "", false)
	}
}

// explain says what a value is not and how to write it. Types of our own say it themselves.
func explain(fault *envconfig.ParseError) string {
	if text := notA(fault.TypeName); text != "" {
		return text
	}
	return fault.Err.Error()
}

func notA(kind string) string {
	switch kind {
	case "time.Duration":
		return "not a duration; write it like 20m or 1h30m"
	case "bool":
		return "neither true nor false"
	case "float64":
		return "not a number; write it like 2.50"
	case "int", "int64":
		return "not a whole number; write it like 12"
	}
	return ""
}

// numeralFault refuses what Go's syntax takes for a number and a person would not mean: 010 as eight, 0x1p4, 1_000, NaN.
func numeralFault(kind, text string) string {
	text = strings.TrimSpace(text)
	odd := false
	switch kind {
	case "int", "int64":
		n, err := strconv.ParseInt(text, 10, 64)
		odd = err != nil || strconv.FormatInt(n, 10) != text
	case "float64":
		odd = strings.Trim(text, "-0123456789.") != ""
	}
	if odd && text != "" {
		return notA(kind)
	}
	return ""
}

// assigned is how a line about a variable begins: NAME="value", and where that stands when it is not the process's environment.
func assigned(name string, v value) string {
	line := name + "=" + strconv.Quote(v.text)
	if v.source != FromEnvironment {
		line += " (" + v.source + ")"
	}
	return line
}

// reason is the bare cause of an error about a file whose path the line has named already.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
