package main

import "fmt"

// Opcodes that matter here (WebAssembly core specification, 5.4).
const (
	opUnreachable  = 0x00
	opNop          = 0x01
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opCall         = 0x10
	opCallIndirect = 0x11
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opI32Const     = 0x41
	opI64Const     = 0x42
	opI32Sub       = 0x6b
	noResult       = 0x40 // block type, as a number noResultType
	noResultType   = -0x40
)

// instruction is one instruction; arg its first immediate, code its bytes.
type instruction struct {
	op    byte
	arg   int64
	table []int // of br_table, the default last
	code  []byte
}

// decode takes a function's code apart.
func decode(code []byte) ([]instruction, error) {
	r := &reader{b: code}
	var list []instruction
	for r.at < len(code) && r.err == nil {
		from := r.at
		in := instruction{op: r.byte()}
		switch op := in.op; {
		case op == opBlock, op == opLoop, op == opIf:
			in.arg = r.leb(true)
		case op == opBr, op == opBrIf, op == opCall, op >= opLocalGet && op <= opGlobalSet:
			in.arg = r.leb(false)
		case op == opBrTable:
			for n := r.count(); n >= 0 && r.err == nil; n-- {
				in.table = append(in.table, r.count())
			}
		case op == opCallIndirect, op >= 0x28 && op <= 0x3e: // loads and stores
			in.arg = r.leb(false)
			r.leb(false)
		case op == 0x3f, op == 0x40: // memory.size, memory.grow
			r.byte()
		case op == opI32Const, op == opI64Const:
			in.arg = r.leb(true)
		case op == 0x43:
			r.bytes(4)
		case op == 0x44:
			r.bytes(8)
		case op == 0xfc:
			switch in.arg = r.leb(false); {
			case in.arg <= 7: // saturating truncation
			case in.arg == 10: // memory.copy
				r.bytes(2)
			case in.arg == 11: // memory.fill
				r.bytes(1)
			default:
				return nil, fmt.Errorf("unknown instruction 0xfc %d", in.arg)
			}
		case op <= 0x01, op == opElse, op == opEnd, op == 0x0f, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4:
		default:
			return nil, fmt.Errorf("unknown instruction %#x", op)
		}
		in.code = code[from:r.at]
		list = append(list, in)
	}
	return list, r.err
}
