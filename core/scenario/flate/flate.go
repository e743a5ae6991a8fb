// Package flate compresses and expands short texts in the DEFLATE format of
// RFC 1951, without a wrapper ("deflate-raw" in browsers). It does what
// compress/flate does for a text that fits in memory, in a tenth of the code:
// the engine's WebAssembly module has to be small.
package flate

// endOfBlock ends the symbols of a block; larger symbols are lengths.
const endOfBlock = 256

// Sizes of the alphabets and bounds of the format (RFC 1951, 3.2.5 to 3.2.7).
const (
	maxLitLen  = 286 // literals, end of block, lengths
	maxDist    = 30
	maxPre     = 19 // code lengths
	maxBits    = 15 // of a literal, length or distance code
	maxPreBits = 7  // of a code length code
	window     = 1 << 15
	minMatch   = 3
	maxMatch   = 258
)

// preOrder is the order in which the lengths of the code length code are stored.
var preOrder = [maxPre]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// lengthCode gives base and extra bits of length symbol 257+i, i below 29.
func lengthCode(i int) (base, extra int) {
	switch {
	case i < 8:
		return i + minMatch, 0
	case i == 28:
		return maxMatch, 0
	}
	extra = i/4 - 1
	return (4+i%4)<<extra + minMatch, extra
}

// distCode gives base and extra bits of distance symbol i.
func distCode(i int) (base, extra int) {
	if i < 4 {
		return i + 1, 0
	}
	extra = i/2 - 1
	return (2+i%2)<<extra + 1, extra
}

// fixedLengths are the code lengths of a block with fixed codes.
func fixedLengths() (lit [maxLitLen + 2]uint8, dist [maxDist + 2]uint8) {
	for i := range lit {
		switch {
		case i < 144:
			lit[i] = 8
		case i < 256:
			lit[i] = 9
		case i < 280:
			lit[i] = 7
		default:
			lit[i] = 8
		}
	}
	for i := range dist {
		dist[i] = 5
	}
	return lit, dist
}
