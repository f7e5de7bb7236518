package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Kind is the way in which the agent program authenticates.
type Kind string

// The kinds of a Credential.
const (
	None       Kind = "none"
	APIKey     Kind = "api_key"     // ANTHROPIC_API_KEY
	AuthToken  Kind = "auth_token"  // ANTHROPIC_AUTH_TOKEN
	OAuthToken Kind = "oauth_token" // CLAUDE_CODE_OAUTH_TOKEN
	Login      Kind = "login"       // what `claude login` stored
	Bedrock    Kind = "bedrock"     // CLAUDE_CODE_USE_BEDROCK, with AWS credentials
	Vertex     Kind = "vertex"      // CLAUDE_CODE_USE_VERTEX, with Google credentials
	Foundry    Kind = "foundry"     // CLAUDE_CODE_USE_FOUNDRY, with Azure credentials
)

// Credential is what the agent program authenticates with.
type Credential struct {
	Kind      Kind
	Value     string // the key or token, for an APIKey, AuthToken or OAuthToken
	ConfigDir string // the directory with the stored login, for a Login
}

// Credential returns the credential that the agent program would use, in the program's own order. It does not check whether it is valid.
// The stored login is a file on Linux; elsewhere it may be in a keychain, which is not searched.
func (e *Environment) Credential() Credential { return CredentialOf(e.Get) }

// CredentialOf is Credential for variables that are not in force. value returns an empty string for an unset one.
func CredentialOf(value func(name string) string) Credential {
	for _, cloud := range []struct {
		kind Kind
		name string
	}{{Bedrock, "CLAUDE_CODE_USE_BEDROCK"}, {Vertex, "CLAUDE_CODE_USE_VERTEX"}, {Foundry, "CLAUDE_CODE_USE_FOUNDRY"}} {
		if slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(strings.TrimSpace(value(cloud.name)))) { // as the program reads it
			return Credential{Kind: cloud.kind}
		}
	}
	for _, key := range []struct {
		kind Kind
		name string
	}{{AuthToken, "ANTHROPIC_AUTH_TOKEN"}, {APIKey, "ANTHROPIC_API_KEY"}, {OAuthToken, "CLAUDE_CODE_OAUTH_TOKEN"}} {
		if text := strings.TrimSpace(value(key.name)); text != "" {
			return Credential{Kind: key.kind, Value: text}
		}
	}
	dir, home := value("CLAUDE_CONFIG_DIR"), value("HOME")
	if dir == "" && home != "" {
		dir = filepath.Join(home, ".claude")
	}
	if _, err := os.Stat(filepath.Join(dir, ".credentials.json")); dir != "" && err == nil {
		return Credential{Kind: Login, ConfigDir: dir}
	}
	return Credential{Kind: None}
}
