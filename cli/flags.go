package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/flags"
)

// tierFlag adds a flag for one of some tiers; 0 if it is not given.
func tierFlag(c *cobra.Command, name, usage string, allowed ...int) *int {
	tier := new(int)
	flags.Var(c.Flags(), tier, name, "", usage, flags.OneOf(allowed...))
	return tier
}

// flagError rewords an error of pflag.
func flagError(err error) error {
	var value *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	switch {
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

// argument is an argument in a command's Use: NAME; [NAME] if optional; NAME… if repeatable; this|that for a choice of words.
type argument struct {
	name           string
	optional, more bool
}

// grammar returns the arguments and the required flags in a command's Use.
func grammar(use string) (arguments []argument, required []string) {
	words := strings.Fields(use)[1:]
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "--":
		case strings.HasPrefix(word, "--"):
			required = append(required, strings.TrimPrefix(word, "--"))
			i++ // skips its value
		default:
			bare := strings.TrimSuffix(strings.Trim(word, "[]"), "…")
			arguments = append(arguments, argument{bare, strings.HasPrefix(word, "["), strings.HasSuffix(word, "…")})
		}
	}
	return arguments, required
}

// takes checks arguments and flags against the command's Use.
func takes(c *cobra.Command, args []string) error {
	if strings.Contains(c.Use, "(") { // alternatives, checked by the command
		return nil
	}
	arguments, required := grammar(c.Use)
	var missing []string
	for i, argument := range arguments {
		if i >= len(args) && !argument.optional {
			missing = append(missing, argument.name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("missing: %s", strings.Join(missing, " "))
	}
	for i, given := range args {
		if last := len(arguments) - 1; i > last && (last < 0 || !arguments[last].more) {
			if last < 0 && c.HasSubCommands() {
				return unknownCommand(c, given)
			}
			return fmt.Errorf("unexpected argument %q", given)
		}
		if err := arguments[min(i, len(arguments)-1)].check(given); err != nil {
			return err
		}
	}
	for _, name := range required {
		flag := c.Flags().Lookup(name)
		if flag.Changed {
			continue
		}
		value, _ := pflag.UnquoteUsage(flag)
		return fmt.Errorf("missing: --%s %s", name, value)
	}
	return nil
}

func (a argument) check(given string) error {
	switch words := strings.Split(a.name, "|"); {
	case a.name == "SERVICE":
		if fault := check.ServiceNameFault(given); fault != "" {
			return errors.New("SERVICE: " + fault)
		}
	case a.name == "ID" && parseID(given) <= 0:
		return fmt.Errorf("%q is not an id: it is a whole number", given)
	case strings.ToLower(a.name) == a.name && !slices.Contains(words, given):
		return fmt.Errorf("%q: none of %s", given, strings.Join(words, ", "))
	}
	return nil
}

// parseID returns 0 for an invalid id.
func parseID(arg string) int64 {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return 0
	}
	return id
}
