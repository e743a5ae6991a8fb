package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSameOutput runs a program with every kind of control flow before and
// after, in Node.
func TestSameOutput(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node")
	}
	file := filepath.Join(t.TempDir(), "flow.wasm")
	build := exec.Command("go", "build", "-o", file, "./testdata/flow")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	run := func() string {
		out, err := exec.Command(node, filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js"), file).CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	before, old := run(), read(t, file)
	require.Contains(t, string(old), "testdata/flow/main.go", "the names of files are there")
	require.NoError(t, replace(file))
	require.Equal(t, before, run())
	require.Contains(t, before, "12502501 44850\n", "the program says what it should")
	require.NotContains(t, string(read(t, file)), "testdata/flow/main.go")
	require.Contains(t, string(read(t, file)), "main.nested", "tracebacks go on naming functions")
	require.Less(t, len(zipped(t, read(t, file))), len(zipped(t, old))*5/6)
}

func read(t *testing.T, file string) []byte {
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	return b
}

func zipped(t *testing.T, b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

// The code of a function with the compiler's prologue, no calls, and jumps.
func compiled(parts ...[]byte) []byte {
	code := []byte{0, opGlobalGet, 0, opLocalSet, localSP, opLoop, noResult}
	for range parts {
		code = append(code, opBlock, noResult)
	}
	code = append(code, opLocalGet, localPC, opBrTable, byte(len(parts)-1))
	for i := range parts {
		code = append(code, byte(i))
	}
	for _, p := range parts {
		code = append(append(code, opEnd), p...)
	}
	return append(code, opEnd, opUnreachable, opEnd)
}

// jumpTo is a jump as the compiler writes it; loop is the depth of the loop.
func jumpTo(part, loop byte) []byte { return []byte{opI32Const, part, opLocalSet, localPC, opBr, loop} }

func when(jump []byte) []byte {
	return append(append([]byte{opLocalGet, 2, opIf, noResult}, jump...), opEnd)
}

const opReturn = 0x0f

func TestJumps(t *testing.T) {
	start := []byte{0, opGlobalGet, 0, opLocalSet, localSP}
	for name, c := range map[string]struct{ in, want []byte }{
		"forward, on a condition": {
			compiled(when(jumpTo(2, 3)), []byte{opLocalGet, 5}, []byte{opI32Const, 0, opReturn}),
			[]byte{opBlock, noResult, opLocalGet, 2, opBrIf, 0, opLocalGet, 5, opEnd, opI32Const, 0, opReturn, opUnreachable, opEnd},
		},
		"back": {
			compiled(nil, []byte{opNop, opLocalGet, 5}, when(jumpTo(1, 2)), []byte{opI32Const, 0, opReturn}),
			[]byte{opLoop, noResult, opLocalGet, 5, opLocalGet, 2, opBrIf, 0, opEnd, opI32Const, 0, opReturn, opUnreachable, opEnd},
		},
		"back, into the middle of another loop": {
			compiled(when(jumpTo(2, 4)), []byte{opLocalGet, 5}, []byte{opLocalGet, 6}, append(when(jumpTo(1, 1)), opI32Const, 0, opReturn)),
			[]byte{opLoop, noResult, opBlock, noResult, opBlock, noResult, opBlock, noResult, opLocalGet, localPC, opBrTable, 3, 0, 1, 0, 0,
				opEnd, opLocalGet, 2, opBrIf, 1, opEnd, opLocalGet, 5, opEnd, opLocalGet, 6,
				opLocalGet, 2, opI32Const, 1, opLocalSet, localPC, opBrIf, 0, opI32Const, 0, opReturn, opEnd, opUnreachable, opEnd},
		},
		"from one loop into the other": {
			compiled(when(jumpTo(3, 5)), []byte{opLocalGet, 5}, when(jumpTo(4, 3)), []byte{opLocalGet, 6}, when(jumpTo(1, 1))),
			nil,
		},
	} {
		got, err := rewrite(c.in)
		require.NoError(t, err, name)
		if c.want != nil {
			require.Equal(t, append(append([]byte{}, start...), c.want...), got, name)
		}
		_, err = decode(got[1:])
		require.NoError(t, err, name)
	}
}

func TestOthersStay(t *testing.T) {
	for name, body := range map[string][]byte{
		"other prologue":         {0, opLocalGet, 0, opEnd},
		"branch to a label":      compiled([]byte{opBr, 0}, nil),
		"table within the code":  compiled([]byte{opLocalGet, 0, opBrTable, 0, 0}, nil),
		"jump without a number":  compiled([]byte{opBr, 1}, nil),
		"more blocks than parts": append([]byte{0, opGlobalGet, 0, opLocalSet, 1, opBlock, noResult, opBlock, noResult}, compiled(nil)[5:]...),
	} {
		got, err := rewrite(body)
		require.NoError(t, err, name)
		require.Equal(t, body, got, name)
	}
}

func TestData(t *testing.T) {
	segment := func(at, length byte, data ...byte) []byte {
		return append([]byte{0, opI32Const, at, opEnd, length}, data...)
	}
	join := func(n byte, list ...[]byte) []byte {
		out := []byte{n}
		for _, s := range list {
			out = append(out, s...)
		}
		return out
	}
	far := []byte{0, opI32Const, 0x80, 0x80, 0x04, opEnd, 1, 9} // at 65536
	got, err := rewriteData(join(4, segment(8, 2, 1, 2), segment(10, 1, 3), segment(13, 1, 4), far))
	require.NoError(t, err)
	require.Equal(t, join(2, segment(8, 6, 1, 2, 3, 0, 0, 4), far), got)
	got, err = rewriteData(join(3, segment(9, 1, 1), segment(8, 1, 2), segment(9, 1, 3)))
	require.NoError(t, err)
	require.Equal(t, join(1, segment(8, 2, 2, 3)), got, "the last to fill a place has it")
	for _, bad := range [][]byte{{1, 1, 0}, {1, 0, opGlobalGet, 0, opEnd, 0}, {1, 0, opI32Const, 0, opNop}, {1, 0, opI32Const, 0, opEnd, 3}} {
		_, err := rewriteData(bad)
		require.Error(t, err)
	}
}

func TestLines(t *testing.T) {
	word := func(n ...int) (b []byte) {
		for _, n := range n {
			b = binary.LittleEndian.AppendUint64(b, uint64(n))
		}
		return b
	}
	half := func(n ...uint32) (b []byte) {
		for _, n := range n {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		return b
	}
	names := []byte("a.go\x00")
	values := []byte{0 /* no table */, 0, 7, 2, 8, 0 /* 1: stack */, 9, 9, 0 /* 6: file and line */, 3, 5, 0 /* 9: data */}
	units := len(lineMagic) + 8*8
	function := slices.Concat(half(0, 4, 0, 0, 1, 6, 6, 1, 5, 99), []byte{0, 0, 0, 1}, half(9, 77))
	index := half(0, 12, 0)
	tables := func(n int) []byte {
		at := units + len(names)
		return slices.Concat([]byte("data before"), lineMagic, word(n, 1, 0, 0, units, units, at, at+len(values)), names, values, index, function)
	}
	got, want := tables(1), tables(1)
	require.NoError(t, dropLines(got))
	at := len("data before") + units
	clear(want[at : at+len(names)])
	at += len(names)
	clear(want[at+6 : at+9])
	at += len(values) + len(index)
	clear(want[at+20 : at+28])
	clear(want[at+32 : at+40])
	require.Equal(t, want, got)

	require.NoError(t, dropLines([]byte("no tables")))
	for cut := len("data before") + len(lineMagic); cut < len(want)-4; cut++ {
		require.Error(t, dropLines(tables(1)[:cut]), cut)
	}
	require.Error(t, dropLines(tables(1000)))
}

func TestBadFiles(t *testing.T) {
	for want, b := range map[string]string{
		"no WebAssembly file":       "hello, world",
		"ends too early":            "\x00asm\x01\x00\x00\x00\x0a\x05\x01",
		"unknown instruction 0xff":  "\x00asm\x01\x00\x00\x00\x0a\x05\x01\x03\x00\xff\x0b",
		"function 0 of the file's ": "\x00asm\x01\x00\x00\x00\x0a\x05\x01\x03\x00\x41\x80",
	} {
		_, err := rewriteModule([]byte(b))
		require.ErrorContains(t, err, want)
	}
}
