package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/setup"
)

// converses reports whether a person at a terminal can be asked.
func (a *app) converses() bool { return isTerminal(a.In) && isTerminal(a.Out) }

// ask asks a question until take accepts the answer. An empty line stands for the default, which is shown in brackets.
func (a *app) ask(ctx context.Context, question, standard string, take func(answer string) error) error {
	if standard != "" {
		question += " [" + standard + "]"
	}
	for {
		if err := a.print(question + " "); err != nil {
			return err
		}
		answer, err := a.readLine(ctx)
		if err != nil {
			return err
		}
		if err = take(cmp.Or(answer, standard)); err == nil {
			return nil
		}
		if err := a.print(err.Error() + "\n"); err != nil {
			return err
		}
		question = question[strings.LastIndex(question, "\n")+1:] // what explains it stands above
	}
}

// readLine reads a line from the terminal. If none comes, the command ends.
func (a *app) readLine(ctx context.Context) (string, error) {
	read := make(chan string, 1)
	go func() {
		defer close(read)
		if line, err := bufio.NewReader(a.In).ReadString('\n'); err == nil {
			read <- strings.TrimSpace(line)
		}
	}()
	select {
	case line, ok := <-read:
		if !ok {
			return "", &exitError{exitUsage, errors.Join(a.print("\n"), errors.New("nothing was done: no answer came"))}
		}
		return line, nil
	case <-ctx.Done():
		return "", errors.Join(a.print("\n"), fmt.Errorf("nothing was done: %w", context.Cause(ctx)))
	}
}

// askYes asks for yes or no.
func (a *app) askYes(ctx context.Context, question string, standard bool) (yes bool, err error) {
	usual := "no"
	if standard {
		usual = "yes"
	}
	return yes, a.ask(ctx, question, usual, func(answer string) error {
		switch strings.ToLower(answer) {
		case "y", "yes":
			yes = true
		case "n", "no":
			yes = false
		default:
			return errors.New("yes or no?")
		}
		return nil
	})
}

// askWish asks for everything that neither a flag nor the environment file sets.
func (a *app) askWish(ctx context.Context, w *setup.Wish, m *setup.Machine, found discover.Found) (err error) {
	if len(w.Notify) == 0 && !m.Has("CLAUDEOPS_APPRISE_URLS") && !m.Has("CLAUDEOPS_APPRISE_KEY") {
		question := "An Apprise URL, such as ntfy://ntfy.sh/your-long-random-topic; several with commas between them. Empty: nobody for now.\n" +
			"Who is to be told when something is down?"
		err = a.ask(ctx, question, "", func(answer string) error {
			if answer != "" {
				w.Notify = []string{answer}
			}
			return new(config.URLs).Decode(answer)
		})
	}
	if err == nil && w.Schedule == "" && !m.Scheduled() {
		question := "A cron expression: * * * * * is every minute, */5 * * * * every 5 minutes, 0 * * * * every hour. Checks alone cost nothing.\n" +
			"How often are the services to be checked?"
		err = a.ask(ctx, question, setup.DefaultSchedule, func(answer string) error {
			w.Schedule = answer
			return new(config.Schedule).Decode(answer)
		})
	}
	if err == nil {
		err = a.askServices(ctx, w, m, found)
	}
	if err == nil && !w.Remediate && !m.Has("CLAUDEOPS_MAX_TIER") && !m.Armed() {
		question := "Agents need the claude program and a key. You can allow it later: claudeops init --remediate\n" +
			"May agents restart and redeploy services that fail, within the limits?"
		w.Remediate, err = a.askYes(ctx, question, false)
	}
	return err
}

// askServices asks which of the new services are not to be watched: those that were left out before, by default.
func (a *app) askServices(ctx context.Context, w *setup.Wish, m *setup.Machine, found discover.Found) error {
	had, err := m.ServicesThere()
	if err != nil {
		return err
	}
	added := found.NotIn(had)
	if len(added) == 0 {
		return nil
	}
	const none = "none"
	var question strings.Builder
	var left []string
	for i, s := range added {
		fmt.Fprintf(&question, "%4d  %s\n", i+1, a.line(s.Name+"  "+setup.ChecksOf(s)))
		if slices.Contains(m.Made.Offered, s.Name) {
			left = append(left, strconv.Itoa(i+1))
		}
	}
	question.WriteString("Which of these are not to be watched? Numbers, or " + none)
	return a.ask(ctx, question.String(), cmp.Or(strings.Join(left, " "), none), func(answer string) error {
		w.Leave = []string{}
		if answer == none {
			return nil
		}
		for number := range strings.FieldsSeq(strings.ReplaceAll(answer, ",", " ")) {
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 || n > len(added) {
				return fmt.Errorf("%q: not a number from 1 to %d", number, len(added))
			}
			w.Leave = append(w.Leave, added[n-1].Name)
		}
		return nil
	})
}
