package main

// writer writes the new code of a function.
type writer struct {
	*function
	out  []byte
	open []scope
}

// scope is a block or loop that code lies in.
type scope struct {
	kind scopeKind
	// part is the one before which a block ends or a loop begins.
	part int
}

type scopeKind uint8

const (
	unwinding scopeKind = iota
	dispatch            // the loop around the br_table
	loop
	label
)

func (w *writer) emit(bytes ...byte) { w.out = append(w.out, bytes...) }

func (w *writer) copy(list ...instruction) {
	for i := range list {
		if list[i].op != opNop {
			w.emit(list[i].code...)
		}
	}
}

func (w *writer) begin(kind scopeKind, part int) {
	op := byte(opBlock)
	if kind == loop || kind == dispatch {
		op = opLoop
	}
	w.emit(op, noResult)
	w.open = append(w.open, scope{kind, part})
}

func (w *writer) end() {
	w.emit(opEnd)
	w.open = w.open[:len(w.open)-1]
}

// depth is the number of scopes within one.
func (w *writer) depth(kind scopeKind, part int) int {
	for i := len(w.open) - 1; ; i-- {
		if w.open[i] == (scope{kind, part}) {
			return len(w.open) - 1 - i
		}
	}
}

// labels begins the blocks that end in parts first to last, but not within a
// loop that begins there.
func (w *writer) labels(first, last int) {
	var parts []int
	for p := first; p <= last; p++ {
		if w.labelled[p] {
			parts = append(parts, p)
		}
		if w.last[p] >= 0 {
			p = w.last[p]
		}
	}
	for i := len(parts) - 1; i >= 0; i-- {
		w.begin(label, parts[i])
	}
}

func (w *writer) write() {
	w.copy(w.prologue...)
	if w.unwinds {
		w.begin(unwinding, 0)
	}
	if w.back {
		w.begin(dispatch, 0)
	}
	w.labels(0, len(w.parts)-1)
	if w.tabled[0] {
		w.table()
	}
	for p := range w.parts {
		if w.labelled[p] {
			w.end()
		}
		if w.last[p] >= 0 {
			w.begin(loop, p)
			w.labels(p+1, w.last[p])
		}
		w.part(p)
		for top := w.open; len(top) > 0 && top[len(top)-1].kind == loop && w.last[top[len(top)-1].part] == p; top = w.open {
			w.end()
		}
	}
	if w.back {
		w.end()
	}
	w.copy(w.rest...)
}

// part writes the code of a part.
func (w *writer) part(p int) {
	list, nest := w.parts[p], 0
	for i := 0; i < len(list); i++ {
		in := &list[i]
		nest += in.opens()
		if j, is := w.jumps[in]; is {
			i += j.n - 1
			if j.conditional {
				nest--
				w.jump(j, opBrIf, list[i-3:i-1], nest)
			} else {
				w.jump(j, opBr, list[i-2:i], nest)
			}
			continue
		}
		if (in.op == opBr || in.op == opBrIf) && in.arg >= int64(nest) {
			w.branch(in.op, nest+w.depth(unwinding, 0))
			continue
		}
		w.copy(*in)
	}
}

func (w *writer) branch(op byte, depth int) { w.out = appendLEB(append(w.out, op), depth) }

// jump writes a jump; number are the instructions that set PC_B for the br_table.
func (w *writer) jump(j jump, op byte, number []instruction, nest int) {
	switch {
	case j.target > j.from:
		w.branch(op, nest+w.depth(label, j.target))
	case w.last[j.target] >= 0:
		w.branch(op, nest+w.depth(loop, j.target))
	default:
		w.copy(number...)
		w.branch(op, nest+w.depth(dispatch, 0))
	}
}

// table writes the br_table. Numbers that nobody uses go to the first part.
// Parts within a loop of their own are not tabled.
func (w *writer) table() {
	w.copy(instruction{code: []byte{opLocalGet, localPC}, op: opLocalGet})
	w.out = appendLEB(append(w.out, opBrTable), len(w.pcs)-1)
	for _, p := range w.pcs {
		if !w.tabled[p] {
			p = 0
		}
		w.out = appendLEB(w.out, w.depth(label, p))
	}
}
