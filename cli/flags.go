package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choice is a flag that takes one of a few words; empty where it was not given.
type choice struct {
	word    string
	allowed []string
}

// words are the allowed words of a choice, as any type of string.
func words[S ~string](allowed ...S) *choice {
	c := &choice{}
	for _, word := range allowed {
		c.allowed = append(c.allowed, string(word))
	}
	return c
}

func (c *choice) String() string { return c.word }
func (c *choice) Type() string   { return "word" }
func (c *choice) Set(word string) error {
	if !slices.Contains(c.allowed, word) {
		return errors.New("none of " + strings.Join(c.allowed, ", "))
	}
	c.word = word
	return nil
}

// tierChoice is a flag that takes one of some tiers; 0 where it was not given.
type tierChoice struct{ choice }

func tierOf(allowed ...string) *tierChoice { return &tierChoice{choice{allowed: allowed}} }

func (t *tierChoice) tier() int {
	n, err := strconv.Atoi(t.word)
	if err != nil {
		return 0 // not given
	}
	return n
}

// count is a flag that takes a whole number from 1 on; 0 where it was not given.
type count int64

func (n *count) String() string { return strconv.FormatInt(int64(*n), 10) }
func (n *count) Type() string   { return "number" }
func (n *count) Set(text string) error {
	given, err := strconv.ParseInt(text, 10, 64)
	if err != nil || given < 1 {
		return errors.New("not a whole number of 1 or more")
	}
	*n = count(given)
	return nil
}

// span is a flag that takes a time longer than none; 0 where it was not given.
type span time.Duration

func (s *span) Type() string { return "time" }
func (s *span) String() string {
	if *s == 0 {
		return ""
	}
	return time.Duration(*s).String()
}
func (s *span) Set(text string) error {
	given, err := time.ParseDuration(text)
	if err != nil || given <= 0 {
		return errors.New("not a time; write it like 57s or 2m30s")
	}
	*s = span(given)
	return nil
}

// flagError says in our words what is wrong with a flag.
func flagError(err error) error {
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &value) && value.GetFlag().Value.Type() == "duration":
		return fmt.Errorf("--%s %q: not a time; write it like 57s or 2m30s", value.GetFlag().Name, value.GetValue())
	case errors.As(err, &value) && value.GetFlag().Value.Type() == "int":
		return fmt.Errorf("--%s %q: not a whole number", value.GetFlag().Name, value.GetValue())
	case errors.As(err, &value):
		return fmt.Errorf("--%s %q: %w", value.GetFlag().Name, value.GetValue(), errors.Unwrap(value))
	case errors.As(err, &missing):
		name, _ := pflag.UnquoteUsage(missing.GetFlag())
		return fmt.Errorf("--%s: its value is missing: %s", missing.GetFlag().Name, name)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("unknown flag -%s", unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		return fmt.Errorf("unknown flag --%s", unknown.GetSpecifiedName())
	}
	return err
}

// takes names the arguments of a command, those that may be left out in brackets and last.
func takes(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		required := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, "[") })
		if required < 0 {
			required = len(names)
		}
		switch {
		case len(args) < required:
			return fmt.Errorf("missing: %s", strings.Join(names[len(args):required], " "))
		case len(args) > 0 && len(names) == 0 && c.HasSubCommands():
			return unknownCommand(c, args[0])
		case len(args) > len(names):
			return fmt.Errorf("unexpected argument %q", args[len(names)])
		}
		return nil
	}
}

// several takes one or more arguments of one kind.
func several(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("missing: %s", name)
		}
		return nil
	}
}
