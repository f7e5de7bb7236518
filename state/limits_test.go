package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/recording"
)

func TestSPEC0007_REQ4_ThirdRestartBlockedByCooldown(t *testing.T) {
	t.Run("two before the session", func(t *testing.T) {
		d := newFixture(t)
		d.done("nginx", statefile.Restart, 3*time.Hour, time.Hour)
		d.Session(2)
		d.wantRefused(recording.Restart("nginx"), "restart of nginx", "2 of 2 used in 4 h", "free again at 2026-03-01T13:00:00Z", "docker restart nginx")
	})
	t.Run("failed ones count", func(t *testing.T) {
		d := newFixture(t)
		d.Session(2)
		for range 2 {
			d.wantGranted(recording.Restart("nginx"))
			d.Outcome("Exit code 1")
		}
		d.wantRefused(recording.Restart("nginx"), "2 of 2 used in 4 h")
	})
	t.Run("in the next session", func(t *testing.T) {
		d := newFixture(t)
		d.Session(2)
		d.wantGranted(recording.Restart("nginx"))
		d.wantGranted(recording.Restart("nginx"))
		d.Settle()
		d.Session(3)
		d.wantRefused(recording.Restart("nginx"), "2 of 2 used in 4 h")
		d.wantGranted(recording.Redeploy("nginx"))
	})
}

func TestSPEC0007_REQ5_SecondRedeploymentBlocked(t *testing.T) {
	d := newFixture(t)
	d.Session(3)
	d.wantGranted(recording.Redeploy("postgres"))
	d.Outcome("Exit code 2")
	d.Settle()
	d.wantRefusedIn(3, recording.Redeploy("postgres"), "1 of 1 used in 24 h")
	d.WantAgreement()
}

// A recovery empties the windows, but not the day's count.
func TestTheDaysCeiling(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxRemediationsPerDay = 3
	for range 2 {
		d.Session(2)
		d.wantGranted(recording.Restart("shop"))
		d.Settle()
		ok(t, d.Reset(t.Context(), "shop"))
		d.Time = d.Time.Add(time.Hour)
	}
	d.Session(3)
	d.wantGranted(reload("shop"))
	d.wantRefused(reload("shop"), "no limit but the day's, and 3 of 3 remediations in 24 h")
	same(t, len(d.Reads().Service("shop").Restarts), 0)
	d.Time = d.Time.Add(24*time.Hour - 2*time.Hour - time.Minute) // all three still count
	if refused := d.reserves(recording.Restart("shop")); refused == nil || !strings.Contains(refused.Error(), "3 of 3 remediations in 24 h, free again at 2026-03-02T12:00:01Z") {
		t.Errorf("refused: %v", refused)
	}
	d.Time = d.Time.Add(time.Minute)
	d.wantGranted(recording.Restart("shop"))
	d.Config.MaxRemediationsPerDay = 0
	d.wantGranted(recording.Restart("shop"))
}

// Of the last 24 h, a person's and an agent's, each act counts toward the ceiling until it is a day old.
func TestWhatIsLeftOfEachLimit(t *testing.T) {
	d := newFixture(t)
	d.Config.MaxRemediationsPerDay = 3
	did := func(service string, action statefile.Action) {
		d.Did(store.Act{Service: service, Action: action, Success: true})
	}
	left := func(service string) [2]int {
		restart, redeployment := d.picture().Service(service).Both()
		return [2]int{restart.Left(), redeployment.Left()}
	}
	did("shop", statefile.Restart)
	did("mail", statefile.Restart)
	did("mail", statefile.Restart)
	d.Time = noon.Add(5 * time.Hour)
	did("mail", statefile.Redeployment)
	same(t, [][2]int{left("db"), left("mail"), left("shop")}, [][2]int{{2, 1}, {0, 0}, {2, 1}}) // mail has had its three for the day
	ok(t, d.Reset(t.Context(), "mail"))
	same(t, left("mail"), [2]int{}) // which a reset does not clear
	same(t, d.picture().Service("mail").UsedUp(), true)
	d.Time = noon.Add(24 * time.Hour)
	same(t, left("mail"), [2]int{2, 1})
}

func TestAHumanIsAskedOnce(t *testing.T) {
	d := newFixture(t)
	id := d.opens("shop", 1).ID
	d.done("shop", statefile.Restart, time.Hour, time.Hour)
	d.Session(2)
	for range 3 {
		if refused := d.reserves(recording.Restart("shop")); refused == nil || !refused.HumanAsked {
			t.Errorf("refused: %v", refused)
		}
	}
	asked := d.asked()
	if len(asked) != 1 || asked[0].IncidentID == nil || *asked[0].IncidentID != id || asked[0].Cause != string(notify.LimitsUsedUp) {
		t.Errorf("asked %+v", asked)
	}
	same(t, d.refusals(), 3)
}

// Everything that counts is listed, whatever its time.
func TestARefusalListsWhatHasNoTime(t *testing.T) {
	d := newFixture(t)
	d.Session(2)
	d.Writes(`{"services":{"shop":{"restarts":[{"timestamp":"2026-03-01T07:00:00Z","success":true},
		{"timestamp":"2026-03-01T11:00:00Z","success":true},{"success":true}]}}}`)
	refused := d.reserves(recording.Restart("shop"))
	if refused == nil {
		t.Fatal("granted")
	}
	same(t, refused.Tried, []string{"restart at 2026-03-01T11:00:00Z succeeded", "restart at 2026-03-01T12:00:01Z succeeded"})
}

// A file that no cycle has adopted yet counts as it is.
func TestWhatNoCycleHasSeenCounts(t *testing.T) {
	d := newFixture(t)
	d.Writes(`{"services":{"shop":{"restarts":[{"timestamp":"2024-01-01T00:00:00Z","success":true},{"timestamp":"2026-03-01T07:00:00Z","success":true},
		{"timestamp":"2026-03-01T11:00:00Z","success":true}]}}}`)
	d.Session(2)
	d.wantGranted(recording.Restart("shop"))
	d.wantRefused(recording.Restart("shop"), "2 of 2 used in 4 h")
}

// What a recovery has cleared still counts while the incident is open; an act has one record, known by its id.
func TestARecoveryWithinAnIncidentForgetsNoAct(t *testing.T) {
	d := newFixture(t)
	i := d.opens("shop", 1)
	d.Time = d.Time.Add(time.Minute)
	d.Did(store.Act{Service: "shop", Action: statefile.Restart, Success: true})
	d.Did(store.Act{Service: "shop", Action: statefile.Restart, Success: true})
	first := d.Reads().Service("shop").Restarts[0]
	ok(t, d.Round(t.Context(), func(*statefile.State) ([]string, error) { return []string{"shop"}, nil }))
	p := d.picture().Service("shop").Permission(statefile.Restart)
	same(t, []int{p.Used, p.Carried, p.Today}, []int{2, 2, 2})
	same(t, p.String(), "restart: 2 of 2 used in 4 h, 2 of them before the last recovery of this incident, free again at 2026-03-01T16:01:00Z")
	d.Edits(func(st *statefile.State) { st.Add("shop", statefile.Restart, first) }) // again in the file
	p = d.picture().Service("shop").Permission(statefile.Restart)
	same(t, []int{p.Used, p.Carried, p.Today}, []int{2, 1, 2})
	same(t, len(d.picture().Service("shop").Ends(statefile.Restart)), 2)

	d.Edits(func(st *statefile.State) { st.Services["shop"].Restarts = nil })
	closed := d.Time
	i.ClosedAt = &closed
	ok(t, d.Store.SaveIncident(t.Context(), i))
	p = d.picture().Service("shop").Permission(statefile.Restart)
	same(t, []int{p.Used, p.Today}, []int{0, 2})
}

// The windows are counted from cooldown.json, but the day's count is lost with the database: nothing is granted until the day is over or a
// person accepts that.
func TestNothingIsGrantedWhileTheCountIsLost(t *testing.T) {
	for name, end := range map[string]func(d *fixture){
		"a day later": func(d *fixture) { d.Time = d.Time.Add(24 * time.Hour) },
		"a person accepts it": func(d *fixture) {
			if accepted, err := d.AcceptLoss(d.T.Context()); err != nil || !accepted {
				d.T.Errorf("accepted %v, %v", accepted, err)
			}
		},
	} {
		for _, ceiling := range []int{0, 12} {
			t.Run(name, func(t *testing.T) {
				d := newFixture(t)
				d.Session(2)
				d.wantGranted(recording.Restart("shop"))
				d.Settle()
				d.Loses()
				d.Config.MaxRemediationsPerDay = ceiling
				d.WantAgreement() // the store has again what the file counts
				d.wantRefusedIn(2, recording.Restart("shop"), "restart of shop", "not known what was done in the last 24 h")
				d.wantRefusedIn(3, recording.Redeploy("db"), "redeployment of db")
				same(t, d.picture().MayTouch("db", statefile.Restart, state.By{Person: true}).Kind, state.LostCount)
				end(d)
				d.Session(2)
				d.wantGranted(recording.Restart("shop"))
				if accepted, err := d.AcceptLoss(t.Context()); err != nil || accepted {
					t.Errorf("once more: accepted %v, %v", accepted, err)
				}
			})
		}
	}
}
