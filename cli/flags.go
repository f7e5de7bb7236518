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

// tierFlag adds a flag that takes one of some tiers; 0 where it is not given.
func tierFlag(c *cobra.Command, name, usage string, allowed ...int) *int {
	tier := new(int)
	flags.Var(c.Flags(), tier, name, "", usage, flags.OneOf(allowed...))
	return tier
}

// flagError words what pflag says of a flag.
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

// argument is one that the Use of a command names: NAME, [NAME] where it may be left out, NAME… where there may be several, and
// this|that where it is one of these words.
type argument struct {
	name           string
	optional, more bool
}

// grammar are the arguments and the required flags that the Use of a command names.
func grammar(use string) (arguments []argument, required []string) {
	words := strings.Fields(use)[1:]
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "--":
		case strings.HasPrefix(word, "--"):
			required = append(required, strings.TrimPrefix(word, "--"))
			i++ // its value
		default:
			bare := strings.TrimSuffix(strings.Trim(word, "[]"), "…")
			arguments = append(arguments, argument{bare, strings.HasPrefix(word, "["), strings.HasSuffix(word, "…")})
		}
	}
	return arguments, required
}

// takes checks arguments and flags by the Use of the command.
func takes(c *cobra.Command, args []string) error {
	if strings.Contains(c.Use, "(") { // alternatives, which the command checks itself
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
		err := fmt.Errorf("missing: --%s %s", name, value)
		if len(args) > 0 { // a misspelled command of a group that takes arguments itself has no such flag
			if near := nearCommands(c, args[0]); len(near) > 0 {
				err = fmt.Errorf("%w; or did you mean %s?", err, near[0])
			}
		}
		return err
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

// parseID returns 0 for what is no id.
func parseID(arg string) int64 {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return 0
	}
	return id
}
