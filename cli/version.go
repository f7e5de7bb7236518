package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version is the release, set by the linker; empty in a build from a checkout, which shows its commit instead.
var Version string

func init() { addCommand((*app).versionCommand) }

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		RunE: func(*cobra.Command, []string) error {
			return a.answer(map[string]string{"version": VersionName(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH},
				a.versionLine()+"\n")
		},
	}
}

// versionLine returns the version after the program's name.
func (a *app) versionLine() string {
	return fmt.Sprintf("%s %s (%s, %s/%s)", ownName, VersionName(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// VersionName returns the release, else the module version from the Go toolchain, else the commit.
func VersionName() string {
	if Version != "" {
		return Version
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := build.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, setting := range build.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return "devel-" + setting.Value[:12]
		}
	}
	return "devel"
}
