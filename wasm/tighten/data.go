package main

import "errors"

// mostZeros is how many zeros lie at most between two segments that become one.
// More makes no difference to the compressed size.
const mostZeros = 128

// segment is what is copied to an address of the memory at the start.
type segment struct {
	at   int
	data []byte
}

// mergeData joins the segments of a data section that have only a few zeros
// between them. The headers of Go's 50,000 segments cost more than the zeros that they save,
// above all when compressed: they hold addresses.
func mergeData(section []byte) ([]byte, error) {
	r := &reader{b: section}
	var list []segment
	for n := r.count(); n > 0 && r.err == nil; n-- {
		if kind, op := r.leb(false), r.byte(); kind != 0 || op != opI32Const {
			return nil, errors.New("has data that does not lie at a fixed address of memory 0")
		}
		at := int(uint32(r.leb(true)))
		if r.byte() != opEnd {
			return nil, errors.New("has data at a computed address")
		}
		s := segment{at, r.bytes(r.count())}
		if last := len(list) - 1; last >= 0 {
			l := &list[last]
			if gap := at - l.at - len(l.data); gap >= 0 && gap <= mostZeros {
				l.data = append(append(l.data, make([]byte, gap)...), s.data...)
				continue
			}
		}
		s.data = append([]byte{}, s.data...)
		list = append(list, s)
	}
	if r.err != nil {
		return nil, r.err
	}
	out := appendLEB(nil, len(list))
	for _, s := range list {
		out = appendSigned(append(out, 0, opI32Const), int64(int32(s.at)))
		out = append(appendLEB(append(out, opEnd), len(s.data)), s.data...)
	}
	return out, nil
}
