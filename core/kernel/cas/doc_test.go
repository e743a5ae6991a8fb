package cas

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	anchorStep = regexp.MustCompile(`In (\S+), before\s+"(.*)":$`)
	fileStep   = regexp.MustCompile(`A new file (\S+):$`)
	runStep    = regexp.MustCompile(`Then run it:$`)
)

// step is one of the walkthrough: text to put before an anchor of a file, into
// a new file, or commands.
type step struct{ file, anchor, text string }

// walkthrough reads the steps from the package comment: a paragraph that names
// the place, then an indented block.
func walkthrough(t *testing.T) (steps []step) {
	data, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	var prose, block []string
	ended := false // the paragraph of prose
	flush := func() {
		text := strings.Join(prose, " ")
		s := step{text: strings.TrimRight(strings.Join(block, "\n"), "\n") + "\n"}
		if m := anchorStep.FindStringSubmatch(text); m != nil {
			s.file, s.anchor = m[1], m[2]
		} else if m := fileStep.FindStringSubmatch(text); m != nil {
			s.file = m[1]
		} else if !runStep.MatchString(text) {
			t.Fatalf("no step: %s", text)
		}
		steps = append(steps, s)
		prose, block = nil, nil
	}
	for _, line := range strings.Split(string(data), "\n") {
		line, isComment := strings.CutPrefix(line, "//")
		if code, ok := strings.CutPrefix(line, "\t"); isComment && ok {
			block = append(block, code)
			continue
		}
		line = strings.TrimPrefix(line, " ")
		if len(block) > 0 && line == "" && isComment {
			block = append(block, "")
			continue
		}
		if len(block) > 0 {
			flush()
		}
		if line == "" {
			ended = true
			continue
		}
		if ended {
			prose, ended = nil, false
		}
		prose = append(prose, line)
	}
	return steps
}

// TestWalkthrough carries the package comment out to the letter, in an overlay
// of the module.
func TestWalkthrough(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command line")
	}
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	overlayFile := filepath.Join(dir, "overlay.json")
	var commands []string
	for i, s := range walkthrough(t) {
		if s.file == "" {
			commands = strings.Split(strings.TrimSpace(s.text), "\n")
			continue
		}
		path := filepath.Join(root, s.file)
		text := s.text
		if s.anchor != "" {
			old, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(old), s.anchor), "step %d: %s has %q once", i, s.file, s.anchor)
			text = strings.Replace(string(old), s.anchor, s.text+s.anchor, 1)
		} else {
			require.NoFileExists(t, path)
		}
		to := filepath.Join(dir, strings.ReplaceAll(s.file, "/", "_"))
		require.NoError(t, os.WriteFile(to, []byte(text), 0o644))
		overlay.Replace[path] = to
	}
	require.Len(t, overlay.Replace, 7)
	require.Len(t, commands, 2)
	data, err := json.Marshal(overlay)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(overlayFile, data, 0o644))
	var out []byte
	for _, c := range commands {
		words := strings.Fields(c)
		require.Equal(t, "go", words[0])
		cmd := exec.Command("go", append([]string{words[1], "-overlay", overlayFile}, words[2:]...)...)
		cmd.Dir = root
		cmd.Stderr = os.Stderr
		out, err = cmd.Output()
		require.NoError(t, err, "%s\n%s", c, out)
	}
	var result struct {
		Arms []struct {
			Label   string
			Metrics map[string]struct{ Median float64 }
		}
	}
	require.NoError(t, json.Unmarshal(out, &result))
	require.Len(t, result.Arms, 2)
	assert.Greater(t, result.Arms[0].Metrics["aggregated_pct"].Median, 80.0, "merged rules gather six threads")
	assert.Less(t, result.Arms[1].Metrics["aggregated_pct"].Median, 70.0, "the new rule keeps them apart")
}
