package tiers

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/testkit/fakeagent"
)

func TestSPEC0016_TierPromptChanges_TaskToolRemovedFromAllowedTools(t *testing.T) {
	for tier := 1; tier <= 3; tier++ {
		b := newBench(t, "result 0 1")
		b.spec.Tier = tier
		record := b.record(t)
		value, given := record.Flag("--tools")
		if !given || value != "" {
			t.Errorf("Tier %d: --tools %q", tier, value)
		}
	}
}

func (b *bench) record(t *testing.T) fakeagent.Record {
	t.Helper()
	b.run(t)
	record, err := fakeagent.ReadRecord(b.dir, "")
	must(t, err)
	return record
}

func TestCommandLine(t *testing.T) {
	b := newBench(t, "result 0 1")
	b.spec.Context, b.spec.BudgetUSD, b.spec.MaxTurns = "the context", 0.5, 7
	record := b.record(t)
	for flag, want := range map[string]string{
		"-p": "observe", "--model": "haiku", "--system-prompt": "system", "--append-system-prompt": "the context",
		"--output-format": "stream-json", "--permission-mode": "dontAsk", "--setting-sources": "", "--session-id": "id",
		"--max-budget-usd": "0.5", "--max-turns": "7",
	} {
		if got, given := record.Flag(flag); !given || got != want {
			t.Errorf("%s %q (given: %t), want %q", flag, got, given, want)
		}
	}
	for _, flag := range []string{"--verbose", "--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence"} {
		if !slices.Contains(record.Args, flag) {
			t.Errorf("%s is missing", flag)
		}
	}
	for _, flag := range []string{"--dangerously-skip-permissions", "--allowedTools"} {
		if slices.Contains(record.Args, flag) {
			t.Errorf("%s is given: an agent without tools is granted none", flag)
		}
	}
}

func TestNoLimitsUnlessSet(t *testing.T) {
	record := newBench(t, "result 0 1").record(t)
	for _, flag := range []string{"--max-budget-usd", "--max-turns", "--append-system-prompt"} {
		if _, given := record.Flag(flag); given {
			t.Errorf("%s is given", flag)
		}
	}
}

func TestLongTextsGoByFileAndStandardInput(t *testing.T) {
	long := strings.Repeat("ä", longestArgument/2+1)
	b := newBench(t, "sh cat $CONTEXT_FILE | wc -c > size", "result 0 1")
	b.spec.Prompt, b.spec.System, b.spec.Context = long, long, long
	b.spec.Environ = append(b.spec.Environ, "CONTEXT_FILE="+b.spec.Workspace.dir+"/context.md")
	record := b.record(t)
	if record.Stdin != long {
		t.Errorf("standard input has %d bytes, want the prompt's %d", len(record.Stdin), len(long))
	}
	for _, flag := range []string{"--system-prompt-file", "--append-system-prompt-file"} {
		if _, given := record.Flag(flag); !given {
			t.Errorf("%s is missing", flag)
		}
	}
	size, err := os.ReadFile(b.dir + "/size")
	must(t, err)
	if want := len(long); strings.TrimSpace(string(size)) != "122882" || want != 122882 {
		t.Errorf("the context file had %s bytes, want %d", size, want)
	}
}

func TestTextOfExactlyTheLongestArgument(t *testing.T) {
	b := newBench(t, "result 0 1")
	b.spec.Prompt = strings.Repeat("x", longestArgument)
	if got, _ := b.record(t).Flag("-p"); len(got) != longestArgument {
		t.Errorf("-p has %d bytes, want %d", len(got), longestArgument)
	}
}

func TestAPromptThatLooksLikeAFlagIsNotOne(t *testing.T) {
	b := newBench(t, "result 0 1")
	b.spec.Prompt = "--dangerously-skip-permissions"
	record := b.record(t)
	if slices.Contains(record.Args, b.spec.Prompt) || record.Stdin != b.spec.Prompt {
		t.Errorf("args %q, standard input %q", record.Args, record.Stdin)
	}
}

func TestTheKeyIsInAFileThatOnlyWeCanRead(t *testing.T) {
	for _, kind := range []config.Kind{config.APIKey, config.AuthToken} {
		b := newBench(t, "sh stat -c %a $(sed -n 's/.*cat .\\\\(.*\\\\)key.*/\\\\1/p' settings)", "result 0 1")
		b.spec.Credential = config.Credential{Kind: kind, Value: "sk-ant-secret"}
		path, err := b.spec.Workspace.Settings(b.spec.Credential)
		must(t, err)
		settings, err := os.ReadFile(path)
		must(t, err)
		if strings.Contains(string(settings), "sk-ant-secret") || !strings.Contains(string(settings), "apiKeyHelper") {
			t.Errorf("%s: settings are %s", kind, settings)
		}
		st, err := os.Stat(b.spec.Workspace.dir + "/key")
		must(t, err)
		if st.Mode().Perm() != 0o600 {
			t.Errorf("%s: the key file has mode %v", kind, st.Mode())
		}
	}
}

func TestEnvironment(t *testing.T) {
	home := t.TempDir()
	must(t, os.MkdirAll(home+"/.kube", 0o700))
	must(t, os.WriteFile(home+"/.kube/config", nil, 0o600))
	operator := []string{
		"PATH=/bin", "USER=ops", "LANG=C.UTF-8", "LC_ALL=C", "TZ=UTC", "HTTPS_PROXY=http://proxy", "HOME=" + home,
		"ANTHROPIC_BASE_URL=http://model", "ANTHROPIC_API_KEY=sk", "ANTHROPIC_AUTH_TOKEN=tok", "CLAUDE_CODE_OAUTH_TOKEN=oauth",
		"CLAUDE_CODE_MAX_OUTPUT_TOKENS=8000", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=0",
		"CLAUDEOPS_APPRISE_URLS=tgram://secret", "CLAUDEOPS_DASHBOARD_TOKEN=t", "CLAUDEOPS_INVENTORY=/inv.yaml",
		"PGPASSWORD=pg", "AWS_SECRET_ACCESS_KEY=aws", "DOCKER_HOST=tcp://x", "LD_PRELOAD=/evil.so", "BASH_ENV=/evil",
	}
	got := Environment(operator, []string{"DOCKER_HOST"}, config.Credential{Kind: config.APIKey, Value: "sk"}, map[string]string{"HOME": "/fresh"})
	got = slices.DeleteFunc(got, func(entry string) bool { return strings.HasPrefix(entry, "GIT_CONFIG_") })
	want := []string{
		"ANTHROPIC_BASE_URL=http://model", "CLAUDEOPS_INVENTORY=/inv.yaml",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"CLAUDE_CODE_MAX_OUTPUT_TOKENS=8000",
		"DISABLE_AUTOUPDATER=0", "DISABLE_TELEMETRY=1", "DOCKER_HOST=tcp://x", "HOME=/fresh", "HTTPS_PROXY=http://proxy",
		"KUBECONFIG=" + home + "/.kube/config", "LANG=C.UTF-8", "LC_ALL=C", "PATH=/bin",
		"TZ=UTC", "USER=ops",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A directory that looks like a repository, and is committed to one, has a configuration that anyone may have written.
func TestGitRunsNothingThatAConfigurationNames(t *testing.T) {
	dir := t.TempDir()
	evil := filepath.Join(dir, "evil")
	for name, text := range map[string]string{
		"HEAD": "ref: refs/heads/main\n", "objects/k": "", "refs/heads/k": "",
		"config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = \"touch " + dir + "/ran; false\"\n",
	} {
		file := filepath.Join(evil, name)
		must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	for _, fixed := range []bool{false, true} {
		git := exec.CommandContext(t.Context(), "git", "-C", evil, "status")
		git.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
		if fixed {
			git.Env = Environment(git.Env, nil, config.Credential{}, map[string]string{"HOME": dir})
		}
		out, err := git.CombinedOutput()
		_, ran := os.Stat(filepath.Join(dir, "ran"))
		if fixed && (ran == nil || err == nil) || !fixed && ran != nil {
			t.Errorf("with the fixed variables %v: ran is %v, %v: %s", fixed, ran == nil, err, out)
		}
		must(t, os.RemoveAll(filepath.Join(dir, "ran")))
	}
}

func TestEnvironmentPasses(t *testing.T) {
	for name, tt := range map[string]struct {
		operator, agentEnv []string
		credential         config.Credential
		passed             string
	}{
		"the operator's own variables first": {[]string{"PGOPTIONS=-c statement_timeout=5s"}, []string{"PGOPTIONS"}, config.Credential{}, "PGOPTIONS=-c statement_timeout=5s"},
		"an OAuth token, which the program takes from nowhere else": {
			[]string{"CLAUDE_CODE_OAUTH_TOKEN=oauth"}, nil, config.Credential{Kind: config.OAuthToken, Value: "oauth"}, "CLAUDE_CODE_OAUTH_TOKEN=oauth"},
		"the program's settings":             {[]string{"CLAUDE_CODE_MAX_OUTPUT_TOKENS=5"}, nil, config.Credential{}, "CLAUDE_CODE_MAX_OUTPUT_TOKENS=5"},
		"no program that would run commands": {[]string{"CLAUDE_CODE_SHELL_PREFIX=/usr/local/bin/wrap"}, nil, config.Credential{}, ""},
	} {
		env := Environment(tt.operator, tt.agentEnv, tt.credential, nil)
		if slices.Contains(env, tt.operator[0]) != (tt.passed != "") || tt.passed != "" && !slices.Contains(env, tt.passed) {
			t.Errorf("%s: %q", name, env)
		}
	}
}

func TestWorkspaceIsRemovedWithWhatTheAgentDidToIt(t *testing.T) {
	state := t.TempDir()
	ws, err := NewWorkspace(state, 9)
	must(t, err)
	must(t, os.MkdirAll(ws.Scratch()+"/deep/er", 0o700))
	must(t, os.Symlink("/etc/passwd", ws.Home()+"/link"))
	must(t, os.Chmod(ws.Scratch()+"/deep", 0))
	must(t, ws.Remove())
	left, err := NewWorkspace(state, 10) // as left by a killed cycle
	must(t, err)
	must(t, RemoveWorkspaces(state))
	for _, w := range []*Workspace{ws, left} {
		if _, err := os.Stat(w.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", w.dir, err)
		}
	}
}

func TestDocumentsAreMadeRightAgainBeforeEachTier(t *testing.T) {
	docs := map[string]string{"skills/cooldowns.md": "limits", "checks/http.md": "look"}
	state := t.TempDir()
	for name, tamper := range map[string]func(root string) error{
		"nothing done":   func(string) error { return nil },
		"altered":        func(root string) error { return os.WriteFile(root+"/skills/cooldowns.md", []byte("no limits"), 0o600) },
		"removed":        func(root string) error { return os.RemoveAll(root + "/skills") },
		"added":          func(root string) error { return os.WriteFile(root+"/skills/extra.md", []byte("obey me"), 0o600) },
		"added a folder": func(root string) error { return os.MkdirAll(root+"/evil/deep", 0o700) },
		"replaced by a link": func(root string) error {
			return errors.Join(os.Remove(root+"/checks/http.md"), os.Symlink("/etc/passwd", root+"/checks/http.md"))
		},
		"folder became a link": func(root string) error {
			return errors.Join(os.RemoveAll(root+"/skills"), os.Symlink("/etc", root+"/skills"))
		},
		"file became a folder": func(root string) error {
			return errors.Join(os.Remove(root+"/checks/http.md"), os.MkdirAll(root+"/checks/http.md/x", 0o700))
		},
		"all became a file": func(root string) error { return errors.Join(os.RemoveAll(root), os.WriteFile(root, nil, 0o600)) },
		"all became a link": func(root string) error { return errors.Join(os.RemoveAll(root), os.Symlink("/etc", root)) },
	} {
		t.Run(name, func(t *testing.T) {
			ws, err := NewWorkspace(state, 1)
			must(t, err)
			must(t, ws.LayDocs(docs))
			must(t, tamper(ws.Docs()))
			must(t, ws.LayDocs(docs))
			found := map[string]string{}
			must(t, filepath.WalkDir(ws.Docs(), func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				text, err := os.ReadFile(path)
				found[strings.TrimPrefix(path, ws.Docs()+"/")] = string(text)
				return err
			}))
			if !maps.Equal(found, docs) {
				t.Errorf("%q, want %q", found, docs)
			}
		})
	}
}

func TestNothingPreparedIsTakenForAWorkspace(t *testing.T) {
	for name, plant := range map[string]func(state string) error{
		"run is a link":    func(state string) error { return os.Symlink(t.TempDir(), state+"/run") },
		"run is a file":    func(state string) error { return os.WriteFile(state+"/run", nil, 0o600) },
		"session is there": func(state string) error { return os.MkdirAll(state+"/run/session-1/home", 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			must(t, plant(state))
			ws, err := NewWorkspace(state, 1)
			must(t, err)
			if real, err := filepath.EvalSymlinks(ws.Home()); err != nil || real != ws.Home() {
				t.Errorf("the home is %s, %v", real, err)
			}
			for _, dir := range []string{ws.Home(), ws.Scratch(), ws.Programs()} {
				if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
					t.Errorf("%s is not fresh: %v, %v", dir, entries, err)
				}
			}
		})
	}
}
