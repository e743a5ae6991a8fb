package main

// rewrite changes the jumps of one function, whose body is local declarations
// and code. Functions of another shape than the compiler's stay as they are.
//
//   - A jump forward becomes a branch to the end of the WebAssembly block that
//     precedes its target: no number, no br_table.
//   - A jump back becomes a branch to a loop of its own, if nothing enters that
//     loop in its middle.
//   - A condition around a jump becomes br_if.
//   - The br_table keeps only the parts that are entered through it: those after
//     calls, where a goroutine may resume, and targets of other jumps back. Parts
//     that nobody branches to melt into the one before.
func rewrite(body []byte) ([]byte, error) {
	r := &reader{b: body}
	for n := r.count(); n > 0; n-- {
		r.count()
		r.byte()
	}
	if r.err != nil {
		return nil, r.err
	}
	list, err := decode(body[r.at:])
	if err != nil {
		return nil, err
	}
	f := parse(list)
	if f == nil || !f.findJumps() {
		return body, nil
	}
	f.findResumes()
	f.findLoops()
	f.label()
	w := writer{function: f, out: append([]byte{}, body[:r.at]...)}
	w.write()
	return w.out, nil
}

// function has the compiler's shape: a prologue, a block to leave by, the
// loop, and a br_table to parts, each of which follows the end of a block.
type function struct {
	prologue       []instruction
	unwinds, loops bool
	pcs            []int // number of a basic block (PC_B) -> part
	parts          [][]instruction
	rest           []instruction // after the parts and the loop
	jumps          map[*instruction]jump
	all            []jump
	// tabled parts are entered by the br_table, labelled ones by any branch forward.
	tabled, labelled []bool
	// last is the last part of the loop that begins with a part, -1 if none does.
	last []int
	back bool // there are jumps back by the br_table
}

// jump begins at an instruction of part from and is n long; conditional: that
// is an if.
type jump struct {
	from, target, n int
	conditional     bool
}

// The locals of the compiler's calling convention: PC_B and the stack pointer.
const (
	localPC = 0
	localSP = 1
)

func (in *instruction) is(op byte, arg int64) bool { return in.op == op && in.arg == arg }

// match reports whether list begins with these instructions.
func match(list []instruction, want ...instruction) bool {
	if len(list) < len(want) {
		return false
	}
	for i := range want {
		if !list[i].is(want[i].op, want[i].arg) {
			return false
		}
	}
	return true
}

// opens is how an instruction changes the nesting.
func (in *instruction) opens() int {
	switch in.op {
	case opBlock, opLoop, opIf:
		return 1
	case opEnd:
		return -1
	}
	return 0
}

// parse finds the parts of a function, nil if it has another shape.
func parse(list []instruction) *function {
	if !match(list, instruction{op: opGlobalGet}, instruction{op: opLocalSet, arg: localSP}) {
		return nil
	}
	f := &function{prologue: list[:2], jumps: map[*instruction]jump{}}
	list = list[2:]
	blocks := 0
	for ; len(list) > 0 && (list[0].op == opBlock || list[0].op == opLoop && !f.loops); list = list[1:] {
		if list[0].op == opBlock {
			blocks++
			continue
		}
		if blocks > 1 {
			return nil
		}
		f.loops, f.unwinds, blocks = true, blocks == 1, 0
	}
	if len(list) < 3 || !list[0].is(opLocalGet, localPC) || list[1].op != opBrTable || list[2].op != opEnd {
		return nil
	}
	f.pcs = list[1].table
	n := f.pcs[len(f.pcs)-1] + 1
	if !f.loops {
		f.unwinds = blocks == n+1
		if f.unwinds {
			blocks--
		}
	}
	if blocks != n {
		return nil
	}
	return f.cut(list[3:], n)
}

// cut divides code into n parts and the rest.
func (f *function) cut(list []instruction, n int) *function {
	from, nest := 0, 0
	for i := range list {
		nest += list[i].opens()
		if nest >= 0 {
			continue
		}
		f.parts = append(f.parts, list[from:i])
		from, nest = i+1, 0
		if len(f.parts) == n {
			f.rest = list[i:]
			if f.loops {
				f.rest = list[from:]
			}
			f.tabled, f.labelled, f.last = make([]bool, n), make([]bool, n), make([]int, n)
			return f
		}
	}
	return nil
}

// findJumps notes the jumps; it reports false when there are branches that the
// compiler does not make.
func (f *function) findJumps() bool {
	n := len(f.parts)
	for p, list := range f.parts {
		nest := 0
		for i := range list {
			in := &list[i]
			nest += in.opens()
			loop := int64(nest + n - 1 - p)
			switch {
			case in.op == opBrTable:
				return false
			case in.op != opBr && in.op != opBrIf || in.arg < int64(nest):
			case f.loops && in.is(opBr, loop):
				if i < 2 || list[i-2].op != opI32Const || !list[i-1].is(opLocalSet, localPC) {
					return false
				}
				j := jump{from: p, target: f.part(list[i-2].arg), n: 3}
				first := i - 2
				if i >= 3 && i+1 < len(list) && list[i-3].is(opIf, noResultType) && list[i+1].op == opEnd {
					first, j.n, j.conditional = first-1, 5, true
				}
				f.jumps[&list[first]] = j
				f.all = append(f.all, j)
			case f.loops && f.unwinds && in.arg == loop+1, !f.loops && f.unwinds && in.arg == loop:
			default:
				return false
			}
		}
	}
	return true
}

// part is the part that the br_table goes to for a value of PC_B.
func (f *function) part(pc int64) int { return f.pcs[min(int(pc), len(f.pcs)-1)] }

// call is how every call begins: room for the return address, which follows.
var call = []instruction{
	{op: opLocalGet, arg: localSP}, {op: opI32Const, arg: 8}, {op: opI32Sub},
	{op: opLocalTee, arg: localSP}, {op: opGlobalSet}, {op: opLocalGet, arg: localSP},
}

// findResumes marks the parts that the runtime enters: those at the return
// addresses of calls, whose low 16 bits are PC_B, and those that begin with a
// call, because after a recover the runtime goes to the call of deferreturn.
// Calls in an if do not return (nil dereference) or come back to the first part
// (morestack), as do those before "unreachable".
func (f *function) findResumes() {
	for p, list := range f.parts {
		if match(list, call...) {
			f.tabled[p] = true
		}
		nest := 0
		for i := range list {
			nest += list[i].opens()
			if nest == 0 && match(list[i:], call...) && i+len(call) < len(list) && list[i+len(call)].op == opI64Const {
				q := f.part(list[i+len(call)].arg & 0xffff)
				f.tabled[q] = f.tabled[q] || len(f.parts[q]) == 0 || f.parts[q][0].op != opUnreachable
			}
		}
	}
}

// findLoops decides which jumps back get a loop of their own: the smallest
// first, as the loops within one must be known.
func (f *function) findLoops() {
	for p := range f.last {
		f.last[p] = -1
	}
	end := make([]int, len(f.parts)) // of the loop that would begin with a part
	for _, j := range f.all {
		if j.target <= j.from {
			end[j.target] = max(end[j.target], j.from+1)
		}
	}
	for n := 1; n <= len(f.parts); n++ {
		for first, e := range end {
			if e-first != n || e == 0 {
				continue
			}
			if f.isLoop(first, e-1) {
				f.last[first] = e - 1
			} else {
				f.tabled[first], f.back = true, true
			}
		}
	}
}

// isLoop reports whether parts first to last can be a loop: nothing enters it
// but at its beginning. So of two loops one lies within the other, if they meet.
func (f *function) isLoop(first, last int) bool {
	for p := first + 1; p <= last; p++ {
		if f.tabled[p] {
			return false
		}
	}
	for _, j := range f.all {
		if j.target > first && j.target <= last && (j.from < first || j.from > last) {
			return false
		}
	}
	for p, l := range f.last[:first] {
		if l >= first && l < last && p < first {
			return false
		}
	}
	return true
}

// label marks the parts that need a label.
func (f *function) label() {
	for _, j := range f.all {
		f.labelled[j.target] = f.labelled[j.target] || j.target > j.from
	}
	for p := range f.tabled {
		f.labelled[p] = f.labelled[p] || f.tabled[p]
		if p > 0 && f.tabled[p] {
			f.tabled[0], f.labelled[0] = true, true
		}
	}
}
