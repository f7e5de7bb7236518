// Package query puts one statement of an agent to a service's database. The database and its account are the wall, not a parser: the account
// may only read, which is asked once; each statement has a connection and a read-only transaction of its own, a time limit, after which a
// second connection ends it, and an answer of limited size. Redis, whose accounts cannot be asked, answers a list of commands.
package query

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

const (
	within            = 5 * time.Second // of a connection, from its login to its end
	maxRows, maxRange = 500, 100        // of an answer; of a list of Redis
	maxAnswer         = 256 << 10       // bytes
	maxValue          = 8 << 10         // bytes of one value
	maxStatement      = 64 << 10        // bytes
)

// Refusal is why a statement was not run, and what to do instead.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// Asker asks databases. It keeps what it has found out about their accounts, so it should live as long as a cycle. Environ has the variables
// with passwords, and the engine's address.
type Asker struct {
	Environ []string

	judged sync.Map // by inventory.Query, the error that refuses it; nil: the account may only read
}

// Ask returns the answer to a statement, as a table or as lines; with an error it is not whole. The error is a Refusal if the statement was
// not run, and otherwise says what the database said.
func (a *Asker) Ask(ctx context.Context, of inventory.Query, statement string) (string, error) {
	statement = strings.TrimSpace(statement)
	switch {
	case statement == "" || len(statement) > maxStatement || !utf8.ValidString(statement) || strings.ContainsRune(statement, 0):
		return "", Refusal(fmt.Sprintf("not run: the statement is no text of 1 to %d bytes", maxStatement))
	case commandOfClient.MatchString(statement):
		return "", Refusal(`not run: commands of psql and mysql, such as \dt and \G, are no SQL; tables are in pg_stat_user_tables or SHOW TABLES, ` +
			"columns in information_schema.columns, databases in pg_database or SHOW DATABASES")
	}
	s, err := a.source(ctx, of)
	if err == nil {
		err = a.judge(ctx, s, of)
	}
	if err != nil {
		return "", err
	}
	return s.ask(ctx, statement)
}

var commandOfClient = regexp.MustCompile(`^\\|\\[Ggx]$`)

// judge returns why an account is not asked: it may do more than read, or that cannot be found out.
func (a *Asker) judge(ctx context.Context, s source, of inventory.Query) error {
	if known, is := a.judged.Load(of); is {
		refusal, _ := known.(error)
		return refusal
	}
	var faults []string
	err := s.use(ctx, func(ctx context.Context, on session) (ended bool, err error) {
		faults, err = on.judge(ctx)
		return true, err
	})
	if err != nil {
		return err // it may be another time
	}
	if len(faults) > 0 {
		err = Refusal(fmt.Sprintf("not run: the account of `query` may do more than read the service's data (%s). A person has to name one that may not:\n%s",
			text.Few(faults, 5), strings.Join(Lines(of.Database), "\n")))
	}
	a.judged.Store(of, err)
	return err
}

// source is a database, and how to log in to it.
type source struct {
	probe.Database
	environ []string
}

// source finds a database. The address of a container is the engine's word.
func (a *Asker) source(ctx context.Context, of inventory.Query) (source, error) {
	s := source{probe.Database{URL: of.Database, PasswordEnv: of.PasswordEnv}, a.Environ}
	if of.Container == "" {
		return s, nil
	}
	u, err := url.Parse(of.Database)
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	all, failed := probe.Identities(ctx, a.Environ, false)
	if err = errors.Join(err, failed); err != nil {
		return s, fmt.Errorf("the address of the container %s is not known: %w", of.Container, err)
	}
	i := slices.IndexFunc(all, func(c probe.Identity) bool { return c.Name == of.Container })
	switch {
	case i < 0 || all[i].Network != "host" && len(all[i].Addresses) == 0:
		return s, fmt.Errorf("no container named %s runs and has an address", of.Container)
	case all[i].Network == "host":
		u.Host = strings.Replace(u.Host, u.Hostname(), "127.0.0.1", 1)
	default:
		u.Host = strings.Trim(net.JoinHostPort(all[i].Addresses[0].String(), u.Port()), ":")
	}
	s.URL = u.String()
	return s, nil
}

// session is a connection to one kind of database.
type session interface {
	// judge returns what the account may do beyond reading.
	judge(ctx context.Context) (faults []string, err error)
	// ask runs a statement. Until it has ended, end is the statement that ends it.
	ask(ctx context.Context, statement string, to *answer, end *string) error
	exec(ctx context.Context, statement string) error
}

// use logs in, and closes the connection after do. ended reports whether the server has nothing more to send.
func (s source) use(ctx context.Context, do func(ctx context.Context, on session) (ended bool, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	c, err := probe.Connect(ctx, s.Database, s.environ, within)
	if err != nil {
		return err
	}
	defer c.Close()
	on := session(redisSession{c.Redis})
	if c.Postgres != nil {
		on = postgresSession{c.Postgres}
	} else if c.MySQL != nil {
		on = mysqlSession{c.MySQL}
	}
	ended, err := do(ctx, on)
	if refusal := Refusal(""); err != nil && !errors.As(err, &refusal) {
		err = c.Fault(ctx, err)
	}
	if !ended {
		cancel() // closing would read what is unread
	}
	return err
}

// ask puts a statement to the database. What did not end by itself is ended by another connection of the account: a function may outlive
// its time limit and its connection.
func (s source) ask(ctx context.Context, statement string) (string, error) {
	answer, end := &answer{}, ""
	err := s.use(ctx, func(ctx context.Context, on session) (ended bool, err error) {
		err = on.ask(ctx, statement, answer, &end)
		return end == "" && !answer.more, err
	})
	if end != "" {
		failed := s.use(context.WithoutCancel(ctx), func(ctx context.Context, on session) (bool, error) { return true, on.exec(ctx, end) })
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("the statement may run on, because it could not be ended: %w", failed))
		}
	}
	return answer.String(), err
}

// answer is what a statement gave, as much of it as is shown.
type answer struct {
	text  strings.Builder
	rows  int
	more  bool     // there is more than is shown
	names []string // of the columns: one that says that its values are secret hides them
}

// row adds a row; full reports whether no further one is to be read.
func (a *answer) row(values []string) (full bool) {
	for i, value := range values {
		if i < len(a.names) && value != "NULL" && mask.SecretName(a.names[i]) {
			value = mask.Redacted
		}
		values[i] = escapes.Replace(text.Clip(value, maxValue))
	}
	line := strings.Join(values, "\t") + "\n"
	if a.more = a.rows == maxRows || a.text.Len()+len(line) > maxAnswer; a.more {
		return true
	}
	a.text.WriteString(line)
	a.rows++
	return false
}

// escapes keep a row on its line, and a value in its column.
var escapes = strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`)

func (a *answer) String() string {
	rows := text.Count(a.rows, "row")
	if a.more {
		rows += " shown; there are more"
	}
	return a.text.String() + "(" + rows + ")\n"
}

// shown returns a value as it is shown.
func shown(value []byte) string {
	switch {
	case value == nil:
		return "NULL"
	case utf8.Valid(value):
		return string(value)
	}
	return fmt.Sprintf("0x%x", value[:min(len(value), maxValue)])
}
