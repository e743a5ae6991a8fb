package machine

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const size32 = `"size_mib":{"v":32,"source":"spec","why":"data sheet"}`

func build(t *testing.T, text string) *Machine {
	t.Helper()
	s, es := ParseSpec([]byte(text))
	require.Empty(t, es)
	m, err := s.Build()
	require.NoError(t, err)
	return m
}

func TestBuildNumbersThreads(t *testing.T) {
	adjacent := build(t, `{"v":1,"name":"a","packages":2,"llcs":[{"cores":4,"smt":2,`+size32+`}]}`)
	assert.Equal(t, []int{0, 1}, adjacent.Siblings(0).Members())
	assert.Equal(t, []int{8, 9, 10, 11, 12, 13, 14, 15}, adjacent.LLCs[1].CPUs.Members())
	split := build(t, `{"v":1,"name":"a","packages":2,"cpu_numbering":"split","llcs":[{"cores":4,"smt":2,`+size32+`}]}`)
	assert.Equal(t, []int{0, 8}, split.Siblings(0).Members())
	assert.Equal(t, []int{4, 5, 6, 7, 12, 13, 14, 15}, split.LLCs[1].CPUs.Members())
}

func TestBuildMixedSMT(t *testing.T) {
	m := build(t, `{"v":1,"name":"a","packages":1,"cpu_numbering":"split","llcs":[{"cores":2,"smt":2,`+size32+`},{"cores":2,`+size32+`}]}`)
	assert.Equal(t, []int{0, 4}, m.Siblings(0).Members())
	assert.Equal(t, []int{1, 5}, m.Siblings(1).Members())
	assert.Equal(t, []int{2}, m.Siblings(2).Members())
	assert.Equal(t, 6, len(m.CPUs))
	assert.Equal(t, 2, m.SMT)
}

func TestBuildNodes(t *testing.T) {
	for _, c := range []struct {
		name, structure string
		nodeOfLLC       []int32
		nodePackages    [][]int32
	}{
		{"one each", `"packages":2`, []int32{0, 0, 0, 0, 1, 1, 1, 1}, [][]int32{{0}, {1}}},
		{"NPS2", `"packages":2,"nodes":4`, []int32{0, 0, 1, 1, 2, 2, 3, 3}, [][]int32{{0}, {0}, {1}, {1}}},
		{"interleaved", `"packages":2,"nodes":1`, []int32{0, 0, 0, 0, 0, 0, 0, 0}, [][]int32{{0, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := build(t, `{"v":1,"name":"a",`+c.structure+`,"llcs":[{"count":4,"cores":2,`+size32+`}]}`)
			var nodes []int32
			for _, l := range m.LLCs {
				nodes = append(nodes, l.Node)
			}
			assert.Equal(t, c.nodeOfLLC, nodes)
			for i, p := range c.nodePackages {
				assert.Equal(t, p, m.Nodes[i].Packages)
			}
		})
	}
}

func TestRelation(t *testing.T) {
	m := build(t, `{"v":1,"name":"a","packages":2,"nodes":4,"llcs":[{"count":4,"cores":4,"cluster_cores":2,"smt":2,`+size32+`}]}`)
	for _, c := range []struct {
		a, b int
		want Relation
	}{{0, 0, SameCPU}, {0, 1, SameCore}, {0, 2, SameCluster}, {0, 4, SameLLC}, {0, 8, SameNode}, {0, 16, OtherNode}, {0, 32, OtherPackage}, {32, 0, OtherPackage}} {
		assert.Equal(t, c.want, m.Relation(c.a, c.b), "%d-%d", c.a, c.b)
	}
	assert.Equal(t, m.Perf.C2CNs.OtherPackage, m.TransferNs(0, 32))
	assert.Equal(t, 0.0, m.TransferNs(3, 3))
	assert.Equal(t, 12, m.Distance[0][1])
	assert.Equal(t, 21, m.Distance[0][2])
	spanning := build(t, `{"v":1,"name":"a","packages":2,"nodes":1,"llcs":[{"cores":4,`+size32+`}]}`)
	assert.Equal(t, OtherPackage, spanning.Relation(0, 4))
}

// TestPartition: every CPU is in exactly one set of each kind.
func TestPartition(t *testing.T) {
	m := build(t, `{"v":1,"name":"a","packages":2,"nodes":4,"cpu_numbering":"split","llcs":[{"count":3,"cores":4,"cluster_cores":2,"smt":2,`+size32+`},{"cores":6,"cluster_cores":3,`+size32+`}]}`)
	require.Equal(t, 60, len(m.CPUs))
	for c, x := range m.CPUs {
		assert.True(t, m.Cores[x.Core].Has(c) && m.Clusters[x.Cluster].Has(c) && m.LLCs[x.LLC].CPUs.Has(c) && m.Nodes[x.Node].CPUs.Has(c) && m.Packages[x.Package].Has(c))
		assert.Equal(t, m.LLCs[x.LLC].Node, x.Node)
	}
	sum := func(n int, at func(int) *Set) (total int) {
		for i := range n {
			total += at(i).Len()
		}
		return
	}
	assert.Equal(t, 60, sum(len(m.Cores), func(i int) *Set { return &m.Cores[i] }))
	assert.Equal(t, 60, sum(len(m.Clusters), func(i int) *Set { return &m.Clusters[i] }))
	assert.Equal(t, 60, sum(len(m.LLCs), func(i int) *Set { return &m.LLCs[i].CPUs }))
	assert.Equal(t, 60, sum(len(m.Nodes), func(i int) *Set { return &m.Nodes[i].CPUs }))
}

func TestParseSpecErrors(t *testing.T) {
	ok := `"llcs":[{"cores":4,` + size32 + `}]`
	for _, c := range []struct{ name, text, want string }{
		{"not JSON", `{`, "machine: is not valid JSON: line 1, column 2: the text ends where a key is needed"},
		{"trailing", `{} 1`, "machine: is not valid JSON: line 1, column 4: text after the end of the value"},
		{"list", `[1]`, "machine: must be an object, got [1]"},
		{"unknown", `{"v":1,"name":"a","package":1,"packages":1,` + ok + `}`, "package: is not a known key (did you mean packages?)"},
		{"version", `{"v":2,"name":"a","packages":1,` + ok + `}`, "v: is the version of the format and must be 1, got 2"},
		{"no name", `{"v":1,"packages":1,` + ok + `}`, "name: is missing: must be a text"},
		{"bad name", `{"v":1,"name":"../x","packages":1,` + ok + `}`, `name: must be 1 to 64 letters, digits, dashes, dots or underscores, got "../x"`},
		{"packages", `{"v":1,"name":"a","packages":65,` + ok + `}`, "packages: must be between 1 and 64, got 65"},
		{"fraction", `{"v":1,"name":"a","packages":1.5,` + ok + `}`, "packages: must be a whole number, got 1.5"},
		{"no llcs", `{"v":1,"name":"a","packages":1}`, "llcs: is missing: must be a list"},
		{"no size", `{"v":1,"name":"a","packages":1,"llcs":[{"cores":4}]}`, "llcs.0.size_mib: is missing: the capacity of one LLC, an object with v, source and why"},
		{"cluster", `{"v":1,"name":"a","packages":1,"llcs":[{"cores":4,"cluster_cores":3,` + size32 + `}]}`, "llcs.0.cluster_cores: must divide the 4 cores of the LLC, got 3"},
		{"CPUs", `{"v":1,"name":"a","packages":4,"llcs":[{"cores":300,` + size32 + `}]}`, "llcs: the machine must not have more than 1024 CPUs"},
		{"LLCs", `{"v":1,"name":"a","packages":2,"llcs":[{"count":100,"cores":1,` + size32 + `}]}`, "llcs: the machine must not have more than 128 LLCs"},
		{"nodes", `{"v":1,"name":"a","packages":2,"nodes":3,` + ok + `}`, "nodes: must be a multiple or a divisor of packages (2), got 3"},
		{"LLC spans", `{"v":1,"name":"a","packages":1,"nodes":2,` + ok + `}`, "nodes: must divide the 1 LLCs of a package evenly; an LLC cannot span nodes (describe a sub-NUMA cluster as an LLC of its own, as Linux does), got 2"},
		{"distances", `{"v":1,"name":"a","packages":2,"distances":[[10,21],[22,10]],` + ok + `}`, "distances.1.0: must equal distances.0.1 (21), got 22"},
		{"numbering", `{"v":1,"name":"a","packages":1,"cpu_numbering":"bios",` + ok + `}`, `cpu_numbering: must be "adjacent" or "split", got "bios"`},
		{"range", `{"v":1,"name":"a","packages":1,` + ok + `,"perf":{"smt_share":{"v":2,"source":"guess","why":"x"}}}`, "perf.smt_share.v: must be between 0.1 and 1, got 2"},
		{"source", `{"v":1,"name":"a","packages":1,` + ok + `,"perf":{"smt_share":{"v":0.6,"source":"hearsay","why":"x"}}}`, `perf.smt_share.source: must be "spec", "public", "fit" or "guess", got "hearsay"`},
		{"no why", `{"v":1,"name":"a","packages":1,` + ok + `,"perf":{"smt_share":{"v":0.6,"source":"guess"}}}`, "perf.smt_share.why: is missing: must be a text"},
		{"fit rows", `{"v":1,"name":"a","packages":1,` + ok + `,"perf":{"smt_share":{"v":0.6,"source":"fit","why":"x"}}}`, "perf.smt_share.rows: a fit must name the published rows it was trained on"},
		{"guess rows", `{"v":1,"name":"a","packages":1,` + ok + `,"perf":{"smt_share":{"v":0.6,"source":"guess","why":"x","rows":["A01"]}}}`, `perf.smt_share.rows: only a "fit" has training rows`},
		{"bare number", `{"v":1,"name":"a","packages":1,` + ok + `,"perf":{"smt_share":0.6}}`, "perf.smt_share: must be an object, got 0.6"},
		{"perf key", `{"v":1,"name":"a","packages":1,` + ok + `,"perf":{"node_gbps":{"v":1}}}`, "perf.node_gbps: is not a known key (did you mean node_bw_gbps?)"},
		{"idle order", `{"v":1,"name":"a","packages":1,` + ok + `,"perf":{"idle_states":{"v":[{"exit_ns":5,"min_residency_ns":5},{"exit_ns":1,"min_residency_ns":9}],"source":"guess","why":"x"}}}`, "perf.idle_states.v.1.exit_ns: states must be ordered, shallow first, got 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, es := ParseSpec([]byte(c.text))
			require.NotEmpty(t, es)
			assert.Contains(t, Errors(es).Error(), c.want)
		})
	}
}

func TestParseSpecReportsAllAtOnce(t *testing.T) {
	_, es := ParseSpec([]byte(`{"v":1,"name":"a","packages":0,"nods":1,"llcs":[{"corse":4,"cores":0,"smt":9,` + size32 + `}],"perf":{"smt_share":{"v":7,"source":"guess","why":"x"}}}`))
	var paths []string
	for _, e := range es {
		paths = append(paths, e.Path)
	}
	assert.Equal(t, []string{"llcs.0.cores", "llcs.0.corse", "llcs.0.smt", "nods", "packages", "perf.smt_share.v"}, paths)
}

// TestRoundTrip: a written Spec reads back as itself.
func TestRoundTrip(t *testing.T) {
	s, es := ParseSpec([]byte(`{"v":1,"name":"a","packages":2,"distances":[[10,21],[21,10]],"llcs":[{"cores":4,"freq_ghz":{"v":3,"source":"guess","why":"x"},` + size32 + `}],"perf":{"node_bw_gbps":{"v":300,"source":"fit","why":"x","rows":["A01"]}}}`))
	require.Empty(t, es)
	b, err := json.Marshal(s)
	require.NoError(t, err)
	again, es := ParseSpec(b)
	require.Empty(t, es)
	assert.Equal(t, s, again)
}

func TestSynthetic(t *testing.T) {
	for _, c := range []struct {
		text                            string
		packages, nodes, llcs, cpus, l2 int
		size                            int64
		sibling                         int
	}{
		{"pack:2 numa:1 l3:1(size=108MB) l2:36(size=4MB) core:4 pu:1", 2, 2, 2, 288, 72, 108 << 20, 0},
		{"pack:2 l3:12(size=32MB) core:8 pu:2", 2, 1, 24, 384, 192, 32 << 20, 1},
		{"pack:2 [numa(memory=64GB)] l3:8(size=33554432) core:8 pu:2(indexes=2*128:1*2)", 2, 2, 16, 256, 128, 32 << 20, 128},
		{"Package:2 NUMANode:4 L3Cache:2 L2Cache:8 L1dCache:1 Core:1 PU:2(indexes=core:pu)", 2, 8, 16, 256, 128, 32 << 20, 128},
		{"numa:1 pack:2 l3:1 core:30 pu:2(indexes=pack:core)", 2, 1, 2, 120, 60, 32 << 20, 0},
		{"pack:1 l2:4(size=4MiB) core:4 pu:1", 1, 1, 4, 16, 16, 4 << 20, 0},
		{"pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)", 2, 1, 2, 8, 4, 32 << 20, 4},
		{"pu:4", 1, 1, 1, 4, 4, 32 << 20, 0},
	} {
		t.Run(c.text, func(t *testing.T) {
			s, err := ParseSynthetic(c.text)
			if c.text == "numa:1 pack:2 l3:1 core:30 pu:2(indexes=pack:core)" {
				assert.ErrorContains(t, err, "neither adjacent")
				return
			}
			require.NoError(t, err)
			m, err := s.Build()
			require.NoError(t, err)
			got := []int{len(m.Packages), len(m.Nodes), len(m.LLCs), len(m.CPUs), len(m.Clusters)}
			assert.Equal(t, []int{c.packages, c.nodes, c.llcs, c.cpus, c.l2}, got)
			assert.Equal(t, c.size, m.LLCs[0].Bytes)
			if c.sibling > 0 {
				assert.True(t, m.Siblings(0).Has(c.sibling), "sibling of cpu0: %v", m.Siblings(0).Members())
			}
		})
	}
}

func TestSyntheticErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "must end with the hardware threads"},
		{"pack:2 core:4", "must end with the hardware threads"},
		{"pack:2 core:4 pu:1 l3:2", "pu must be the last level"},
		{"pack:2 cor:4 pu:1", `unknown level "cor:4"`},
		{"pack:2000 pu:1", "between 1 and 1024"},
		{"pack:1024 pu:2", "more than 1024 CPUs"},
		{"pack:2 pack:2 pu:1", "two levels of pack"},
		{"pack:2 core:2(size=x) pu:1", "bad size"},
		{"pack:2 core:2(colour=red) pu:1", "unknown attribute"},
		{"pack:1 l3:1 numa:2 core:2 pu:1", "an LLC spans NUMA nodes"},
		{"pack:2 core:2 pu:2(indexes=0,1)", "2 pu indexes for 8"},
		{"pack:2 [l3:2] core:2 pu:2", "only a numa node"},
		{"pack:2 core:2 pu:2(indexes=0*2)", "bad loop"},
		{"pack:2 core:2 pu:2(indexes=l3:core)", "not in the string"},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, err := ParseSynthetic(c.text)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestNearestKey(t *testing.T) {
	known := []string{"packages", "nodes", "llcs"}
	assert.Equal(t, "packages", NearestKey("package", known))
	assert.Equal(t, "llcs", NearestKey("lcls", known))
	assert.Equal(t, "", NearestKey("zzzzzz", known))
	assert.Equal(t, "table.g1-f2", NearestKey("table", []string{"tables", "tablet.g1", "table.g1-f2", "table.g2"}))
	assert.Equal(t, "tables", NearestKey("table", []string{"tables", "table."}))
}

func TestParamsCoverPerfSpec(t *testing.T) {
	seen := map[string]bool{}
	p := DefaultPerf(&Spec{Packages: 1, Nodes: 1})
	for i, info := range Params() {
		assert.False(t, seen[info.Name])
		seen[info.Name] = true
		info.field(&p).V = float64(i + 1000)
	}
	b, err := json.Marshal(p)
	require.NoError(t, err)
	for i, info := range Params() { // the JSON tag of a field is its documented key
		var one map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(b, &one))
		assert.Contains(t, string(one[info.Name]), `"v":`+strconv.Itoa(i+1000), info.Name)
		assert.Equal(t, len(Params())+1, len(one))
	}
}

func FuzzParseSpec(f *testing.F) {
	f.Add([]byte(`{"v":1,"name":"a","packages":2,"nodes":4,"llcs":[{"count":4,"cores":4,"cluster_cores":2,"smt":2,` + size32 + `}]}`))
	f.Add([]byte(`{"v":1,"name":"a","packages":2,"distances":[[10,21],[22,10]],"llcs":[{"count":1000000000,"cores":1000000000,` + size32 + `}]}`))
	f.Add([]byte(`{"v":1e99,"perf":{"idle_states":{"v":[{}]},"smt_share":{"v":-1e999}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, es := ParseSpec(data)
		m, err := s.Build()
		if len(es) == 0 {
			require.NoError(t, err)
			assert.LessOrEqual(t, len(m.CPUs), MaxCPUs)
			assert.LessOrEqual(t, len(m.LLCs), MaxLLCs)
		}
	})
}

func FuzzParseSynthetic(f *testing.F) {
	f.Add("pack:2 [numa(memory=64GB)] l3:8(size=32MB) core:8 pu:2(indexes=2*128:1*2)")
	f.Add("numa:2 l2:4 core:2 pu:2(indexes=core:pu)")
	f.Add("(memory=1GB) 2 [ ] (")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSynthetic(text)
		if err != nil {
			return
		}
		_, err = s.Build()
		require.NoError(t, err)
	})
}
