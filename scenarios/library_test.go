package scenarios

import (
	"os"
	"testing"

	"casplay/core/scenario/table"
	source "casplay/scenarios/gen/table"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLibrary(t *testing.T) {
	l := Library{}
	assert.Contains(t, l.Presets(), "mg-d-112")
	assert.IsIncreasing(t, l.Files())
	for _, name := range l.Files() {
		_, problem := table.Open(find(presets(), name))
		assert.Empty(t, problem, name)
	}
	assert.Nil(t, l.Preset("hackbench-spr"), "a table is no scenario")
	assert.Contains(t, string(l.Preset("hackbench-spr.g1")), `"hackbench-spr.g1"`)
	assert.Contains(t, l.Machines(), "xeon-6780e-2s")
	assert.IsIncreasing(t, l.Machines())
	assert.Contains(t, string(l.Preset("mg-d-112")), `"mg-d-112"`)
	assert.Contains(t, string(l.Machine("xeon-6780e-2s")), `"xeon-6780e-2s"`)
	for _, name := range []string{"", ".", "mg-d-112.json", "machines/xeon-6780e-2s", "../scenarios/mg-d-112", "xeon-6780e-2s", "hackbench-spr.", "hackbench-spr.nope", ".g1", "mg-d-112.g1"} {
		assert.Nil(t, l.Preset(name), name)
	}
}

// TestGeneratedTableIsFresh: the WebAssembly build sees the same files.
func TestGeneratedTableIsFresh(t *testing.T) {
	want, err := source.Source(".")
	require.NoError(t, err)
	got, err := os.ReadFile("files_js.go")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "run go generate ./scenarios")
}
