package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"
)

// What a text that was granted does is tried on the real programs: it may print, and
// change the files that were said, and nothing else. The texts of the tables and the generated ones make a file called
// canary where something executes or writes, and show the words of the file secret where something reads.

const (
	secretWord   = "TOPSECRETWORD"
	secretsValue = "PASSWORD=" + secretWord
)

// programs are command lines whose programs the machine has to have.
func programs(t *testing.T, lines ...string) (all [][]string) {
	t.Helper()
	for _, line := range lines {
		words := strings.Fields(line)
		if _, err := exec.LookPath(words[0]); err != nil {
			t.Fatalf("the test needs GNU sed, gawk, mawk, busybox and jq: %v", err)
		}
		all = append(all, words)
	}
	return all
}

// tryOut runs program on text in a fresh folder, and reports what it did beyond effects.
func tryOut(t *testing.T, program []string, text, input string, effects Effects) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte(secretWord+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range effects.Writes {
		if filepath.IsAbs(path) {
			return // of the machine; judged, not tried
		}
	}
	output := run(t, program, text, input, dir)
	for _, entry := range entries(t, dir) {
		if !slices.Contains(effects.Writes, entry) {
			t.Errorf("%q made %s of %q, which was taken for %+v", program, entry, text, effects)
		}
	}
	if strings.Contains(output, secretWord) && len(effects.Reads) == 0 {
		t.Errorf("%q showed a secret for %q, which was taken for %+v:\n%s", program, text, effects, output)
	}
}

// run is what the program prints. A program that does not end by itself is ended: that is no effect.
func run(t *testing.T, program []string, text, input, dir string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	arguments := append(slices.Clone(program[1:]), text)
	cmd := exec.CommandContext(ctx, program[0], arguments...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "HOME=" + dir, secretsValue}
	cmd.Stdin = strings.NewReader(input)
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(output)
}

// entries are the names in dir, without the secret that was put there.
func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range found {
		if entry.Name() != "secret" {
			names = append(names, entry.Name())
		}
	}
	return names
}

const sampleLines = "touch canary\na/b x\n1 2 3\nERROR [x] 500\n"

func TestSedReally(t *testing.T) {
	t.Parallel()
	seds := programs(t, "sed", "sed -n", "sed -E", "busybox sed")
	tryTexts(t, seds, Sed, table(t, "sed.txt"), generated(1, sedText, 120))
}

func TestAwkReally(t *testing.T) {
	t.Parallel()
	awks := programs(t, "gawk", "mawk", "busybox awk")
	tryTexts(t, awks, Awk, table(t, "awk.txt"), generated(2, awkText, 120))
}

// tryTexts tries those of the table's rows and of the generated texts that are granted.
func tryTexts(t *testing.T, programs [][]string, read func(string) (Effects, error), rows []row, texts []string) {
	t.Helper()
	for _, row := range rows {
		texts = append(texts, row.text)
	}
	granted := 0
	for _, text := range texts {
		effects, err := read(text)
		if err != nil {
			continue
		}
		granted++
		for _, program := range programs {
			tryOut(t, program, text, sampleLines, effects)
		}
	}
	if granted < len(rows)/2 {
		t.Errorf("only %d of %d texts were granted and tried", granted, len(texts))
	}
}

// generated are texts made at random, the same ones each time.
func generated(seed uint64, make func(*rand.Rand) string, n int) []string {
	random := rand.New(rand.NewPCG(seed, seed))
	texts := []string{}
	for range n {
		texts = append(texts, make(random))
	}
	return texts
}

func pick(random *rand.Rand, from ...string) string { return from[random.IntN(len(from))] }

// pieces joins up to most pieces.
func pieces(random *rand.Rand, most int, from ...string) string {
	var text strings.Builder
	for range random.IntN(most + 1) {
		text.WriteString(pick(random, from...))
	}
	return text.String()
}

// sedText is a sed script with the marks on which readers stumble, and commands that make the canary behind them.
func sedText(random *rand.Rand) string {
	var script strings.Builder
	part := func() string {
		return pieces(random, 5, "a", "/", `\`, "[", "]", "^", "[:alpha:]", ";", "}", "\n", `\n`, `\/`, "&", "#", "e touch canary",
			"w canary", "/e", "/w canary")
	}
	for range 1 + random.IntN(4) {
		script.WriteString(pick(random, "", "", "1", "$!", "/"+part()+"/", "/"+part()+"/I", `\,`+part()+",", "1,/"+part()+"/", "1~2", "1,+1"))
		script.WriteString(pick(random, "p", "{p", "}", "s/"+part()+"/"+part()+"/", "s|"+part()+"|"+part()+"|g", "y/"+part()+"/"+part()+"/",
			"a "+part(), "a\\"+part(), "i\\\n"+part(), "c"+part(), "#"+part(), ":"+part(), "b"+part(), "r "+part(), "w canary"+part(),
			"e touch canary", "n", "q5", "l "))
		script.WriteString(pick(random, ";", "\n", "", " ", "}", "\n", ";", " # "))
	}
	return script.String()
}

// awkText is an awk program likewise.
func awkText(random *rand.Rand) string {
	const canary = `system("touch canary")`
	pattern := func() string {
		return "/" + pieces(random, 5, "a", "/", `\`, "[", "]", "^", "[:alpha:]", `\/`, `"`, "#", "|", ";"+canary+";", `\]`, `\[`) + "/"
	}
	value := func() string {
		return pick(random, "1", "x", "$1", `"a"`, `">"`, pattern(), pattern(), "x[1]", "(x)", "x++", "length", "length($0)", "getline",
			"getline y", `"a\"b"`, "(1 > 2)", `"canary"`, `"secret"`, "substr($0, 1)", "NR", "-1")
	}
	expression := func() string {
		text := value()
		for range random.IntN(3) {
			text += pick(random, " / ", "/", " ", " + ", " ~ ", " < ", " > ", ", ", " && ", " ? 1 : ", " in ", "\n", " >> ", "=", "/=", " \\\n") + value()
		}
		return text
	}
	var program strings.Builder
	for range 1 + random.IntN(3) {
		statement := pick(random, "print "+expression(), "print "+expression(), "x = "+expression(), "print("+expression()+")", expression(),
			"if ("+expression()+") "+expression(), canary, "print "+expression()+` > "canary"`, "# "+pattern()+"\n", `"touch canary" | getline`)
		program.WriteString(pick(random, "", "", pattern(), expression()) + "{" + statement + pick(random, "}", "}", ";}", "\n}", "} # x\n", " "+pattern()+"}") + pick(random, "", "\n", ";"))
	}
	return program.String()
}

func TestJQReally(t *testing.T) {
	t.Parallel()
	jq := programs(t, "jq -r")[0]
	for _, row := range table(t, "jq.txt") {
		if effects, err := JQ(row.text); err == nil {
			tryOut(t, jq, row.text, `{"env": {"a": 1}, "a": [1, 2], "b": "x", "ENV": 2}`, effects)
		}
	}
}

const secretsPlace = `{"Env": ["` + secretsValue + `", "B=` + secretWord + `"], "Image": "img:1", "Cmd": ["run"], "User": "u",
	"Labels": {"com.docker.compose.project": "shop"}, "CreateCommand": ["podman", "-e", "` + secretsValue + `"],
	"Healthcheck": {"Test": ["CMD"]}}`

const inspected = `{"Id": "abc", "Name": "/shop", "Image": "sha256:1", "Created": "2024-01-02T03:04:05Z", "RestartCount": 1, "Args": ["a-b"],
	"State": {"Status": "running", "Running": true, "ExitCode": 0, "StartedAt": "2024-01-02T03:04:05Z",
		"Health": {"Status": "healthy", "Log": [{"Output": "ok"}]}},
	"Mounts": [{"Source": "/a", "Destination": "/b"}], "HostConfig": {"Memory": 0, "NetworkMode": "x", "Binds": ["/a:/b"]},
	"NetworkSettings": {"Ports": {"80/tcp": [{"HostPort": "8080"}]}, "Networks": {"n": {"IPAddress": "10.0.0.1"}}},
	"LogPath": "/x", "GraphDriver": {"Data": {}}, "Config": ` + secretsPlace + `, "ContainerConfig": ` + secretsPlace + `,
	"Settings": ` + secretsPlace + `, "Spec": {"TaskTemplate": {"ContainerSpec": ` + secretsPlace + `}}}`

const inspectOutput = "[" + inspected + ",\n" + inspected + "]"

func TestJQInspectReally(t *testing.T) {
	t.Parallel()
	jq := programs(t, "jq -r")[0]
	filters := generated(3, jqText, 80)
	for _, row := range table(t, "inspect.txt") {
		filters = append(filters, row.text)
	}
	for _, filter := range filters {
		if JQInspect(filter) == nil {
			tryOut(t, jq, filter, inspectOutput, Effects{})
		}
	}
}

// jqText is a filter of the parts that show an environment and of those that do not.
func jqText(random *rand.Rand) string {
	if random.IntN(8) == 0 {
		return pick(random, "[", "(", "map(", "first(", "try (", "{a: ", `"\(`) + jqText(random)
	}
	text := pick(random, ".[0]", ".[0]", ".[]", ".", "map(.Name)", ".[0] as $x | $x")
	for range 1 + random.IntN(4) {
		text += pick(random, ".State", ".Config", ".Env", ".Name", "[]", "[0]", "[]?", ".Config.Env", ".Config.Image", " | .Env?", " | .[]", " | .[]?",
			" | keys", " | length", " | tostring", " | tonumber", " | to_entries", " | select(.Name)", " | .Name", ", .Name", " | {Name}",
			" | {Config}", " as $y | $y", " // 1", ` | "\(.)"`, ")", "]", "}", ` as $z | .`, " | first", " | add", " | [.]", " | reverse", " | try error catch .",
			" | group_by(.Name)", " | map(.Name)", " | map(.Config)", " | if .Name then .Config else .Name end", " | try .[] catch .", " | any", ` | .["Env"]`,
			" | objects", " | arrays", " | strings", " | has(0)", " | .Spec.TaskTemplate", " | flatten", " | not", " | type", " | min_by(.Name)", " | .. ")
	}
	return text
}

func TestTemplateReally(t *testing.T) {
	var whole []map[string]any
	if err := json.Unmarshal([]byte(inspectOutput), &whole); err != nil {
		t.Fatal(err)
	}
	functions := template.FuncMap{
		"json":     func(v any) (string, error) { text, err := json.Marshal(v); return string(text), err },
		"join":     func(v any, _ string) (string, error) { text, err := json.Marshal(v); return string(text), err },
		"split":    strings.Split,
		"lower":    strings.ToLower,
		"upper":    strings.ToUpper,
		"title":    strings.ToUpper,
		"truncate": func(s string, n int) string { return s[:min(n, len(s))] },
		"pad":      func(s string, _, _ int) string { return s },
	}
	tried := 0
	for _, row := range table(t, "template.txt") {
		if Template(row.text) != nil {
			continue
		}
		parsed, err := template.New("").Funcs(functions).Parse(row.text)
		if err != nil {
			t.Errorf("line %d: %v", row.line, err)
			continue
		}
		tried++
		for _, object := range []any{whole[0], whole} {
			var output bytes.Buffer
			if err := parsed.Execute(&output, object); err != nil {
				output.WriteString(err.Error())
			}
			if strings.Contains(output.String(), secretWord) {
				t.Errorf("line %d: %q shows the environment:\n%s", row.line, row.text, &output)
			}
		}
	}
	if tried < 40 {
		t.Errorf("only %d templates were tried", tried)
	}
}
