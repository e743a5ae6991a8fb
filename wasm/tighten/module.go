package main

import (
	"errors"
	"fmt"
)

// Sections by number (WebAssembly core specification, 5.5.2).
const (
	codeSection = 10
	dataSection = 11
)

var errCut = errors.New("ends too early")

// reader takes a module apart; the first error stays.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) byte() byte {
	if r.at >= len(r.b) {
		r.err = errCut
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

// leb reads an integer in LEB128, signed or not, and returns its low 64 bits.
func (r *reader) leb(signed bool) int64 {
	var v int64
	for shift := 0; ; shift += 7 {
		c := r.byte()
		v |= int64(c&0x7f) << shift
		if c < 0x80 || r.err != nil {
			if signed && c&0x40 != 0 && shift+7 < 64 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
}

func (r *reader) count() int { return int(uint32(r.leb(false))) }

func (r *reader) bytes(n int) []byte {
	if n > len(r.b)-r.at {
		r.err, n = errCut, 0
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func appendLEB(b []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}

func appendSigned(b []byte, n int64) []byte {
	for n < -64 || n > 63 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n)&0x7f)
}

// rewriteModule rewrites the functions and the data of a module.
func rewriteModule(module []byte) ([]byte, error) {
	r := &reader{b: module}
	out := append([]byte{}, r.bytes(8)...)
	if string(out) != "\x00asm\x01\x00\x00\x00" {
		return nil, errors.New("is no WebAssembly file of version 1")
	}
	for r.at < len(module) {
		id := r.byte()
		section := r.bytes(r.count())
		if r.err != nil {
			return nil, r.err
		}
		var err error
		switch id {
		case codeSection:
			section, err = rewriteCode(section)
		case dataSection:
			section, err = rewriteData(section)
		}
		if err != nil {
			return nil, err
		}
		out = append(appendLEB(append(out, id), len(section)), section...)
	}
	return out, nil
}

func rewriteCode(section []byte) ([]byte, error) {
	r := &reader{b: section}
	n := r.count()
	out := appendLEB(nil, n)
	for i := range n {
		body := r.bytes(r.count())
		if r.err != nil {
			return nil, r.err
		}
		body, err := rewrite(body)
		if err != nil {
			return nil, fmt.Errorf("function %d of the file's own: %w", i, err)
		}
		out = append(appendLEB(out, len(body)), body...)
	}
	return out, nil
}
