package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// lineMagic begins the tables of a program's functions (runtime.pcHeader since
// Go 1.20, little endian, 8 bytes a pointer).
var lineMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

var errTables = errors.New("has tables of functions in an unknown form")

// Offsets in runtime._func of Go 1.26.
const (
	funcPCSP      = 16
	funcPCFile    = 20
	funcPCLine    = 24
	funcPCData    = 28 // how many tables of values by address follow
	funcUnit      = 32
	funcStartLine = 36
	funcEnd       = 44
)

// dropLines zeroes what tells the file and line of an address. Only tracebacks
// and runtime.Caller read it; they print the functions' names and "?" then. It is a twelfth
// of the compressed file. A run is the same natively, where lines are had.
func dropLines(memory []byte) error {
	at := bytes.Index(memory, lineMagic)
	if at < 0 {
		return nil
	}
	header, err := words(memory[at:])
	if err != nil {
		return err
	}
	tables := memory[at:]
	n, units, values, functions := header[0], header[4], header[6], header[7]
	if units > values || values > functions || functions+8*n > len(tables) {
		return errTables
	}
	clear(tables[units:values]) // names of files
	used := make([]bool, functions-values)
	for i := range n {
		off := functions + int(binary.LittleEndian.Uint32(tables[functions+8*i+4:]))
		if off+funcEnd > len(tables) {
			return errTables
		}
		f := tables[off:]
		for _, field := range []int{funcPCFile, funcPCLine, funcUnit, funcStartLine} {
			clear(f[field : field+4])
		}
		count := int(binary.LittleEndian.Uint32(f[funcPCData:]))
		if count > 64 || funcEnd+4*count > len(f) {
			return errTables
		}
		if err := use(used, tables[values:functions], f[funcPCSP:]); err != nil {
			return err
		}
		for j := range count {
			if err := use(used, tables[values:functions], f[funcEnd+4*j:]); err != nil {
				return err
			}
		}
	}
	for i := range used {
		if !used[i] {
			tables[values+i] = 0
		}
	}
	return nil
}

// words reads the counts and offsets behind the magic.
func words(header []byte) (w [8]int, err error) {
	if len(header) < len(lineMagic)+8*len(w) {
		return w, errTables
	}
	for i := range w {
		v := binary.LittleEndian.Uint64(header[len(lineMagic)+8*i:])
		if v > uint64(len(header)) {
			return w, errTables
		}
		w[i] = int(v)
	}
	return w, nil
}

// use marks the bytes of the table whose offset stands at the start of ref: pairs of
// a difference of values and one of addresses, until a difference of values is zero. The first may be.
func use(used []bool, values, ref []byte) error {
	off := int(binary.LittleEndian.Uint32(ref))
	if off == 0 {
		return nil
	}
	if off > len(values) {
		return errTables
	}
	r := &reader{b: values, at: off}
	for first := true; ; first = false {
		if r.leb(false) == 0 && !first || r.err != nil {
			break
		}
		r.leb(false)
	}
	for i := off; i < r.at; i++ {
		used[i] = true
	}
	return r.err
}
