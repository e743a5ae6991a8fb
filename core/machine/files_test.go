package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestShippedMachines: every machine file is valid, complete and named after its file.
func TestShippedMachines(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/machines/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(f)
			require.NoError(t, err)
			s, es := ParseSpec(data)
			require.Empty(t, es)
			assert.Equal(t, name, s.Name)
			_, err = s.Build()
			require.NoError(t, err)
		})
	}
}

// TestStructure pins the structure of the shipped machines.
func TestStructure(t *testing.T) {
	for _, c := range []struct {
		name                            string
		packages, nodes, llcs, cpus, l2 int
		llcMiB                          int64
	}{
		{"xeon-6780e-2s", 2, 2, 2, 288, 72, 108},
		{"emu-t2x8", 2, 1, 2, 16, 16, 16},
		{"emu-t4x4", 4, 1, 4, 16, 16, 16},
		{"emu-t2x8n", 2, 2, 2, 16, 16, 16},
		{"emu-t4x4n", 4, 2, 4, 16, 16, 16},
		{"emu-t2x4smt", 2, 1, 2, 16, 8, 16},
		{"emu-t1x8", 1, 1, 1, 8, 8, 16},
		{"emu-t2x16", 2, 1, 2, 32, 32, 16},
		{"spr-30c-2s", 2, 1, 2, 120, 60, 75},
		{"milan-2n", 2, 2, 16, 128, 128, 32},
		{"milan-7713-2s", 2, 2, 16, 256, 128, 32},
		{"genoa-4n", 1, 4, 8, 128, 64, 32},
		{"epyc-9654-2s", 2, 2, 24, 384, 192, 32},
		{"turin-9965", 2, 2, 24, 768, 384, 32},
		{"ryzen-7950x3d", 1, 1, 2, 32, 16, 96},
		{"ryzen-hx370", 1, 1, 2, 24, 12, 16},
		{"power10", 2, 2, 56, 224, 56, 4},
		{"vm-4llc", 1, 2, 8, 64, 64, 16},
		{"x256", 2, 2, 16, 256, 128, 32},
	} {
		data, err := os.ReadFile("../../scenarios/machines/" + c.name + ".json")
		require.NoError(t, err)
		m := build(t, string(data))
		assert.Equal(t, []int{c.packages, c.nodes, c.llcs, c.cpus, c.l2},
			[]int{len(m.Packages), len(m.Nodes), len(m.LLCs), len(m.CPUs), len(m.Clusters)}, c.name)
		assert.Equal(t, c.llcMiB<<20, m.LLCs[0].Bytes)
	}
}
