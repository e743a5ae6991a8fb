package importer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/machine"
)

func TestImportXML(t *testing.T) {
	r, err := Import(read(t, "testdata/two.xml"))
	require.NoError(t, err)
	assert.Equal(t, []int{2, 2, 4, 8, 16, 96}, shape(t, r))
	assert.Equal(t, machine.Adjacent, r.Spec.Numbering)
	assert.Equal(t, "Sample <CPU> 1", r.Spec.Title)
	assert.Equal(t, [][]int{{10, 32}, {32, 10}}, r.Spec.Distances)
	assert.Equal(t, 8.0, r.Spec.NodeMemGiB)
	assert.Equal(t, machine.Param{V: 32, Source: machine.FromSpec, Why: "reported by lstopo"}, r.Spec.LLCs[1].SizeMiB)
	assert.Equal(t, machine.FromGuess, r.Spec.Perf.NodeGBps.Source)
	assert.Equal(t, []string{guessed}, r.Warnings)
}

func TestImportTable(t *testing.T) {
	r, err := Import(read(t, "testdata/table.txt"))
	require.NoError(t, err)
	assert.Equal(t, []int{1, 1, 2, 4, 8, 32}, shape(t, r))
	assert.Equal(t, machine.Split, r.Spec.Numbering)
	assert.Equal(t, 3.7, r.Spec.Perf.FreqGHz.V)
	assert.Contains(t, strings.Join(r.Warnings, "\n"), "Offline CPUs are left out: 8.")
}

// TestImportLscpuJSON: the two commands pasted together, with the prompt between.
func TestImportLscpuJSON(t *testing.T) {
	cpus := `{"cpus": [{"cpu":0,"node":0,"socket":0,"core":0,"l1d:l1i:l2:l3":"0:0:0:0","online":true},{"cpu":1,"node":1,"socket": -,"core":1,"l1d:l1i:l2:l3":"1:1:1:1","online":true}]}`
	caches := `{"caches":[{"name":"L2","one-size":"512K"},{"name":"L3","one-size":"1.5M"}]}`
	r, err := Import("$ lscpu -e -J; lscpu -C -J\n" + cpus + "\n$ " + caches)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2, 2, 2, 2, 1}, shape(t, r))
	assert.Equal(t, 1.5, r.Spec.LLCs[0].SizeMiB.V)
	assert.Equal(t, 0.5, r.Spec.Perf.L2MiB.V)
	without, err := Import(cpus)
	require.NoError(t, err)
	assert.Equal(t, machine.FromGuess, without.Spec.LLCs[0].SizeMiB.Source)
	assert.Contains(t, strings.Join(without.Warnings, "\n"), "size of the last-level cache is not in the text")
}

func TestImportSummary(t *testing.T) {
	r, err := Import("Architecture:  x86_64\nCPU(s):  32\nModel name: AMD EPYC 1\nThread(s) per core: 2\nCore(s) per socket: 8\nSocket(s): 2\nL2 cache: 16 MiB (16 instances)\nL3 cache: 64 MiB (4 instances)\nNUMA node(s): 2\nNUMA node0 CPU(s): 0-7,16-23\n")
	require.NoError(t, err)
	assert.Equal(t, []int{2, 2, 4, 16, 32, 16}, shape(t, r))
	assert.Equal(t, machine.Split, r.Spec.Numbering)
	assert.Equal(t, 32, r.Spec.ReclaimDistance)
}

func TestImportSynthetic(t *testing.T) {
	r, err := Import("pack:2 l3:2(size=32MB) core:4 pu:2")
	require.NoError(t, err)
	assert.Equal(t, []int{2, 1, 4, 16, 32, 32}, shape(t, r))
}

func TestImportErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{" ", "there is no text"},
		{"hello", `line 1: "hello" is neither lscpu`},
		{`{"cpus":[{"cpu":0,}]}`, "line 1, column"},
		{`{"cpus":[{"cpu":0}`, "paste the output of lscpu as a whole"},
		{`{"cpus":[{"core":0}]}`, "have no numbers (column CPU)"},
		{`{"cpus":[{"cpu":5000}]}`, "CPU 5000 is out of range"},
		{`{"cpus":[{"cpu":0,"online":false}]}`, "no CPU that is online"},
		{"CPU NODE\nCPU,Core\n9999,1", "line 3: CPU 9999 is out of range"},
		{"<topology>\n<object type=\"PU\" os_index=\"7777\"/>", "XML line 2: <object>: CPU 7777 is out of range"},
		{"<topology>\n<object", "XML line 2"},
		{"<a></b>", "closes an element that is not open"},
		{"<a b='&bomb;'>", "has an entity that is not known"},
		{"<!DOCTYPE x [<!ENTITY a \"b\">]><a/>", "declarations inside"},
		{"<topology></topology>", "no object of type PU"},
		{"<topology>", "the text ends inside <topology>"},
		{strings.Repeat("<a>", 100), "nested more than 64 deep"},
		{strings.Repeat(" ", MaxBytes+1), "more than the"},
		{"/sys/devices/system/cpu/cpu4000/topology/core_id:1", "CPU 4000 is one more"},
		{"/sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list:x", "must be a set of CPUs"},
	} {
		_, err := Import(c.text)
		assert.ErrorContains(t, err, c.want, c.text[:min(len(c.text), 60)])
	}
}

func FuzzImport(f *testing.F) {
	f.Add("<topology><object type=\"Package\"><object type=\"L3Cache\" cache_size=\"99\"><object type=\"PU\" os_index=\"3\"/></object></object></topology>")
	f.Add("{\"cpus\":[{\"cpu\":0,\"node\":9,\"l1d:l1i:l2:l3\":\"0:0:0:0\"},{\"cpu\":1,\"node\":8}]}{\"lscpu\":[{\"field\":\"L3 cache:\",\"data\":\"8K (3 instances)\"}]}")
	f.Add("CPU(s): 7\nThread(s) per core: 3\nSocket(s): 2\nNUMA node(s): 9\nL3 cache: 1M (900 instances)")
	f.Add("# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n0,0,0,,,0,0,0,0\n3,1,1,1,,0,0,5,")
	f.Add("/sys/devices/system/cpu/cpu0/cache/index3/level:3\n/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_map:3")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Import(text)
		if err != nil {
			return
		}
		_, err = r.Spec.Build()
		require.NoError(t, err)
	})
}
