package config

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kelseyhightower/envconfig"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/schedule"
)

// InvalidError lists every fault of a configuration, one line each: which variable, its value, and what is expected. No line contains the
// value of a secret. Rest is the configuration with defaults in the place of what is invalid; it is good for telling people, and for nothing else.
type InvalidError struct {
	Lines []string
	Rest  Config
}

func (e *InvalidError) Error() string { return strings.Join(e.Lines, "\n") }

// Load reads the effective configuration. envFile is the environment file to read, which must exist; empty means EnvFile, if that exists.
// The process's own variables take precedence over the file. An empty CLAUDEOPS_ variable counts as unset.
//
// The error is always an *InvalidError. Even then the Environment is returned, as far as it could be read, but not the Config. Nothing
// else may use the process's environment during the call, because it is temporarily changed for envconfig.
func Load(envFile string) (Config, *Environment, error) {
	return loadFrom(envFile, environmentFile(envFile), readFile)
}

// LoadText is Load with text as the content of the environment file, which need not exist yet.
func LoadText(envFile string, text []byte) (Config, *Environment, error) {
	return loadFrom(envFile, envFile, func(string) ([]byte, error) { return text, nil })
}

// loadFrom reads the configuration with file as the environment file; empty means none. envFile is the path as it was given.
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
	faults = append(faults, valueFaults...)
	if zone := values["TZ"]; zone.text != "" {
		if err := loadZone(zone.text); err != nil {
			faults = append(faults, assigned("TZ", zone)+": "+cmp.Or(quotesFault(zone.text), reason(err)))
		}
	}
	if len(faults) > 0 {
		return Config{}, env, &InvalidError{faults, config}
	}
	return config, env, nil
}

// environmentFile returns the path of the file to read; empty for none, which os.DevNull requests.
func environmentFile(path string) string {
	if path == os.DevNull {
		return ""
	}
	// For an agent's commands, all variables are in the environment; and only root may be able to read the file that systemd reads.
	if path == "" && os.Getenv(RunTokenVariable) == "" && unix.Access(EnvFile, unix.R_OK) == nil {
		return EnvFile
	}
	return path
}

// unreadFile returns a warning about an environment file that exists but is not readable. There is none if the process's environment sets
// the state directory, as in systemd's unit: then whoever started the process has read the file.
func unreadFile(path string) (warnings []string) {
	if err := unix.Access(path, unix.R_OK); !errors.Is(err, unix.EACCES) || os.Getenv(RunTokenVariable) != "" {
		return nil
	}
	return []string{path + " may not be read by this user: what it says does not count here, the state directory included; run this as root or as a user who may read the file"}
}

// decode fills a Config, and returns the faults of the values in the order of the table.
//
// envconfig only reads the process's environment, which is set to the effective values meanwhile. It stops at the first fault. That
// variable is then left at its default and envconfig runs again, so that all faults are found.
func decode(values map[string]value) (Config, []string) {
	table, own, faults := definitions(), map[string]string{}, map[string]string{}
	for _, d := range table {
		own[d.name] = os.Getenv(d.name)
		text := strings.TrimSpace(values[d.name].text)
		switch {
		case quotesFault(text) != "" && d.secret == public:
			faults[d.name], text = quotesFault(text), ""
		case text != "" && numeral[d.kind] != nil && !numeral[d.kind].MatchString(text):
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
		fault := cmp.Or(quotesFault(v.text), faults[d.name])
		lines = append(lines, assigned(d.name, value{d.mask(v.text), v.source})+": "+fault)
	}
	return config, lines
}

// quotesFault names the quotes around a value that is invalid, which is often so because of them; empty where there are none.
func quotesFault(text string) string {
	if text = strings.TrimSpace(text); len(text) > 1 && text[0] == text[len(text)-1] && (text[0] == '"' || text[0] == '\'') {
		return "the quotes are part of the value (docker's -e and --env-file keep them); take them away"
	}
	return ""
}

// loadZone accepts in TZ what CRON_TZ accepts and, as POSIX has them, a colon before it and the path of a file. Any other text would be UTC.
func loadZone(name string) error {
	name = strings.TrimPrefix(name, ":")
	if !filepath.IsAbs(name) {
		_, err := schedule.LoadZone(name)
		return err
	}
	zone, err := readFile(name)
	if err == nil {
		_, err = time.LoadLocationFromTZData(name, zone)
	}
	return err
}

// setVariable cannot fail, because names are valid and no value contains a NUL. An empty value unsets the variable.
func setVariable(name, text string) {
	if text == "" {
		_ = os.Unsetenv(name)
		return
	}
	_ = os.Setenv(name, text)
}

// notA describes the fault of a value of a built-in type. Other types describe theirs themselves.
var notA = map[string]string{
	"time.Duration": "not a duration; write it like 20m or 1h30m",
	"bool":          "neither true nor false",
	"float64":       "not a number; write it like 2.50",
	"int":           "not a whole number; write it like 12",
	"int64":         "not a whole number; write it like 12",
}

// numeral matches valid numbers. Go's syntax also accepts what a person would not mean: 010 as eight, 0x1p4, 1_000, NaN.
var numeral = map[string]*regexp.Regexp{
	"int": regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`), "int64": regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`), "float64": regexp.MustCompile(`^[-0-9.]+$`),
}

// assigned starts a line about a variable: NAME="value", and its source unless that is the process's environment.
func assigned(name string, v value) string {
	line := name + "=" + strconv.Quote(v.text)
	if v.source != FromEnvironment {
		line += " (" + v.source + ")"
	}
	return line
}

// reason returns the cause of an error without the path, which the line contains already.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
