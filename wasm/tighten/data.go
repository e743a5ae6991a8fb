package main

import (
	"bytes"
	"errors"
)

// mostZeros is how many zeros lie at most between two segments that become one.
// More makes no difference to the compressed size.
const mostZeros = 128

// mostData bounds the memory that the data may span.
const mostData = 1 << 28

// rewriteData drops what only tracebacks read and joins the segments of a data
// section that have only a few zeros between them. The headers of Go's 50,000 segments cost more
// than the zeros that they save, above all when compressed: they hold addresses.
func rewriteData(section []byte) ([]byte, error) {
	memory, at, err := image(section)
	if err != nil {
		return nil, err
	}
	if err := dropLines(memory); err != nil {
		return nil, err
	}
	n, segments := 0, []byte(nil)
	for len(memory) > 0 {
		zeros := len(memory) - len(bytes.TrimLeft(memory, "\x00"))
		memory, at = memory[zeros:], at+zeros
		if size := untilZeros(memory); size > 0 {
			segments = appendSigned(append(segments, 0, opI32Const), int64(int32(at)))
			segments = append(appendLEB(append(segments, opEnd), size), memory[:size]...)
			memory, at = memory[size:], at+size
			n++
		}
	}
	return append(appendLEB(nil, n), segments...), nil
}

// untilZeros is the number of bytes before the zeros that end a segment.
func untilZeros(memory []byte) int {
	if n := bytes.Index(memory, make([]byte, mostZeros+1)); n >= 0 {
		return n
	}
	return len(bytes.TrimRight(memory, "\x00"))
}

// image is the memory that the segments of a data section fill one after
// another, and its address.
func image(section []byte) (memory []byte, base int, err error) {
	type segment struct {
		at   int
		data []byte
	}
	var list []segment
	var end int
	r := &reader{b: section}
	for n := r.count(); n > 0 && r.err == nil; n-- {
		if kind, op := r.leb(false), r.byte(); kind != 0 || op != opI32Const {
			return nil, 0, errors.New("has data that does not lie at a fixed address of memory 0")
		}
		s := segment{at: int(uint32(r.leb(true)))}
		if r.byte() != opEnd {
			return nil, 0, errors.New("has data at a computed address")
		}
		s.data = r.bytes(r.count())
		if len(list) == 0 || s.at < base {
			base = s.at
		}
		end = max(end, s.at+len(s.data))
		list = append(list, s)
	}
	if r.err != nil {
		return nil, 0, r.err
	}
	if end-base > mostData {
		return nil, 0, errors.New("has data too far apart")
	}
	memory = make([]byte, end-base)
	for _, s := range list {
		copy(memory[s.at-base:], s.data)
	}
	return memory, base, nil
}
