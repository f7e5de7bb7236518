package mask

import "strings"

// SecretName reports whether the name of a column or field suggests that its value is secret, or the hash of a secret.
func SecretName(name string) bool {
	name = strings.ToLower(name)
	for _, end := range []string{"hash", "digest"} {
		name = strings.TrimRight(strings.TrimSuffix(name, end), "_")
	}
	return name == "authentication_string" || secretName([]byte(name))
}
