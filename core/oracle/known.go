package oracle

import (
	_ "embed"
	"strings"
)

//go:embed misses.txt
var misses string

// knownMiss is the mechanism behind a known miss of an experiment, "" if none is known.
func knownMiss(name string) string {
	for line := range strings.Lines(misses) {
		if n, why, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(n) == name && !strings.HasPrefix(line, "#") {
			return strings.TrimSpace(why)
		}
	}
	return ""
}
