package setup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/internal/text"
)

// Step is one step of init, described for people.
type Step struct {
	What   string   `json:"what"`
	Detail string   `json:"detail"`
	Lines  []string `json:"lines,omitempty"`
}

// Steps returns the steps of a plan after Try. targets names the notification targets.
func (p *Plan) Steps(targets []string) (steps []Step) {
	watch := Step{What: "watch", Detail: text.Count(p.Watched, "service") + " of " + p.Services}
	switch {
	case p.Watched == 0:
		watch.Detail = "nothing: nothing was found here; write into " + p.Services + " what is to be watched"
	case len(p.Added) > 0:
		watch.Detail += ", of which these are new:"
	}
	for _, s := range p.Added {
		watch.Lines = append(watch.Lines, s.Name+": "+ChecksOf(s))
	}
	steps = append(steps, watch)
	if len(p.LeftOut) > 0 {
		steps = append(steps, Step{"not watched", "what was not seen, or left out:", p.LeftOut})
	}
	if len(p.Settings) > 0 || p.Access() != "" {
		settings := Step{What: "settings", Detail: p.settingsDetail()}
		for _, one := range p.Settings {
			settings.Lines = append(settings.Lines, one.Name+"="+one.Value)
		}
		steps = append(steps, settings)
	}
	for _, command := range p.UserCommands() {
		detail := "`" + strings.Join(command, " ") + "`"
		if group := p.joins(); group != "" {
			detail += ", to see containers: whoever is in the group " + group + " can have root's rights"
		}
		steps = append(steps, Step{What: "user", Detail: detail})
	}
	messages := Step{What: "messages", Detail: "to " + text.List(targets)}
	if len(targets) == 0 {
		messages.Detail = "none: nobody is named; --notify names whom to tell"
	}
	return append(steps, Step{What: "agents", Detail: p.agents()}, Step{What: "schedule", Detail: p.when()}, messages)
}

// settingsDetail describes where variables are written, and who can read them there.
func (p *Plan) settingsDetail() string {
	reader := p.User
	switch {
	case p.System && p.readsEnv():
		reader = "root and " + p.User
	case p.System:
		reader = "root"
	}
	switch why := p.Access(); {
	case why != "":
		return fmt.Sprintf("%s, which only %s can read now: %s", p.EnvFile, reader, why)
	case p.Env == nil:
		return fmt.Sprintf("%s, which only %s can read:", p.EnvFile, reader)
	}
	return p.EnvFile + ":"
}

// agents describes whether agents are started, and what they may do.
func (p *Plan) agents() string {
	may := map[int]string{1: "observe", 2: "observe and investigate", 3: "investigate and remediate, within the limits"}[p.config.MaxTier]
	was := func(name string) bool {
		return !slices.ContainsFunc(p.Settings, func(s config.Setting) bool { return s.Name == name })
	}
	switch {
	case p.config.MaxTier == 1 && p.config.Tier1Agent == config.Probe && p.Credential != config.None && !was("CLAUDEOPS_MAX_TIER"):
		return "none are started, although there is a credential for them (" + string(p.Credential) + "): --remediate lets them mend what fails"
	case p.config.MaxTier == 1 && p.config.Tier1Agent == config.Probe:
		return "none are started: the checks alone watch; --remediate lets agents mend what fails"
	case p.Armed() && was("CLAUDEOPS_MAX_TIER"):
		return fmt.Sprintf("may %s, as before: there is a credential for them (%s), and %s does not say otherwise. CLAUDEOPS_TIER1_AGENT=probe and CLAUDEOPS_MAX_TIER=1 there leave the checks alone",
			may, p.Credential, p.EnvFile)
	}
	return fmt.Sprintf("may %s (CLAUDEOPS_TIER1_AGENT=%s, CLAUDEOPS_MAX_TIER=%d, CLAUDEOPS_APPROVAL=%s)", may, p.config.Tier1Agent, p.config.MaxTier, p.config.Approval)
}

// when describes when, by what and as which user cycles run.
func (p *Plan) when() string {
	switch {
	case p.Prefix != "":
		return "none: with --prefix nothing is started"
	case p.schedule.target == nil:
		return "none: neither systemd nor cron is here; `claudeops cron` runs cycles in the foreground"
	}
	words := fmt.Sprintf("%q, by %s, as %s", p.config.Schedule.String(), p.Target, p.User)
	if p.Installed != nil && len(p.Installed.Flags) > 0 {
		words += ", as before with " + strings.Join(p.Installed.Flags, " ")
	}
	return words
}

// ChecksOf briefly describes the checks of a service.
func ChecksOf(s discover.Service) string {
	var words []string
	for _, k := range s.Checks {
		words = append(words, cmp.Or(k.URL, k.Address, k.Unit, k.Disk, "container "+k.Container))
	}
	return text.Few(words, 3)
}

// Command returns the claudeops command that reads the environment file.
func (m *Machine) Command() string {
	if m.EnvFile == config.EnvFile {
		return m.sudo + "claudeops"
	}
	return m.sudo + "claudeops --env-file " + text.ShellWord(m.EnvFile)
}

// InitCommand returns the init command for the same place.
func (m *Machine) InitCommand() string {
	switch {
	case m.Prefix != "":
		return "claudeops init --prefix " + text.ShellWord(m.Prefix)
	case m.where.EnvFile != "":
		return m.Command() + " init"
	}
	return m.sudo + "claudeops init"
}

// Next returns three recommended steps after a plan was carried out.
func (p *Plan) Next() []string {
	steps := []string{fmt.Sprintf("Read %s: take out what needs no message, add health URLs. `%s probe` makes its checks.", p.Services, p.Command())}
	if p.Target == "" {
		steps = append(steps, fmt.Sprintf("Have cycles run: `%s cron` does, for as long as it runs.", p.Command()))
	}
	if !p.config.Notifies() {
		steps = append(steps, fmt.Sprintf("Say who is told: `%s --notify ntfy://ntfy.sh/your-long-random-topic`.", p.InitCommand()))
	} else if p.config.HeartbeatURL == "" {
		steps = append(steps, "Have a monitor elsewhere notice when this machine is down: CLAUDEOPS_HEARTBEAT_URL in "+p.EnvFile+".")
	}
	if p.config.MaxTier == 1 {
		steps = append(steps, fmt.Sprintf("When you trust what you see: `%s --remediate` lets agents mend what fails. They need the claude program, and a key in %s.", p.InitCommand(), p.EnvFile))
	} else {
		steps = append(steps, fmt.Sprintf("See what agents may do: `%s doctor`, docs/agents.md. Units of systemd are restarted only as `claudeops crontab install --allow-unit` says.", p.Command()))
	}
	return append(steps, fmt.Sprintf("See how things are: `%s status`.", p.Command()))[:3]
}
