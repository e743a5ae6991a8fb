//go:build !js

package scenarios

import (
	"embed"
	"strings"
)

//go:embed *.json machines/*.json
var embedded embed.FS

func presets() []file  { return list(".", "") }
func machines() []file { return list("machines", "machines/") }

// list reads the JSON files of an embedded folder.
func list(dir, prefix string) []file {
	entries, err := embedded.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []file
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			text, err := embedded.ReadFile(prefix + e.Name())
			if err == nil {
				out = append(out, file{name, string(text)})
			}
		}
	}
	return out
}
