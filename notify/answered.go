package notify

import (
	"slices"
	"strings"
)

// AboutMessage reports whether an HTTP status that is a failure may be about the one message that was sent. It is not where the status
// says to come back later, that nobody is behind a proxy, or that address or password are wrong: then it is the same for all messages.
func AboutMessage(status int) bool {
	switch status {
	case 401, 403, 404, 405, 407, 408, 425, 429:
		return false
	}
	return status >= 400 && status <= 501
}

// Reached reports whether what Apprise says of a failure leaves it possible that a service was reached and failed at this message. log are
// the lines of its log that say what failed, without time and level. The beginning and the end of a line are Apprise's own words; what
// stands between may be a service's, or quote the message.
func Reached(log ...string) bool {
	if slices.ContainsFunc(log, func(line string) bool { return hasNoURL(line) || strings.HasPrefix(line, "Unparseable ") }) {
		return false
	}
	return len(log) == 0 || slices.ContainsFunc(log, reached)
}

func hasNoURL(line string) bool {
	return strings.HasPrefix(line, "You must specify at least one server URL")
}

func reached(line string) bool {
	words := strings.Fields(lower(line))
	if len(words) == 0 || slices.Contains(words[:min(len(words), 4)], "connection") { // "A Connection error occurred sending …"
		return false
	}
	status, found := strings.CutPrefix(strings.TrimRight(words[len(words)-1], "."), "error=")
	return !found || mayBeAbout(status)
}

// mayBeAbout is AboutMessage of what Apprise names as a service's error: a status, 200 too where that had a failure below it, or a number
// that begins with one, such as ntfy's 42901.
func mayBeAbout(text string) bool {
	if len(text) < 3 || strings.Trim(text, "0123456789") != "" {
		return true
	}
	status := int(text[0]-'0')*100 + int(text[1]-'0')*10 + int(text[2]-'0')
	return status < 400 || AboutMessage(status)
}
