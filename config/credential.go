package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Kind says how the agent program authenticates.
type Kind string

// What a Credential may be.
const (
	None       Kind = "none"
	APIKey     Kind = "api_key"     // ANTHROPIC_API_KEY
	AuthToken  Kind = "auth_token"  // ANTHROPIC_AUTH_TOKEN
	OAuthToken Kind = "oauth_token" // CLAUDE_CODE_OAUTH_TOKEN
	Login      Kind = "login"       // what `claude login` stored
	Bedrock    Kind = "bedrock"     // CLAUDE_CODE_USE_BEDROCK, with AWS's own credentials
	Vertex     Kind = "vertex"      // CLAUDE_CODE_USE_VERTEX, with Google's own credentials
	Foundry    Kind = "foundry"     // CLAUDE_CODE_USE_FOUNDRY, with Azure's own credentials
)

// Credential is with what the agent program will authenticate.
type Credential struct {
	Kind      Kind
	Value     string // the key or token itself, of an APIKey, AuthToken or OAuthToken
	ConfigDir string // the folder with the stored login, of a Login
}

// Credential finds the credential that the agent program would take, in the program's own order. Whether it is any good only the
// program can tell. The stored login is a file on Linux; elsewhere it may lie in a keychain, which is not looked into.
func (e *Environment) Credential() Credential {
	for _, cloud := range []struct {
		kind Kind
		name string
	}{{Bedrock, "CLAUDE_CODE_USE_BEDROCK"}, {Vertex, "CLAUDE_CODE_USE_VERTEX"}, {Foundry, "CLAUDE_CODE_USE_FOUNDRY"}} {
		if slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(strings.TrimSpace(e.Get(cloud.name)))) { // as the program reads it
			return Credential{Kind: cloud.kind}
		}
	}
	for _, key := range []struct {
		kind Kind
		name string
	}{{AuthToken, "ANTHROPIC_AUTH_TOKEN"}, {APIKey, "ANTHROPIC_API_KEY"}, {OAuthToken, "CLAUDE_CODE_OAUTH_TOKEN"}} {
		if text := strings.TrimSpace(e.Get(key.name)); text != "" {
			return Credential{Kind: key.kind, Value: text}
		}
	}
	dir, home := e.Get("CLAUDE_CONFIG_DIR"), e.Get("HOME")
	if dir == "" && home != "" {
		dir = filepath.Join(home, ".claude")
	}
	if _, err := os.Stat(filepath.Join(dir, ".credentials.json")); dir != "" && err == nil {
		return Credential{Kind: Login, ConfigDir: dir}
	}
	return Credential{Kind: None}
}
