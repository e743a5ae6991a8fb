package flate_test

import (
	"bytes"
	stdflate "compress/flate"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"casplay/core/scenario/flate"
	"casplay/scenarios"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const most = 1 << 18

// texts are typical and nasty inputs.
func texts() [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	skewed := []byte{} // frequencies like Fibonacci numbers give the deepest codes
	for i, a, b := 0, 1, 1; i < 22; i, a, b = i+1, b, a+b {
		skewed = append(skewed, bytes.Repeat([]byte{byte(i), byte(i + 100)}, a)...)
	}
	r.Shuffle(len(skewed), func(i, j int) { skewed[i], skewed[j] = skewed[j], skewed[i] })
	out := [][]byte{nil, {0}, []byte("a"), []byte("ab"), []byte("aaa"), []byte("abcabcabcabc"), bytes.Repeat([]byte("x"), 259), bytes.Repeat([]byte("y"), 70000),
		append(append(append([]byte{}, noise...), bytes.Repeat([]byte{7}, 1<<15-3000)...), noise...), noise, skewed}
	lib := scenarios.Library{}
	for _, name := range lib.Presets()[:20] {
		out = append(out, lib.Preset(name))
	}
	return out
}

func standard(t require.TestingT, in []byte) []byte {
	var b bytes.Buffer
	w, err := stdflate.NewWriter(&b, stdflate.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(in)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// both: what one side writes the other reads.
func both(t *testing.T, in []byte) {
	ours := flate.Deflate(in)
	back, err := io.ReadAll(stdflate.NewReader(bytes.NewReader(ours)))
	require.NoError(t, err)
	require.True(t, bytes.Equal(in, back))
	for _, packed := range [][]byte{ours, standard(t, in)} {
		back, err = flate.Inflate(packed, len(in))
		require.NoError(t, err)
		require.True(t, bytes.Equal(in, back))
	}
}

func TestBothDirections(t *testing.T) {
	for _, in := range texts() {
		both(t, in)
	}
}

func FuzzDeflate(f *testing.F) {
	for _, in := range texts() {
		if len(in) < 4000 {
			f.Add(in)
		}
	}
	f.Fuzz(both)
}

// TestShortEnough: a scenario gets no longer than with the standard library.
func TestShortEnough(t *testing.T) {
	lib := scenarios.Library{}
	for _, name := range lib.Presets()[:20] {
		in := lib.Preset(name)
		assert.LessOrEqual(t, len(flate.Deflate(in)), len(standard(t, in))*101/100, name)
	}
}

// agree: both readers accept and refuse the same, with the same text. Ours
// wants the text to end with its last block.
func agree(t *testing.T, packed []byte) {
	source := bytes.NewReader(packed)
	want, wantErr := io.ReadAll(io.LimitReader(stdflate.NewReader(source), most+1))
	got, err := flate.Inflate(packed, most)
	switch {
	case len(want) > most:
		require.Error(t, err) // too long, or damaged later on
	case wantErr == nil && source.Len() > 0:
		require.ErrorIs(t, err, flate.ErrCorrupt)
		require.True(t, bytes.Equal(want, got))
	case wantErr == nil:
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
	default:
		require.Error(t, err)
	}
}

func seeds() [][]byte {
	var out [][]byte
	for _, in := range texts() {
		if len(in) < 4000 {
			out = append(out, flate.Deflate(in))
		}
	}
	return append(out, []byte{0x03, 0}, []byte{1, 0, 0, 0xff, 0xff}, []byte{1, 2, 0, 0xfd, 0xff, 'h', 'i'}, []byte{7}, []byte{5, 0xff, 0xff, 0xff, 0xff}, []byte{0xff})
}

func FuzzInflate(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(agree)
}

func TestCutAndDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, packed := range seeds() {
		for n := range min(len(packed), 600) {
			agree(t, packed[:n])
			_, err := flate.Inflate(packed[:n], most)
			require.Error(t, err)
		}
		for range 300 {
			c := append([]byte{}, packed...)
			c[r.IntN(len(c))] ^= 1 << r.IntN(8)
			agree(t, c)
		}
	}
	agree(t, append(flate.Deflate([]byte("abc")), 0))
}

func TestTheSizeIsBounded(t *testing.T) {
	bomb := flate.Deflate(make([]byte, 1<<20))
	assert.Less(t, len(bomb), 1100)
	out, err := flate.Inflate(bomb, 1000)
	assert.ErrorIs(t, err, flate.ErrTooLong)
	assert.LessOrEqual(t, len(out), 1000)
	_, err = flate.Inflate([]byte{1, 2, 0, 0xfd, 0xff, 'h', 'i'}, 1)
	assert.ErrorIs(t, err, flate.ErrTooLong)
}

// TestBrowsersReadIt: the same stream class as in a page, here in Node.
func TestBrowsersReadIt(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	const program = `const s = new Response(new Blob([process.argv[1] === 'in' ? require('fs').readFileSync(0) : '']).stream().pipeThrough(new DecompressionStream('deflate-raw')));
s.arrayBuffer().then((b) => process.stdout.write(Buffer.from(b)));`
	in := []byte(strings.Repeat(`{"kernel":{"hz":250,"cas":{"enabled":true}}},`, 20))
	cmd := exec.Command(node, "-e", program, "in")
	cmd.Stdin = bytes.NewReader(flate.Deflate(in))
	out, err := cmd.Output()
	require.NoError(t, err)
	assert.Equal(t, string(in), string(out))
}
