package statefile

import (
	"fmt"
	"slices"
	"time"
)

// Position is how many of an action count for a service, and how many are permitted, according to one list of records. It is not yet the
// answer: records.Permission adds what an incident carries over a recovery, and the day's ceiling.
type Position struct {
	Action Action
	// Used may exceed Limit, because others write the file too.
	Used, Limit int
	// FreesAt is when one more is permitted if nothing else happens; zero if one is permitted now.
	FreesAt time.Time
}

// Permitted reports whether the action is permitted once more now.
func (p Position) Permitted() bool { return p.Used < p.Limit }

// Position returns how many of an action count for a service at now. A service without an entry has none.
func (s *State) Position(service string, a Action, now time.Time) Position {
	return Count(s.Service(service).Records(a), a, now)
}

// InWindow reports whether a record of an action counts at now: while it is younger than the action's window, exclusively. Records in the
// future, and those without a readable time, count as of now.
func (r Record) InWindow(a Action, now time.Time) bool {
	return now.Sub(r.Timestamp.orNow(now)) < a.Window()
}

// Count returns the position for these records at now.
func Count(records []Record, a Action, now time.Time) Position {
	p := Position{Action: a, Limit: a.Limit()}
	ends := Ends(records, a, now)
	p.Used = len(ends)
	if p.Permitted() || p.Limit == 0 {
		return p
	}
	// One more is permitted once all but Limit-1 of them have left the window; that is when the youngest of the others leaves.
	p.FreesAt = ends[p.Used-p.Limit]
	return p
}

// Ends returns when each record that counts at now will stop counting, the soonest first.
func Ends(records []Record, a Action, now time.Time) []time.Time {
	ends := make([]time.Time, 0, len(records))
	for _, r := range records {
		if r.InWindow(a, now) {
			ends = append(ends, r.Timestamp.orNow(now).Add(a.Window()))
		}
	}
	slices.SortFunc(ends, time.Time.Compare)
	return ends
}

// Union combines the records of the file with those stored elsewhere, oldest first, so that an act still counts after a recovery has
// cleared the file. A record with an ID is one act, in whichever list it is. A stored record that the file lacks is added, and one with
// another time in the file (in whole seconds) is used as stored. Records of the file without an ID, or with an unknown one, are separate
// acts.
func Union(file, kept []Record) []Record {
	byID := make(map[string]Record, len(kept))
	for _, k := range kept {
		byID[k.ID] = k
	}
	all := make([]Record, 0, len(file)+len(kept))
	found := make(map[string]bool, len(kept))
	for _, r := range file {
		k, known := byID[r.ID]
		if r.ID != "" && known {
			found[r.ID] = true
			r = whole(r, k)
		}
		all = append(all, r)
	}
	for _, k := range kept {
		if k.ID == "" || !found[k.ID] {
			found[k.ID] = true
			all = append(all, k)
		}
	}
	slices.SortStableFunc(all, func(a, b Record) int { return a.Timestamp.compare(b.Timestamp) })
	return all
}

// whole returns the record in the file unless its time was changed; then it returns the stored one, with members that others added.
func whole(file, kept Record) Record {
	if !file.Timestamp.Unreadable() && file.Timestamp.Unix() == kept.Timestamp.Unix() {
		return file
	}
	if kept.Extra == nil {
		kept.Extra = file.Extra
	}
	return kept
}

// Newest returns the newest records, at most most of them; if some are left out, the result is sorted, oldest first.
func Newest(records []Record, most int) []Record {
	if len(records) <= most {
		return records
	}
	sorted := slices.Clone(records)
	slices.SortStableFunc(sorted, func(a, b Record) int { return a.Timestamp.compare(b.Timestamp) })
	return sorted[len(sorted)-most:]
}

// DigestDue reports whether the last daily digest is more than DigestEvery old at now, or was never sent. A time in the future counts as
// now; an unreadable time as never.
func (s *State) DigestDue(now time.Time) bool {
	last := s.LastDailyDigest
	return last == nil || last.Unreadable() || now.Sub(last.Time) > DigestEvery
}

// Prune removes the records that are PruneAfter old at now. None of them is in a window.
func (s *State) Prune(now time.Time) {
	for _, is := range s.Services {
		for _, a := range Actions() {
			is.SetRecords(a, slices.DeleteFunc(is.Records(a), func(r Record) bool {
				return now.Sub(r.Timestamp.orNow(now)) >= PruneAfter
			}))
		}
	}
}

// Straighten replaces times that count as now by now, in whole seconds: those of records that are in the future or unreadable, and future
// ones of last_run and last_daily_digest. If one of these two is unreadable, it becomes null. It returns a line for each, those of
// services first and sorted, to be recorded as an event.
func (s *State) Straighten(now time.Time) []string {
	var lines []string
	for name, is := range s.Services {
		for _, a := range Actions() {
			records := is.Records(a)
			for i := range records {
				if was, bent := records[i].Timestamp.straighten(now); bent {
					lines = append(lines, fmt.Sprintf("%s: the time of a %s %s; it counts as of %s", name, a, was, records[i].Timestamp))
				}
			}
		}
	}
	slices.Sort(lines)
	for _, t := range []struct {
		name string
		at   **Time
	}{{"last_run", &s.LastRun}, {"last_daily_digest", &s.LastDailyDigest}} {
		lines = append(lines, straightenMark(t.name, t.at, now)...)
	}
	return lines
}

func straightenMark(name string, at **Time, now time.Time) []string {
	if *at == nil {
		return nil
	}
	if (*at).Unreadable() {
		*at = nil
		return []string{name + ": its time could not be read; it is null now"}
	}
	straight := **at
	was, bent := straight.straighten(now)
	if !bent {
		return nil
	}
	*at = &straight
	return []string{fmt.Sprintf("%s: its time %s; it is %s now", name, was, straight)}
}
