package config

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"regexp"
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
// where it exists. The process's own variables count before those of the file; an empty CLAUDEOPS_ variable is an unset one.
//
// Its error is always an *InvalidError. The Environment is there even then, as far as it could be read; the Config is not. While it
// runs nothing else may use the process's environment, which it lends to envconfig.
func Load(envFile string) (Config, *Environment, error) {
	return loadFrom(envFile, environmentFile(envFile), readFile)
}

// LoadText is Load with that text as the content of the environment file, which need not be there yet.
func LoadText(envFile string, text []byte) (Config, *Environment, error) {
	return loadFrom(envFile, envFile, func(string) ([]byte, error) { return text, nil })
}

// loadFrom reads the configuration with file as the environment file, empty for none, of which envFile is how it was named.
func loadFrom(envFile, file string, read func(path string) ([]byte, error)) (Config, *Environment, error) {
	upper := processLayer()
	started := upper["CLAUDEOPS_STATE_DIR"].text != ""
	lower, fileFaults := fileLayer(file, read)
	upperFiles, faults := upper.settle()
	lowerFiles, lowerFaults := lower.settle()
	faults = slices.Concat(faults, fileFaults, lowerFaults)

	values := layer{}
	maps.Copy(values, lower)
	maps.Copy(values, upper)
	env := &Environment{values: values, file: lower, secrets: slices.Concat([]string{file}, upperFiles, lowerFiles)}
	env.Warnings = unknownVariables(env.values)
	if envFile == "" && !started {
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
//
// envconfig reads the process's environment alone, which holds the values in force meanwhile. It stops at the first fault: that variable
// is then left at its default and it starts again, so that all are found.
func decode(values map[string]value) (Config, []string) {
	table, own, faults := definitions(), map[string]string{}, map[string]string{}
	for _, d := range table {
		own[d.name] = os.Getenv(d.name)
		text := strings.TrimSpace(values[d.name].text)
		if text != "" && numeral[d.kind] != nil && !numeral[d.kind].MatchString(text) {
			faults[d.name], text = notA[d.kind], ""
		}
		setVariable(d.name, text)
	}
	var config Config
	for _, part := range []any{&config, &config.Agent} {
		for err := envconfig.Process("", part); err != nil; err = envconfig.Process("", part) {
			var fault *envconfig.ParseError
			if !errors.As(err, &fault) || faults[fault.KeyName] != "" {
				panic("config: the table itself is wrong: " + err.Error())
			}
			faults[fault.KeyName] = cmp.Or(notA[fault.TypeName], fault.Err.Error())
			setVariable(fault.KeyName, "")
		}
	}
	for name, text := range own {
		setVariable(name, text)
	}
	for name, fault := range crossFaults(config) {
		faults[name] = cmp.Or(faults[name], fault)
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

// setVariable cannot fail: the names are ours, and no value that got here holds a NUL. An empty one is an unset one.
func setVariable(name, text string) {
	if text == "" {
		_ = os.Unsetenv(name)
		return
	}
	_ = os.Setenv(name, text)
}

// notA says what a value of a built-in type is not. Types of our own say it themselves.
var notA = map[string]string{
	"time.Duration": "not a duration; write it like 20m or 1h30m",
	"bool":          "neither true nor false",
	"float64":       "not a number; write it like 2.50",
	"int":           "not a whole number; write it like 12",
	"int64":         "not a whole number; write it like 12",
}

// numeral is how numbers are written. Go's syntax also takes what a person would not mean: 010 as eight, 0x1p4, 1_000, NaN.
var numeral = map[string]*regexp.Regexp{
	"int": regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`), "int64": regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`), "float64": regexp.MustCompile(`^[-0-9.]+$`),
}

// assigned is how a line about a variable begins: NAME="value", and where that is when it is not the process's environment.
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
