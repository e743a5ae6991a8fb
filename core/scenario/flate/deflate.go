package flate

// writer puts bits into a text, least significant first.
type writer struct {
	out  []byte
	hold uint32
	n    uint
}

func (w *writer) bits(v int, n uint) {
	w.hold |= uint32(v) << w.n
	w.n += n
	for w.n >= 8 {
		w.out = append(w.out, byte(w.hold))
		w.hold >>= 8
		w.n -= 8
	}
}

// end fills the last byte.
func (w *writer) end() []byte {
	w.bits(0, (8-w.n)%8)
	return w.out
}

// token is a literal (length 0) or a copy of what is dist bytes back.
type token struct {
	length, dist uint16
	literal      byte
}

// Deflate compresses a text into one block, with the codes that make it
// shortest: those of the text or the fixed ones. Equal texts give equal bytes.
func Deflate(in []byte) []byte {
	tokens := match(in)
	fixed, dynamic := &writer{}, &writer{}
	fixed.bits(1|1<<1, 3)
	lit, dist := fixedLengths()
	fixed.block(tokens, newEncoder(lit[:]), newEncoder(dist[:]))
	dynamic.bits(1|2<<1, 3)
	dynamic.dynamic(tokens)
	a, b := fixed.end(), dynamic.end()
	if len(b) < len(a) {
		return b
	}
	return a
}

// maxChain is how many earlier places are compared for a match.
const maxChain = 1 << 10

// match finds repetitions: at each place the longest copy, unless the next
// place has a longer one.
func match(in []byte) []token {
	const none = -1
	head := make([]int32, 1<<13)
	for i := range head {
		head[i] = none
	}
	before := make([]int32, len(in)) // the place before with the same hash
	hash := func(i int) uint32 {
		return (uint32(in[i]) | uint32(in[i+1])<<8 | uint32(in[i+2])<<16) * 0x9e3779b1 >> (32 - 13)
	}
	enter := func(i int) {
		if i+minMatch <= len(in) {
			h := hash(i)
			before[i], head[h] = head[h], int32(i)
		}
	}
	longest := func(i int) (t token) {
		if i+minMatch > len(in) {
			return t
		}
		most := min(maxMatch, len(in)-i)
		j := int(head[hash(i)])
		for range maxChain {
			if j == none || i-j > window || int(t.length) == most {
				break
			}
			n := 0
			for n < most && in[j+n] == in[i+n] {
				n++
			}
			if n >= minMatch && n > int(t.length) {
				t.length, t.dist = uint16(n), uint16(i-j)
			}
			j = int(before[j])
		}
		return t
	}
	var out []token
	for i := 0; i < len(in); {
		t := longest(i)
		enter(i)
		if t.length > 0 && longest(i+1).length > t.length {
			t = token{}
		}
		t.literal = in[i]
		out = append(out, t)
		end := i + max(1, int(t.length))
		for i++; i < end; i++ {
			enter(i)
		}
	}
	return out
}

// find is the symbol whose range holds v, with base and extra bits.
func find(symbols, v int, code func(int) (int, int)) (symbol, base, extra int) {
	for symbol = symbols - 1; ; symbol-- {
		if base, extra = code(symbol); base <= v {
			return symbol, base, extra
		}
	}
}

// block writes tokens and the end of the block.
func (w *writer) block(tokens []token, lit, dist encoder) {
	for _, t := range tokens {
		if t.length == 0 {
			w.symbol(lit, int(t.literal))
			continue
		}
		s, base, extra := find(maxLitLen-endOfBlock-1, int(t.length), lengthCode)
		w.symbol(lit, endOfBlock+1+s)
		w.bits(int(t.length)-base, uint(extra))
		s, base, extra = find(maxDist, int(t.dist), distCode)
		w.symbol(dist, s)
		w.bits(int(t.dist)-base, uint(extra))
	}
	w.symbol(lit, endOfBlock)
}

// dynamic writes the codes that fit the tokens best, then the block.
func (w *writer) dynamic(tokens []token) {
	var litFreq [maxLitLen]int
	var distFreq [maxDist]int
	litFreq[endOfBlock] = 1
	for _, t := range tokens {
		if t.length == 0 {
			litFreq[t.literal]++
			continue
		}
		s, _, _ := find(maxLitLen-endOfBlock-1, int(t.length), lengthCode)
		litFreq[endOfBlock+1+s]++
		s, _, _ = find(maxDist, int(t.dist), distCode)
		distFreq[s]++
	}
	lit, dist := codeLengths(litFreq[:], maxBits), codeLengths(distFreq[:], maxBits)
	nlit, ndist := used(lit, endOfBlock+1), used(dist, 1)
	runs := runLengths(append(append([]uint8{}, lit[:nlit]...), dist[:ndist]...))
	var preFreq [maxPre]int
	for _, r := range runs {
		preFreq[r.symbol]++
	}
	pre := codeLengths(preFreq[:], maxPreBits)
	npre := maxPre
	for npre > 4 && pre[preOrder[npre-1]] == 0 {
		npre--
	}
	w.bits(nlit-endOfBlock-1, 5)
	w.bits(ndist-1, 5)
	w.bits(npre-4, 4)
	for _, s := range preOrder[:npre] {
		w.bits(int(pre[s]), 3)
	}
	code := newEncoder(pre)
	for _, r := range runs {
		w.symbol(code, int(r.symbol))
		w.bits(int(r.more), uint(r.extra))
	}
	w.block(tokens, newEncoder(lit), newEncoder(dist))
}

// used is how many lengths have to be stored, at least least.
func used(lengths []uint8, least int) int {
	n := len(lengths)
	for n > least && lengths[n-1] == 0 {
		n--
	}
	return n
}

// run is a symbol of the code length code with its extra bits.
type run struct{ symbol, more, extra uint8 }

// runLengths shortens repeated code lengths.
func runLengths(lengths []uint8) []run {
	var out []run
	for i := 0; i < len(lengths); {
		v, n := lengths[i], 1
		for i+n < len(lengths) && lengths[i+n] == v {
			n++
		}
		i += n
		if v != 0 {
			out = append(out, run{v, 0, 0})
			n--
		}
		for n > 0 {
			switch {
			case v == 0 && n >= 11:
				k := min(n, 138)
				out, n = append(out, run{18, uint8(k - 11), 7}), n-k
			case v == 0 && n >= 3:
				out, n = append(out, run{17, uint8(n - 3), 3}), 0
			case n >= 3:
				k := min(n, 6)
				out, n = append(out, run{16, uint8(k - 3), 2}), n-k
			default:
				out, n = append(out, run{v, 0, 0}), n-1
			}
		}
	}
	return out
}

// codeLengths finds the Huffman code lengths of symbols that occur freq times,
// none longer than most: frequencies are levelled until the code fits. A lone
// symbol gets one bit.
func codeLengths(freq []int, most int) []uint8 {
	lengths := make([]uint8, len(freq))
	weight := append([]int{}, freq...)
	for {
		deepest := huffman(weight, lengths)
		if deepest <= most {
			return lengths
		}
		for i, f := range weight {
			if f > 0 {
				weight[i] = f/2 + 1
			}
		}
	}
}

// huffman sets the unlimited code lengths and returns the longest.
func huffman(weight []int, lengths []uint8) int {
	n := len(weight)
	w := append(make([]int, 0, 2*n), weight...)
	parent := make([]int, 2*n) // 0 for none: symbol 0 is never a parent
	lightest := func() int {
		best := -1
		for i, v := range w {
			if v > 0 && parent[i] == 0 && (best < 0 || v < w[best]) {
				best = i
			}
		}
		return best
	}
	for {
		a := lightest()
		if a < 0 {
			break
		}
		parent[a] = len(w)
		b := lightest()
		if b < 0 {
			if a < n {
				parent[a] = len(w) // a lone symbol: its parent is the root
			} else {
				parent[a] = 0
			}
			break
		}
		parent[b] = len(w)
		w = append(w, w[a]+w[b])
	}
	deepest := 0
	for i := range n {
		depth := 0
		for at := parent[i]; at != 0; at = parent[at] {
			depth++
		}
		lengths[i] = uint8(depth)
		deepest = max(deepest, depth)
	}
	return deepest
}

// encoder holds the bits of each symbol's code, first bit lowest.
type encoder struct {
	code    []uint16
	lengths []uint8
}

func newEncoder(lengths []uint8) encoder {
	e := encoder{make([]uint16, len(lengths)), lengths}
	code := uint16(0)
	for n := uint8(1); n <= maxBits; n++ {
		for s, l := range lengths {
			if l == n {
				for b := range n {
					e.code[s] |= code >> b & 1 << (n - 1 - b)
				}
				code++
			}
		}
		code <<= 1
	}
	return e
}

func (w *writer) symbol(e encoder, s int) { w.bits(int(e.code[s]), uint(e.lengths[s])) }
