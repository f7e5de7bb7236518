package query

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/claudeops/claudeops/probe"
)

// reading are the rights of an account that may only read. SELECT may not reach the database mysql, which has passwords.
var reading = []string{"USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES", "PROCESS", "REPLICATION CLIENT", "BINLOG MONITOR", "SLAVE MONITOR", "REPLICA MONITOR"}

type mysqlSession struct{ driver.Conn }

// judge asks for the grants: information_schema has no rights of roles.
func (m mysqlSession) judge(ctx context.Context) (faults []string, err error) {
	var grants answer
	if err := m.rows(ctx, "SHOW GRANTS", &grants); err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(grants.text.String()), "\n")[1:]
	if grants.more {
		lines = append(lines, "more rights than are read")
	}
	return granted(lines), nil
}

var (
	// grant matches a line of SHOW GRANTS: the rights, on what, and to whom, where the hash of a password may stand.
	grant = regexp.MustCompile("^GRANT ([A-Z ,]+(?: \\([^()]*\\))?[A-Z ,]*) ON (`?([^`]*)`?\\.(?:`[^`]*`|\\*)) TO (.*)$")
	// columns match those of a right. A name with other characters makes the line one that is not understood.
	columns = regexp.MustCompile(" \\((?:`[A-Za-z0-9_$]+`(?:, )?)+\\)")
	// hash matches the hash of a password, as SHOW GRANTS and the server's own tables have it.
	hash = regexp.MustCompile(`\*[0-9A-F]{40}|\$A\$005\$\S+`)
)

// granted returns what lines of SHOW GRANTS permit beyond reading, without the text after TO.
func granted(lines []string) (faults []string) {
	for _, line := range lines {
		match := grant.FindStringSubmatch(columns.ReplaceAllString(line, ""))
		if match == nil {
			head, _, _ := strings.Cut(line, " TO ")
			faults = append(faults, hash.ReplaceAllString(head, "…"))
			continue
		}
		for right := range strings.SplitSeq(match[1], ", ") {
			hashes, _ := path.Match(strings.NewReplacer("%", "*", "_", "?").Replace(strings.ToLower(match[3])), "mysql")
			if !slices.Contains(reading, right) || hashes && (right == "SELECT" || right == "SHOW VIEW") {
				faults = append(faults, right+" ON "+match[2])
			}
		}
		if strings.Contains(match[4], "GRANT OPTION") {
			faults = append(faults, "GRANT OPTION ON "+match[2])
		}
	}
	return faults
}

// looks matches the statements that read. The server takes one statement alone, whose kind its first word is: no comment stands before it,
// which might be text that runs. The driver does not pass on how many columns a prepared statement has.
var looks = regexp.MustCompile(`(?i)^(?:\(|(?:SELECT|SHOW|WITH|EXPLAIN|DESCRIBE|DESC|TABLE|VALUES)\b)`)

func (m mysqlSession) ask(ctx context.Context, statement string, to *answer, end *string) error {
	if !looks.MatchString(statement) {
		return Refusal("not run: only what reads is run, and begins so: SELECT, SHOW, WITH, EXPLAIN, DESCRIBE, TABLE or VALUES, without a comment before it")
	}
	// Some servers have no limit. What takes its snapshot first can no longer be made a transaction that writes.
	snapshot := "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"
	for i, own := range []string{probe.MySQLLimit(within), "SET SESSION TRANSACTION READ ONLY", snapshot} {
		if err := m.exec(ctx, own); err != nil && (i > 0 || !errors.As(err, new(*mysql.MySQLError))) {
			return err
		}
	}
	var id answer
	if err := m.rows(ctx, "SELECT CONNECTION_ID()", &id); err != nil {
		return err
	}
	*end = "KILL " + strings.Fields(id.text.String())[1]
	err := m.rows(ctx, statement, to)
	if !to.more && (err == nil || errors.As(err, new(*mysql.MySQLError))) {
		*end = ""
	}
	return err
}

// rows runs a statement as a prepared one, of which the server takes only one.
func (m mysqlSession) rows(ctx context.Context, statement string, to *answer) error {
	prepared, err := m.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, statement)
	if err != nil {
		return err
	}
	rows, err := prepared.(driver.StmtQueryContext).QueryContext(ctx, nil)
	if err != nil {
		return err
	}
	names := rows.Columns()
	if len(names) == 0 {
		return rows.Close()
	}
	to.row(slices.Clone(names))
	to.rows, to.names = 0, names
	values, row := make([]driver.Value, len(names)), make([]string, len(names))
	for err = rows.Next(values); err == nil; err = rows.Next(values) {
		for i, value := range values {
			if text, is := value.([]byte); is || value == nil {
				row[i] = hash.ReplaceAllString(shown(text), "…")
			} else {
				row[i] = fmt.Sprint(value)
			}
		}
		if to.row(row) {
			return nil // closing would read the rest
		}
	}
	if errors.Is(err, io.EOF) {
		return rows.Close()
	}
	return err
}

// exec runs a statement of ours. What it ends may have ended by itself.
func (m mysqlSession) exec(ctx context.Context, statement string) error {
	_, err := m.Conn.(driver.ExecerContext).ExecContext(ctx, statement, nil)
	var said *mysql.MySQLError
	if errors.As(err, &said) && said.Number == 1094 { // no such thread
		return nil
	}
	return err
}
