package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mattn/go-sqlite3"
)

// object is a row of sqlite_schema.
type object struct {
	Kind, Name, Table, Text string
	// Known is set if SQLite lists an index with that name on that table. SQLite goes by the statement text, not by the row's other columns.
	Known bool
}

// objects returns the schema without what SQLite adds itself: the index of a UNIQUE or PRIMARY KEY, which has no text, and the statistics
// of ANALYZE.
func (s *Store) objects(ctx context.Context) ([]object, error) {
	return list[object](ctx, s, "read its schema", `
		SELECT coalesce(type, ''), coalesce(name, ''), coalesce(tbl_name, ''), coalesce(sql, ''),
			EXISTS (SELECT 1 FROM pragma_index_list(s.tbl_name) i WHERE i.name = s.name)
		FROM sqlite_schema s
		WHERE NOT (type = 'index' AND coalesce(sql, '') = '') AND NOT (type = 'table' AND name GLOB 'sqlite_stat[1-4]' AND sql GLOB 'CREATE TABLE *')
		ORDER BY type, name`)
}

// ourSum is the hash of the schema that the migrations produce. A process that finds the same hash need not build that schema for
// comparison.
const ourSum = "75f65e69f72399a9c0983bda480e71e285f45c7d902610400a96e868bf686fc0"

func sum(all []object) string {
	h := sha256.New()
	for _, o := range all {
		_, _ = fmt.Fprintf(h, "%q\n", []string{o.Kind, o.Name, o.Table, o.Text}) // writing to a hash does not fail
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// ours returns the schema that the migrations produce.
var ours = sync.OnceValues(func() (all []object, err error) {
	ctx := context.Background()
	db, err := inMemory(ctx, schemaVersion)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return (&Store{conn: db, path: ":memory:"}).objects(ctx)
})

// Foreign is a part of the schema that this program did not create, or that was changed since.
type Foreign struct {
	Type  string // table, view, trigger or index
	Name  string
	Table string // of a trigger or an index
	// Removed is set if the object affects our rows, so that the next cycle removes it: a trigger can delete what is written, and an
	// index on one of our tables can reject it. From RemoveForeign, it means that the object was removed.
	Removed bool
}

func (f Foreign) String() string {
	text := f.Type + " " + strings.ToValidUTF8(cut(f.Name, maxForeignName), "")
	if f.Table != "" {
		text += " on " + strings.ToValidUTF8(cut(f.Table, maxForeignName), "")
	}
	return text
}

// maxForeignName limits a foreign name in a message.
const maxForeignName = 100

// difference is how a schema differs from the one that the migrations produce.
type difference struct {
	damage  string // why a new database is needed; empty if none is
	foreign []Foreign
	missing []object // our indexes that are missing or changed
}

// compare compares a schema with ours. SQLite ignores the case of names.
func compare(ours, found []object) (d difference) {
	tables := map[string]bool{}
	for _, o := range ours {
		tables[o.Name] = tables[o.Name] || o.Kind == "table"
		switch {
		case slices.Contains(found, o):
		case o.Kind == "index":
			d.missing = append(d.missing, o)
		default:
			d.damage = "its " + o.Kind + " " + o.Name + " is missing or was changed"
		}
	}
	for _, o := range found {
		if slices.Contains(ours, o) {
			continue
		}
		f := Foreign{Type: o.Kind, Name: o.Name}
		if o.Kind == "trigger" || o.Kind == "index" {
			f.Table = strings.ToLower(o.Table)
			f.Removed = o.Kind == "trigger" || tables[f.Table]
		}
		d.foreign = append(d.foreign, f)
		if !o.honest() {
			d.damage = "the " + f.String() + " is not what it is said to be"
		}
	}
	return d
}

// honest reports whether a row's text matches its type: SQLite creates what the text says, whatever type the row has.
func (o object) honest() bool {
	is := func(begin string) bool { return strings.HasPrefix(o.Text, "CREATE "+begin+" ") }
	switch o.Kind {
	case "table":
		return is("TABLE") || is("VIRTUAL TABLE")
	case "index":
		return o.Known && (is("INDEX") || is("UNIQUE INDEX"))
	}
	return is(strings.ToUpper(o.Kind))
}

// differs compares the schema with ours.
func (s *Store) differs(ctx context.Context) (d difference, err error) {
	found, err := s.objects(ctx)
	if err != nil || sum(found) == ourSum {
		return d, err
	}
	all, err := ours()
	return compare(all, found), err
}

// checkShape returns a *DamageError if one of our tables is missing or was changed, and ErrForeign if mode allows writing and a foreign
// object could delete or reject what is written. It checks again only after the schema has changed.
func (s *Store) checkShape(ctx context.Context, mode Mode) error {
	var schema int64
	if err := s.conn.QueryRowContext(ctx, `PRAGMA schema_version`).Scan(&schema); err != nil {
		return err
	}
	if s.shape.Load() == schema+1 {
		return nil
	}
	d, err := s.differs(ctx)
	if err != nil {
		return err
	}
	if d.damage != "" {
		return &DamageError{What: d.damage}
	}
	if i := slices.IndexFunc(d.foreign, func(f Foreign) bool { return f.Removed }); i >= 0 && mode == ReadWrite {
		return fmt.Errorf("%w: it contains something that claudeops did not create, and that could swallow what is written: %s; the next cycle removes it", ErrForeign, d.foreign[i])
	}
	s.shape.Store(schema + 1)
	return nil
}

// Foreign returns the parts of the schema that this program did not create.
func (s *Store) Foreign(ctx context.Context) ([]Foreign, error) {
	d, err := s.differs(ctx)
	return d.foreign, err
}

// RemoveForeign is Foreign, but also removes objects that affect our rows, and creates our missing indexes. It requires the cycle lock.
// No row is lost. What it cannot repair is a *DamageError.
func (s *Store) RemoveForeign(ctx context.Context) (found []Foreign, err error) {
	err = s.Update(ctx, func(s *Store) error {
		d, err := s.differs(ctx)
		if err != nil {
			return err
		}
		if d.damage != "" {
			return &DamageError{What: d.damage}
		}
		for _, f := range d.foreign {
			if !f.Removed {
				continue
			}
			if err := s.mend(ctx, "the "+f.String()+" cannot be removed", `DROP `+f.Type+` "`+strings.ReplaceAll(f.Name, `"`, `""`)+`"`); err != nil {
				return err
			}
		}
		for _, o := range d.missing {
			if err := s.mend(ctx, "the index "+o.Name+" cannot be made again", o.Text); err != nil {
				return err
			}
		}
		found = d.foreign
		return nil
	})
	return found, err
}

// mend changes the schema. If SQLite refuses, that is damage.
func (s *Store) mend(ctx context.Context, or, statement string) error {
	err := s.exec(ctx, "mend its schema", statement)
	if e := (sqlite3.Error{}); errors.As(err, &e) && (e.Code == sqlite3.ErrError || e.Code == sqlite3.ErrConstraint) {
		return &DamageError{What: or + ": " + e.Error()}
	}
	return err
}
