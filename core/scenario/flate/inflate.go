package flate

import "errors"

// What can be wrong with a compressed text.
var (
	ErrCut     = errors.New("the compressed text is cut")
	ErrCorrupt = errors.New("the compressed text is damaged")
	ErrTooLong = errors.New("the text is longer than allowed")
)

// reader takes bits from a text, least significant first.
type reader struct {
	in   []byte
	out  []byte
	most int
	hold uint32
	n    uint // bits in hold
	err  error
}

// Inflate expands a text to at most most bytes. Nothing may follow its last
// block. With an error it returns what came out before it.
func Inflate(in []byte, most int) ([]byte, error) {
	r := &reader{in: in, most: most}
	for last := false; !last && r.err == nil; {
		last = r.bits(1) == 1
		switch r.bits(2) {
		case 0:
			r.stored()
		case 1:
			lit, dist := fixedLengths()
			r.block(newDecoder(lit[:]), newDecoder(dist[:]))
		case 2:
			r.dynamic()
		default:
			r.fail(ErrCorrupt)
		}
	}
	if len(r.in) > 0 {
		r.fail(ErrCorrupt)
	}
	return r.out, r.err
}

// fail keeps the first error.
func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// bits takes n bits, at most 16; 0 after an error.
func (r *reader) bits(n uint) int {
	for r.n < n {
		if len(r.in) == 0 {
			r.fail(ErrCut)
		}
		if r.err != nil {
			return 0
		}
		r.hold |= uint32(r.in[0]) << r.n
		r.in = r.in[1:]
		r.n += 8
	}
	v := r.hold & (1<<n - 1)
	r.hold >>= n
	r.n -= n
	return int(v)
}

// stored copies a block that is not compressed.
func (r *reader) stored() {
	r.hold, r.n = 0, 0 // it begins at a full byte
	size, check := r.bits(16), r.bits(16)
	switch {
	case r.err != nil:
	case size^check != 0xffff:
		r.fail(ErrCorrupt)
	case len(r.out)+size > r.most:
		r.fail(ErrTooLong)
	case size > len(r.in):
		r.out, r.in = append(r.out, r.in...), nil
		r.fail(ErrCut)
	default:
		r.out, r.in = append(r.out, r.in[:size]...), r.in[size:]
	}
}

// dynamic reads the codes of a block, then the block.
func (r *reader) dynamic() {
	nlit, ndist, npre := r.bits(5)+257, r.bits(5)+1, r.bits(4)+4
	if nlit > maxLitLen || ndist > maxDist {
		r.fail(ErrCorrupt)
		return
	}
	var lengths [maxLitLen + maxDist]uint8
	for i := range npre {
		lengths[preOrder[i]] = uint8(r.bits(3))
	}
	pre := newDecoder(lengths[:maxPre])
	lengths = [maxLitLen + maxDist]uint8{}
	for i := 0; i < nlit+ndist && r.err == nil; {
		v, times := r.symbol(&pre), 1
		switch v {
		case 16:
			if i == 0 {
				r.fail(ErrCorrupt)
				return
			}
			v, times = int(lengths[i-1]), r.bits(2)+3
		case 17:
			v, times = 0, r.bits(3)+3
		case 18:
			v, times = 0, r.bits(7)+11
		}
		if i+times > nlit+ndist {
			r.fail(ErrCorrupt)
			return
		}
		for range times {
			lengths[i] = uint8(v)
			i++
		}
	}
	if r.err == nil {
		r.block(newDecoder(lengths[:nlit]), newDecoder(lengths[nlit:nlit+ndist]))
	}
}

// block expands a block of two codes.
func (r *reader) block(lit, dist decoder) {
	for r.err == nil {
		s := r.symbol(&lit)
		switch {
		case r.err != nil || s == endOfBlock:
			return
		case s < endOfBlock:
			r.put(byte(s))
			continue
		case s >= maxLitLen:
			r.fail(ErrCorrupt)
			return
		}
		base, extra := lengthCode(s - endOfBlock - 1)
		length := base + r.bits(uint(extra))
		d := r.symbol(&dist)
		if d >= maxDist {
			r.fail(ErrCorrupt)
			return
		}
		base, extra = distCode(d)
		back := base + r.bits(uint(extra))
		if r.err == nil && back > len(r.out) {
			r.fail(ErrCorrupt)
		}
		for ; length > 0 && r.err == nil; length-- {
			r.put(r.out[len(r.out)-back])
		}
	}
}

func (r *reader) put(b byte) {
	if len(r.out) >= r.most {
		r.fail(ErrTooLong)
		return
	}
	r.out = append(r.out, b)
}

// decoder is a canonical Huffman code: how many codes have each length, and
// the symbols in the order of their codes.
type decoder struct {
	count   [maxBits + 1]uint16
	symbols [maxLitLen + 2]uint16
	ok      bool
}

// newDecoder makes the code of some lengths. It is not ok when codes clash or
// bits lead nowhere; a single code of one bit is allowed, and none at all.
func newDecoder(lengths []uint8) decoder {
	var d decoder
	for _, n := range lengths {
		d.count[n]++
	}
	used := len(lengths) - int(d.count[0])
	d.count[0] = 0
	left := 1
	var next [maxBits + 2]uint16
	for n := 1; n <= maxBits; n++ {
		left = left<<1 - int(d.count[n])
		if left < 0 {
			return d
		}
		next[n+1] = next[n] + d.count[n]
	}
	d.ok = left == 0 || used == 0 || (used == 1 && d.count[1] == 1)
	for s, n := range lengths {
		if n > 0 {
			d.symbols[next[n]] = uint16(s)
			next[n]++
		}
	}
	return d
}

// symbol takes one code.
func (r *reader) symbol(d *decoder) int {
	if !d.ok {
		r.fail(ErrCorrupt)
		return 0
	}
	code, first, index := 0, 0, 0
	for n := 1; n <= maxBits; n++ {
		code |= r.bits(1)
		if r.err != nil {
			return 0
		}
		count := int(d.count[n])
		if code < first+count {
			return int(d.symbols[index+code-first])
		}
		index += count
		first = (first + count) << 1
		code <<= 1
	}
	r.fail(ErrCorrupt)
	return 0
}
