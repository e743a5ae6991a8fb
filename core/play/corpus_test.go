package play_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"casplay/core/play"
	"casplay/core/scenario"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "record the digests of this engine in testdata/links.txt")

const corpusFile = "testdata/links.txt"

// refused stands for the digest where an engine has no such preset any more; it
// says so, and the page runs the engine that the link names.
const refused = "refused"

// published is one line of the corpus: a link and the digest that an engine
// gave it. Commit is where that engine's source is, "-" for the present one.
type published struct{ engine, commit, digest, link string }

func corpus(t *testing.T) (head string, lines []published) {
	text, err := os.ReadFile(corpusFile)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			head += line
			continue
		}
		f := strings.Fields(line)
		require.Len(t, f, 4, line)
		lines = append(lines, published{f[0], f[1], f[2], f[3]})
	}
	return head, lines
}

// TestPublishedLinks replays the corpus with this engine. When a digest has
// moved on purpose: give play.Engine a new version if the old one was
// published, and run
//
//	go test ./core/play -run PublishedLinks -update
//
// which replaces the lines of this version and keeps all others.
func TestPublishedLinks(t *testing.T) {
	head, lines := corpus(t)
	now := map[string]string{}
	var links []string
	for _, p := range lines {
		if _, known := now[p.link]; known {
			continue
		}
		links = append(links, p.link)
		s, err := play.Open(p.link)
		if err != nil {
			require.IsType(t, scenario.Problems{}, err, p.link)
			now[p.link] = refused
			continue
		}
		now[p.link] = play.Summarise(s, parallel(t, s)).Digest
	}
	if *update {
		text := head
		for _, p := range lines {
			if p.engine != play.Engine {
				text += strings.Join([]string{p.engine, p.commit, p.digest, p.link}, " ") + "\n"
			}
		}
		for _, link := range links {
			text += strings.Join([]string{play.Engine, "-", now[link], link}, " ") + "\n"
		}
		require.NoError(t, os.WriteFile(corpusFile, []byte(text), 0o644))
		_, lines = corpus(t)
	}
	engines := map[string]bool{}
	for _, p := range lines {
		engines[p.engine] = true
		if p.engine == play.Engine {
			assert.Equal(t, p.digest, now[p.link], p.link)
		}
	}
	assert.Contains(t, engines, play.Engine)
	assert.GreaterOrEqual(t, len(engines), 2, "links of an earlier engine are missing")
}

// TestEarlierEngines builds the engines of the corpus from the history of this
// repository and replays their links with them.
func TestEarlierEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds earlier engines")
	}
	_, lines := corpus(t)
	built := map[string]string{}
	for _, p := range lines {
		if p.engine == play.Engine {
			continue
		}
		if built[p.commit] == "" {
			built[p.commit] = buildCommit(t, p.commit)
		}
		out, err := exec.Command(built[p.commit], "run", "--json", "--quiet", p.link).Output()
		require.NoError(t, err, p.link)
		var result struct{ Engine, Digest string }
		require.NoError(t, json.Unmarshal(out, &result))
		assert.Equal(t, p.engine, result.Engine)
		assert.Equal(t, p.digest, result.Digest, p.link)
	}
}

// buildCommit builds the command line of a commit; it skips the test where the
// history is not at hand, as in an unpacked archive or a shallow clone.
func buildCommit(t *testing.T, commit string) string {
	archive, err := exec.Command("git", "-C", "../..", "archive", commit, "go.mod", "go.sum", "core", "scenarios").Output()
	if err != nil {
		t.Skipf("the history of this repository is not here, so that its engine of commit %s cannot be built", commit)
	}
	dir := t.TempDir()
	unpack := exec.Command("tar", "x", "-C", dir)
	unpack.Stdin = bytes.NewReader(archive)
	require.NoError(t, unpack.Run())
	bin := filepath.Join(dir, "earlier")
	build := exec.Command("go", "build", "-trimpath", "-o", bin, "./core/cmd/casplay")
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return bin
}
