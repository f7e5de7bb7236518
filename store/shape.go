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
	// Known is that SQLite has an index by that name on that table. It goes by the text alone, whatever the row says.
	Known bool
}

// objects are the schema, less what SQLite makes by itself: the index of a UNIQUE or PRIMARY KEY, which has no text, and the figures
// of ANALYZE.
func (s *Store) objects(ctx context.Context) ([]object, error) {
	return list[object](ctx, s, "read its schema", `
		SELECT coalesce(type, ''), coalesce(name, ''), coalesce(tbl_name, ''), coalesce(sql, ''),
			EXISTS (SELECT 1 FROM pragma_index_list(s.tbl_name) i WHERE i.name = s.name)
		FROM sqlite_schema s
		WHERE NOT (type = 'index' AND coalesce(sql, '') = '') AND NOT (type = 'table' AND name GLOB 'sqlite_stat[1-4]' AND sql GLOB 'CREATE TABLE *')
		ORDER BY type, name`)
}

// ourSum is the sum of what the migrations make. It spares a process that finds just that the making.
const ourSum = "a72fde117d31c48eee731be2d15da0b9d5623d3183de49be5e572be8a53077f2"

func sum(all []object) string {
	h := sha256.New()
	for _, o := range all {
		_, _ = fmt.Fprintf(h, "%q\n", []string{o.Kind, o.Name, o.Table, o.Text}) // a sum takes everything
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// ours is what the migrations make.
var ours = sync.OnceValues(func() (all []object, err error) {
	ctx := context.Background()
	db, err := inMemory(ctx, schemaVersion)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return (&Store{conn: db, path: ":memory:"}).objects(ctx)
})

// Foreign is a part of the schema that this program did not make, or has changed since.
type Foreign struct {
	Type  string // table, view, trigger or index
	Name  string
	Table string // to which a trigger or an index belongs
	// Removed is that it decides on our rows, for which the next cycle removes it: a trigger can swallow what is written, an index on a
	// table of ours can refuse it. Of RemoveForeign: that it was removed.
	Removed bool
}

func (f Foreign) String() string {
	text := f.Type + " " + strings.ToValidUTF8(cut(f.Name, maxForeignName), "")
	if f.Table != "" {
		text += " on " + strings.ToValidUTF8(cut(f.Table, maxForeignName), "")
	}
	return text
}

// maxForeignName bounds a foreign name in a message.
const maxForeignName = 100

// difference is what of a schema is not as the migrations make it.
type difference struct {
	damage  string // why it takes a new database; empty where it takes none
	foreign []Foreign
	missing []object // indexes of ours, by that name or as they should be
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

// honest reports whether a row is of the kind that it says: SQLite makes what the text says, as whatever it is listed.
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

// checkShape is a *DamageError where a table of ours is missing or was changed, and ErrForeign where one means to write and what is not
// ours could swallow or refuse it. It looks again only where the schema has changed.
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

// Foreign are the parts of the schema that this program did not make.
func (s *Store) Foreign(ctx context.Context) ([]Foreign, error) {
	d, err := s.differs(ctx)
	return d.foreign, err
}

// RemoveForeign is Foreign that removes what decides on our rows, and makes indexes of ours that are missing, for the holder of the cycle
// lock. No row is lost by that. What it can do nothing about is a *DamageError.
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

// mend changes the schema. That SQLite will not is damage.
func (s *Store) mend(ctx context.Context, or, statement string) error {
	err := s.exec(ctx, "mend its schema", statement)
	if e := (sqlite3.Error{}); errors.As(err, &e) && (e.Code == sqlite3.ErrError || e.Code == sqlite3.ErrConstraint) {
		return &DamageError{What: or + ": " + e.Error()}
	}
	return err
}
