package importer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// corpus lists real files beside the repository; the test is skipped without them.
func corpus(t *testing.T, pattern string) []string {
	files, err := filepath.Glob("../../../../shared/corpus/" + pattern)
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no corpus beside the repository")
	}
	return files
}

// shape of a machine: packages, nodes, LLCs, cores, CPUs, and bytes of the first LLC in MiB.
func shape(t *testing.T, r Result) []int {
	m, err := r.Spec.Build()
	require.NoError(t, err)
	return []int{len(m.Packages), len(m.Nodes), len(m.LLCs), len(m.Cores), len(m.CPUs), int(m.LLCs[0].Bytes >> 20)}
}

func read(t *testing.T, path string) string {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

func TestCorpusHwloc(t *testing.T) {
	for _, f := range corpus(t, "hwloc/*.xml") {
		t.Run(filepath.Base(f), func(t *testing.T) {
			r, err := Import(read(t, f))
			require.NoError(t, err)
			t.Log(r.Spec.Title, shape(t, r), r.Spec.Numbering, "\n", strings.Join(r.Warnings, "\n "))
		})
	}
}

func TestCorpusLscpu(t *testing.T) {
	for _, f := range corpus(t, "lscpu/*.eJ.json") {
		base := strings.TrimSuffix(f, ".eJ.json")
		t.Run(filepath.Base(base), func(t *testing.T) {
			e, c, j := read(t, f), read(t, base+".CJ.json"), read(t, base+".J.json")
			r, err := Import(e + c)
			if strings.HasPrefix(filepath.Base(f), "rv64-") { // lscpu itself knew no numbers there
				require.ErrorContains(t, err, "have no numbers")
				r, err = Import(e + c + j)
			}
			require.NoError(t, err)
			t.Log("-e -C", shape(t, r), r.Spec.Numbering, "\n", strings.Join(r.Warnings, "\n "))
			want := shape(t, r)
			for name, text := range map[string]string{"-J -C -e": j + c + e, "-p -C": read(t, base+".p.txt"), "sysfs": read(t, base+".sysfs.txt"), "-J": j} {
				if text == "" || name == "-p -C" && strings.Contains(text, "\n,,") {
					continue
				}
				r, err := Import(text)
				if assert.NoError(t, err, name) {
					got := shape(t, r)
					t.Log(name, got)
					if name == "-J -C -e" {
						assert.Equal(t, want, got, name)
					}
				}
			}
		})
	}
}
