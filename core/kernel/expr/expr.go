// Package expr compiles the rules that a scenario gives as expressions, so that
// a reviewer's idea is tried without building anything.
//
//	footprint_bytes > 0 ? footprint_bytes > llc_bytes*scale : rss_bytes > llc_bytes*scale
//
// The language is that of C's expressions over documented variables, and total:
// every expression that compiles has a value for all values of its variables.
//
//   - Types are integer (64 bit, signed), truth value, and verdict (the words of
//     a policy). Nothing is converted; there is no fraction, as in the kernel: for
//     0.8*a > b write 8*a > 10*b.
//   - Arithmetic saturates at ±(2^63-1). Division truncates toward zero; x/0 is
//     the largest number with the sign of x, 0/0 and x%0 are 0.
//   - Operators, loosest first: ?:, ||, &&, == !=, < <= > >=, + -, * / %, ! and
//     unary -. The comparisons take one pair: a < b < c is refused.
//   - Functions: min(a, b), max(a, b), abs(a), and fits(x, c), the kernel's margin
//     of 20 % (1280*x < 1024*c).
//   - Numbers may end in KiB, MiB or GiB.
//
// A program is a flat list of instructions, bounded by MaxLen, MaxDepth and
// MaxNodes; it runs without allocating. The library github.com/expr-lang/expr
// does far more; it is not used because it (v1.17.8, with the packages it needs)
// takes a compressed program for the browser from 522,364 bytes to 1,552,580.
package expr

import "math"

// Bounds of an expression: bytes of its text, nesting, operators, names and
// numbers together, and values that wait for an operator.
const (
	MaxLen   = 400
	MaxDepth = 24
	MaxNodes = 128
	maxStack = 32
)

// Type is the type of a value.
type Type uint8

const (
	Int Type = iota
	Bool
	// Verdict is one of the words of an Env.
	Verdict
)

// String is the type in an error.
func (t Type) String() string { return [...]string{"a number", "a truth value", "a verdict"}[t] }

// Var documents a variable: its type, and its unit, range and source for people.
type Var struct {
	Name string
	Type Type
	Doc  string
}

// Env is what a rule offers: variables, by index, the words that a verdict can
// be, of values 0, 1 ..., and the type of the rule's value.
type Env struct {
	Vars  []Var
	Words []string
	Want  Type
}

// op is an operation of a program.
type op uint8

const (
	opPush  op = iota // a number
	opVar             // a variable
	opNeg             // unary
	opNot             //
	opAbs             //
	opAdd             // binary
	opSub             //
	opMul             //
	opDiv             //
	opMod             //
	opLT              //
	opLE              //
	opGT              //
	opGE              //
	opEQ              //
	opNE              //
	opMin             //
	opMax             //
	opFits            //
	opJump            // forward, over so many instructions
	opElse            // takes a truth value, jumps if it is false
	opAndOr           // && and ||: keeps a value that decides and jumps over the right side, else drops it
)

type instr struct {
	op  op
	or  bool
	arg int64
}

// Program is a compiled expression.
type Program struct {
	// Text is the expression with canonical spaces.
	Text string
	code []instr
}

// Result is a value, 0 or 1 for a truth value, and the sides of the comparison
// that was made last, both 0 if there was none.
type Result struct{ Value, Left, Right int64 }

const most = math.MaxInt64

// Run computes the value for the variables of the Env, in its order. Truth
// values are 0 and 1.
func (p *Program) Run(vars []int64) (r Result) {
	var stack [maxStack]int64
	n := 0
	for pc := 0; pc < len(p.code); pc++ {
		in := &p.code[pc]
		switch in.op {
		case opPush:
			stack[n] = in.arg
			n++
		case opVar:
			stack[n] = max(vars[in.arg], -most)
			n++
		case opNeg:
			stack[n-1] = -stack[n-1]
		case opNot:
			stack[n-1] ^= 1
		case opAbs:
			stack[n-1] = max(stack[n-1], -stack[n-1])
		case opJump:
			pc += int(in.arg)
		case opElse:
			n--
			if stack[n] == 0 {
				pc += int(in.arg)
			}
		case opAndOr:
			if (stack[n-1] != 0) == in.or {
				pc += int(in.arg)
			} else {
				n--
			}
		default:
			n--
			a, b := stack[n-1], stack[n]
			if in.op >= opLT && in.op <= opNE || in.op == opFits {
				r.Left, r.Right = a, b
			}
			stack[n-1] = binary(in.op, a, b)
		}
	}
	r.Value = stack[0]
	return r
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// binary computes a op b.
func binary(o op, a, b int64) int64 {
	switch o {
	case opAdd:
		return add(a, b)
	case opSub:
		return add(a, -b)
	case opMul:
		return mul(a, b)
	case opDiv:
		switch {
		case b != 0:
			return a / b
		case a > 0:
			return most
		case a < 0:
			return -most
		}
		return 0
	case opMod:
		if b == 0 {
			return 0
		}
		return a % b
	case opLT:
		return truth(a < b)
	case opLE:
		return truth(a <= b)
	case opGT:
		return truth(a > b)
	case opGE:
		return truth(a >= b)
	case opEQ:
		return truth(a == b)
	case opNE:
		return truth(a != b)
	case opMin:
		return min(a, b)
	case opMax:
		return max(a, b)
	}
	return truth(mul(1280, a) < mul(1024, b))
}

// add and mul saturate; neither side is -2^63.
func add(a, b int64) int64 {
	switch {
	case a > 0 && b > most-a:
		return most
	case a < 0 && b < -most-a:
		return -most
	}
	return a + b
}

func mul(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	limit := int64(most)
	c := a * b
	if c/b == a && c != math.MinInt64 {
		return c
	}
	if (a < 0) != (b < 0) {
		limit = -most
	}
	return limit
}
