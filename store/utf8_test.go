package store

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/check"
)

// Every text in the database is valid UTF-8, whatever an agent or a service wrote, because other readers of the file fail otherwise. Valid
// text is unchanged.
func TestTextInTheDatabaseIsValidUTF8(t *testing.T) {
	s := fresh(t)
	ctx := t.Context()
	rapid.Check(t, func(r *rapid.T) {
		text := string(rapid.OneOf(
			rapid.SliceOf(rapid.Byte()),
			rapid.Map(rapid.String(), func(text string) []byte { return []byte(text) }),
		).Draw(r, "text"))
		session := must(s.AddSession(ctx, Session{Tier: 1, Model: text, Trigger: "cron", Status: Running, RunToken: text, LogPath: text}))
		ok(t, s.SetSessionHandoff(ctx, session, text))
		ok(t, s.AddEvent(ctx, Event{SessionID: &session, Level: Warning, Service: text, Message: text}))
		ok(t, s.AddChecks(ctx, Reported, session, noon, []check.Result{{Service: text, Type: check.HTTP, Status: check.Down, Error: text}}))
		must(s.AddNotification(ctx, Notification{Kind: Message, Type: "info", Service: text, Title: text, Body: text, Cause: text}))
		ok(t, s.EndSession(ctx, session, Session{Status: Failed, Response: text, Error: text}))
		if got := must(s.Session(ctx, session)).HandoffJSON; utf8.ValidString(text) && got != text {
			r.Fatalf("%q became %q", text, got)
		}
	})
	for _, table := range must(list[string](ctx, s, "tables", `SELECT name FROM sqlite_schema WHERE type = 'table'`)) {
		columns := must(list[string](ctx, s, "columns", `SELECT name FROM pragma_table_info(?)`, table))
		for _, column := range columns {
			for _, text := range must(list[string](ctx, s, "texts", `SELECT "`+column+`" FROM "`+table+`" WHERE typeof("`+column+`") = 'text'`)) {
				if !utf8.ValidString(text) {
					t.Errorf("%s.%s holds %q", table, column, text)
				}
			}
		}
	}
}
