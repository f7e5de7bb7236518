package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/dashboard/web"
	"github.com/claudeops/claudeops/internal/flags"
)

// dashboardFlags are the flags of dashboard.
type dashboardFlags struct {
	addr  string
	hosts []string
}

func init() { addCommand((*app).dashboardCommand) }

func (a *app) dashboardCommand() *cobra.Command {
	f := &dashboardFlags{}
	c := &cobra.Command{
		Use:   "dashboard",
		Short: "Serve web pages of what happened: sessions, incidents, services, cooldowns",
		Long: `dashboard serves web pages of what cycles have recorded, and the same as JSON below /api/v1/: what is wrong now, sessions with their
chains, cost and logs, incidents, services, cooldowns, hooks and settings. It runs no cycle.

It listens on CLAUDEOPS_DASHBOARD_ADDR. On a loopback address it needs no token, and every user of this machine can read it. Any
other address needs CLAUDEOPS_DASHBOARD_TOKEN, which browsers are asked for and programs send as "Authorization: Bearer TOKEN".

Agents are refused.

It serves until a signal ends it, and then exits with 128+n, as cron does: that is no failure.`,
		Example: `  claudeops dashboard
  claudeops dashboard --addr 127.0.0.1:9000 --host ops.example.org`,
	}
	flags.Var(c.Flags(), &f.addr, "addr", "", "listen on this `HOST:PORT` instead of CLAUDEOPS_DASHBOARD_ADDR", func(text string) (string, error) {
		if fault := config.ListenFault(text); fault != "" {
			return "", errors.New(fault)
		}
		return text, nil
	})
	hostFlag(c, &f.hosts, "answer requests for this `NAME` too, as a reverse proxy passes it on; may be repeated")
	c.RunE = a.configured(func(ctx context.Context, l *loaded, _ []string) error { return a.serveDashboard(ctx, l, f) })
	return c
}

// serveDashboard serves until a signal ends it.
func (a *app) serveDashboard(ctx context.Context, l *loaded, f *dashboardFlags) error {
	debug.SetGCPercent(100) // Start set it for short commands
	o, err := a.dashboardOptions(l, f)
	if err != nil {
		return err
	}
	o.Listening = func(addr string) {
		url := dashboardURL(addr)
		if err := a.answer(map[string]string{"addr": addr, "url": url}, "dashboard: "+url+"\n"); err != nil {
			l.log.Warn("it could not be said where the dashboard listens: " + err.Error())
		}
	}
	err = a.serve(ctx, o)
	var signal SignalError
	switch {
	case err != nil:
		return listenError(o.Addr, err)
	case errors.As(context.Cause(ctx), &signal):
		return &exitError{code: exitSignal + int(signal.Signal)}
	}
	return fmt.Errorf("the dashboard: %w", errEndedByItself)
}

// serve serves a dashboard until its context ends, which is not an error.
func (a *app) serve(ctx context.Context, o dashboard.Options) error {
	if a.Dashboard != nil {
		return a.Dashboard(ctx, o)
	}
	return web.Serve(ctx, o)
}

// dashboardURL returns the URL of a dashboard for a browser on this machine or, if the address is unspecified, on another one.
func dashboardURL(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "http://" + addr + "/"
	}
	if is, err := netip.ParseAddr(host); err == nil && is.IsUnspecified() {
		if host, err = os.Hostname(); err != nil {
			host = "localhost"
		}
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// listenError adds a remedy to an error of listening.
func listenError(addr string, err error) error {
	const another = "name another with --addr or CLAUDEOPS_DASHBOARD_ADDR"
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("the dashboard cannot listen on %s: another program does already, perhaps a dashboard that runs; end it, or %s", addr, another)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("the dashboard cannot listen on %s: it is no address of this machine; %s", addr, another)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("the dashboard cannot listen on %s: this user may not take that port; %s", addr, another)
	}
	return fmt.Errorf("dashboard: %w", err)
}

// dashboardOptions returns the options of a dashboard from flags and configuration. Its errors are usage errors: nothing was served.
func (a *app) dashboardOptions(l *loaded, f *dashboardFlags) (dashboard.Options, error) {
	o := a.shown(l)
	o.Addr, o.Token, o.Hosts = cmp.Or(f.addr, l.config.DashboardAddr), l.config.DashboardToken, slices.Clone(f.hosts)
	o.Version = VersionName()
	if ofSession(l.config) {
		return o, errors.New("dashboard is for operators: an agent has commands for what it may know")
	}
	if err := web.MayListen(o.Addr, o.Token); err != nil {
		return o, &exitError{exitUsage, err}
	}
	if err := web.MayTakeAlerts(l.config.AlertToken, o.Token); err != nil {
		return o, &exitError{exitUsage, err}
	}
	if u, err := url.Parse(l.config.DashboardURL); err == nil && u.Host != "" {
		o.Hosts = append(o.Hosts, u.Hostname())
	}
	return o, hideMemory()
}

// hostFlag adds --host, a repeatable flag for a host name.
func hostFlag(c *cobra.Command, hosts *[]string, usage string) {
	flags.Var(c.Flags(), hosts, "host", "", usage, func(text string) ([]string, error) {
		host, err := hostName(text)
		return append(*hosts, host), err
	})
}

var hostPattern = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)

func hostName(text string) (string, error) {
	if _, err := netip.ParseAddr(text); err != nil && !hostPattern.MatchString(text) {
		return "", errors.New("not a host's name; write it like ops.example.org, without a scheme and a port")
	}
	return strings.ToLower(text), nil
}

// hideMemory keeps other processes of this user, including agents, from reading the token in memory and environment.
func hideMemory() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("keep other processes out of the memory of this one: %w", err)
	}
	return nil
}

// served returns doctor's line about the dashboard. It never fails, because the dashboard does not keep cycles from running.
func served(c config.Config) finding {
	err := web.MayListen(c.DashboardAddr, c.DashboardToken)
	switch {
	case err != nil:
		return warn(err.Error(), "`claudeops dashboard` refuses to start")
	case c.DashboardToken == "":
		return ok(c.DashboardAddr + ", no token: while it is served, every user of this machine can read it")
	}
	return ok(c.DashboardAddr + ", behind a token")
}
