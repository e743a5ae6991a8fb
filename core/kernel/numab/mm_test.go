package numab

import (
	"testing"

	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
	"casplay/core/machine"
)

func TestActiveNeedsTwoNodes(t *testing.T) {
	cfg := kernel.Default(250)
	require.True(t, Active(&cfg, testMachine(2, 1, twoNodes)))
	require.False(t, Active(&cfg, testMachine(2, 1, [][]int{{10}})))
	cfg.NumaBalancing = false
	require.False(t, Active(&cfg, testMachine(2, 1, twoNodes)))
}

func TestNewSystemRefuses(t *testing.T) {
	for _, c := range []struct {
		text   string
		change func(*kernel.Config, *machine.Machine, *Costs)
	}{
		{"HZ is 0", func(k *kernel.Config, _ *machine.Machine, _ *Costs) { k.HZ = 0 }},
		{"scan_size_mb is 0", func(k *kernel.Config, _ *machine.Machine, _ *Costs) { k.Numa.ScanSizeMB = 0 }},
		{"cost is negative", func(_ *kernel.Config, _ *machine.Machine, c *Costs) { c.FaultNs = -1 }},
		{"has 0 nodes", func(_ *kernel.Config, m *machine.Machine, _ *Costs) { m.Nodes = nil }},
		{"1 rows for 2 nodes", func(_ *kernel.Config, m *machine.Machine, _ *Costs) { m.Distance = m.Distance[:1] }},
		{"row 1", func(_ *kernel.Config, m *machine.Machine, _ *Costs) { m.Distance = [][]int{{10, 21}, {21}} }},
		{"one node with memory", func(_ *kernel.Config, m *machine.Machine, _ *Costs) {
			m.Nodes[0].MemBytes, m.Nodes[1].MemBytes = 0, 0
		}},
	} {
		cfg, m, costs := kernel.Default(250), testMachine(2, 1, twoNodes), Costs{}
		c.change(&cfg, m, &costs)
		_, err := NewSystem(&cfg, m, costs)
		require.ErrorContains(t, err, c.text)
	}
}

func TestTopologyShape(t *testing.T) {
	for _, c := range []struct {
		name string
		dist [][]int
		want shape
	}{
		{"one node", [][]int{{10}}, direct},
		{"two sockets", twoNodes, direct},
		{"two sockets of two nodes", [][]int{{10, 12, 32, 32}, {12, 10, 32, 32}, {32, 32, 10, 12}, {32, 32, 12, 10}}, backplane},
		{"ring of four", [][]int{{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}}, mesh},
	} {
		require.Equal(t, c.want, testSystem(t, testMachine(2, 1, c.dist), nil).topo.shape, c.name)
	}
}

func TestAddRegionRefuses(t *testing.T) {
	m := NewMM(testSystem(t, testMachine(2, 1, twoNodes), nil), nil, 0)
	for _, c := range []struct {
		r    Region
		text string
	}{
		{Region{Bytes: 0, ChunkPages: 1}, "0 bytes"},
		{Region{Bytes: mib, ChunkPages: 2}, "chunks of 2 pages"},
		{Region{Bytes: 1 << 62, ChunkPages: 512}, "room for 4194304"},
		{Region{Bytes: 16<<30 + 1, ChunkPages: 1}, "4194305 chunks"},
	} {
		_, err := m.AddRegion(c.r)
		require.ErrorContains(t, err, c.text)
	}
	_, err := m.AddRegion(Region{Bytes: 16 << 30, ChunkPages: 512})
	require.NoError(t, err)
	require.Equal(t, 8192, m.Chunks(0))
	_, err = m.AddRegion(Region{Bytes: 1, ChunkPages: 512})
	require.NoError(t, err)
	require.Equal(t, 1, m.Chunks(1))
	require.Greater(t, m.regions[1].start, m.regions[0].end)
}

func TestTouch(t *testing.T) {
	hw := testMachine(2, 1, twoNodes)
	hw.Nodes[0].MemBytes = 6 * mib // three huge pages
	s := testSystem(t, hw, nil)
	m := NewMM(s, nil, 0)
	_, err := m.AddRegion(Region{Bytes: 20 * mib, ChunkPages: 512})
	require.NoError(t, err)

	n, err := m.Touch(0, 1, 3, 0)
	require.NoError(t, err)
	require.EqualValues(t, 1024, n)
	n, err = m.Touch(0, 0, 5, 0) // one more fits, two overflow
	require.NoError(t, err)
	require.EqualValues(t, 3*512, n)
	for c, want := range []int{0, 0, 0, 1, 1, NoNode} {
		require.Equal(t, want, m.ChunkNode(0, c), "chunk %d", c)
	}
	require.EqualValues(t, 5*512, m.RSSPages())
	require.EqualValues(t, 2*512, m.NodePages(1))
	require.Zero(t, s.FreePages(0))

	s.free[1] = 512
	_, err = m.Touch(0, 5, 10, 1)
	require.ErrorContains(t, err, "out of memory")
	require.Equal(t, 1, m.ChunkNode(0, 5))
	require.Equal(t, NoNode, m.ChunkNode(0, 6))
	m.Release()
	require.EqualValues(t, 3*512, s.FreePages(0))
	require.EqualValues(t, 3*512, s.FreePages(1))
}

func TestSlices(t *testing.T) {
	s := testSystem(t, testMachine(2, 1, twoNodes), nil)
	m := NewMM(s, nil, 0)
	_, err := m.AddRegion(Region{Bytes: 100 * 4096, ChunkPages: 1})
	require.NoError(t, err)
	for _, c := range []struct{ region, from, to int }{{1, 0, 1}, {-1, 0, 1}, {0, -1, 5}, {0, 5, 5}, {0, 0, 101}} {
		_, err := m.AddSlice(c.region, c.from, c.to)
		require.Error(t, err, "%+v", c)
	}
	_, err = m.Touch(0, 0, 30, 0)
	require.NoError(t, err)
	for i, c := range []struct{ from, to int }{{0, 50}, {50, 100}, {0, 100}, {20, 60}} {
		id, err := m.AddSlice(0, c.from, c.to)
		require.NoError(t, err)
		require.Equal(t, i, id)
	}
	_, err = m.Touch(0, 0, 55, 1)
	require.NoError(t, err)
	got := make([]int64, 2)
	for i, want := range [][]int64{{30, 20}, {0, 5}, {30, 25}, {10, 25}} {
		m.SliceNodes(i, got)
		require.Equal(t, want, got, "slice %d", i)
	}
}
