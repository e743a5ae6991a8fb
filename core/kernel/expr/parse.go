package expr

import (
	"strconv"
	"strings"
)

// Error is what is wrong with an expression.
type Error struct {
	// Pos counts characters from 1.
	Pos     int
	Problem string
}

func (e *Error) Error() string { return "at character " + strconv.Itoa(e.Pos) + ": " + e.Problem }

// parser goes over the text once, writing code and canonical text as it goes.
type parser struct {
	env   *Env
	src   string
	pos   int    // behind the token
	start int    // of the token
	tok   string // "" at the end
	code  []instr
	text  []byte
	depth int
	stack int // values that wait, here
	err   *Error
}

// Compile checks and compiles an expression. The error is an *Error.
func Compile(text string, env *Env) (*Program, error) {
	if len(text) > MaxLen {
		return nil, &Error{MaxLen + 1, "an expression has at most " + strconv.Itoa(MaxLen) + " characters, this one " + strconv.Itoa(len(text)) + "; shorten it"}
	}
	p := parser{env: env, src: text}
	p.next()
	t := p.cond()
	if p.tok != "" {
		p.fail(p.start, strconv.QuoteToASCII(p.tok)+" is one too many: an operator or a closing parenthesis may be missing before it")
	}
	if t != env.Want {
		p.fail(0, "the rule wants "+env.Want.String()+", this is "+t.String()+want(env))
	}
	if len(p.text) > MaxLen {
		p.fail(MaxLen, "with a space on both sides of each operator it has "+strconv.Itoa(len(p.text))+" characters, of at most "+strconv.Itoa(MaxLen)+"; shorten it")
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Program{string(p.text), p.code}, nil
}

// want adds how a value of the wanted type is written.
func want(env *Env) string {
	switch env.Want {
	case Bool:
		return "; compare it with something"
	case Verdict:
		return "; use " + strings.Join(env.Words, ", ")
	}
	return ""
}

// fail keeps the first error.
func (p *parser) fail(at int, problem string) {
	if p.err == nil {
		p.err = &Error{at + 1, problem}
	}
	p.tok = "" // ends every loop
	p.pos = len(p.src)
}

func isLetter(c byte) bool { return c|32 >= 'a' && c|32 <= 'z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// next reads a token.
func (p *parser) next() {
	for p.pos < len(p.src) && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t' || p.src[p.pos] == '\n') {
		p.pos++
	}
	p.start = p.pos
	if p.pos == len(p.src) {
		p.tok = ""
		return
	}
	c := p.src[p.pos]
	p.pos++
	switch {
	case isLetter(c) || isDigit(c):
		for p.pos < len(p.src) && (isLetter(p.src[p.pos]) || isDigit(p.src[p.pos])) {
			p.pos++
		}
	case strings.IndexByte("<>=!&|", c) >= 0:
		if p.pos < len(p.src) {
			if d := p.src[p.pos]; d == '=' && strings.IndexByte("<>=!", c) >= 0 || d == c && (c == '&' || c == '|') {
				p.pos++
			}
		}
	}
	p.tok = p.src[p.start:p.pos]
}

// take writes the present token, with spaces around it or not, and reads the next.
func (p *parser) take(space bool) {
	if space {
		p.text = append(append(append(p.text, ' '), p.tok...), ' ')
	} else {
		p.text = append(p.text, p.tok...)
	}
	p.next()
}

// expect takes a token that has to come.
func (p *parser) expect(tok string, space bool) {
	if p.tok == tok {
		p.take(space)
		return
	}
	p.fail(p.start, "expected "+strconv.Quote(tok)+p.found())
}

func (p *parser) found() string {
	if p.tok == "" {
		return ", found the end"
	}
	return ", found " + strconv.QuoteToASCII(p.tok)
}

// emit adds an instruction and returns its place.
func (p *parser) emit(o op, arg int64) int {
	if len(p.code) >= MaxNodes {
		p.fail(p.start, "an expression has at most "+strconv.Itoa(MaxNodes)+" operators, names and numbers; shorten it")
	}
	switch {
	case o <= opVar:
		p.stack++
	case o >= opAdd && o <= opFits, o >= opElse:
		p.stack--
	}
	if p.stack > maxStack {
		p.fail(p.start, "more than "+strconv.Itoa(maxStack)+" values wait for their operators; use fewer parentheses")
	}
	p.code = append(p.code, instr{op: o, arg: arg})
	return len(p.code) - 1
}

// land lets the jump at a place go to the end of the code.
func (p *parser) land(at int) { p.code[at].arg = int64(len(p.code) - at - 1) }

// enter bounds nesting.
func (p *parser) enter() bool {
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.start, "nesting is deeper than "+strconv.Itoa(MaxDepth)+"; use fewer parentheses, signs and ?:")
		return false
	}
	return true
}

// must checks the type of an operand that begins at a place.
func (p *parser) must(at int, got, need Type, who string) {
	if got != need {
		p.fail(at, who+" takes "+need.String()+", this is "+got.String())
	}
}

// cond reads a ? b : c and everything tighter.
func (p *parser) cond() Type {
	defer func() { p.depth-- }()
	if !p.enter() {
		return Int
	}
	at := p.start
	t := p.binary(0)
	if p.tok != "?" {
		return t
	}
	p.must(at, t, Bool, `"?"`)
	p.take(true)
	test := p.emit(opElse, 0)
	yes := p.cond()
	p.expect(":", true)
	over := p.emit(opJump, 0)
	p.land(test)
	p.stack-- // only one side is computed
	at = p.start
	no := p.cond()
	p.land(over)
	if yes != no {
		p.fail(at, "both sides of ?: must be of one type, this is "+no.String()+" and the other "+yes.String())
	}
	return yes
}

// operator describes a binary operator; level 0 binds loosest.
type operator struct {
	tok   string
	level int
	op    op
	in    Type
	out   Type
}

// operators by level; == and != also take two of any other type.
var operators = [...]operator{
	{"||", 0, opAndOr, Bool, Bool}, {"&&", 1, opAndOr, Bool, Bool},
	{"==", 2, opEQ, Int, Bool}, {"!=", 2, opNE, Int, Bool},
	{"<", 3, opLT, Int, Bool}, {"<=", 3, opLE, Int, Bool}, {">", 3, opGT, Int, Bool}, {">=", 3, opGE, Int, Bool},
	{"+", 4, opAdd, Int, Int}, {"-", 4, opSub, Int, Int},
	{"*", 5, opMul, Int, Int}, {"/", 5, opDiv, Int, Int}, {"%", 5, opMod, Int, Int},
}

// levels is one more than the tightest level.
const levels = 6

func (p *parser) operator(level int) *operator {
	for i := range operators {
		if o := &operators[i]; o.tok == p.tok && o.level == level {
			return o
		}
	}
	return nil
}

// binary reads operators of a level and tighter ones.
func (p *parser) binary(level int) Type {
	if level == levels {
		return p.unary()
	}
	at := p.start
	t := p.binary(level + 1)
	for o := p.operator(level); o != nil; o = p.operator(level) {
		equality := o.op == opEQ || o.op == opNE
		if !equality {
			p.must(at, t, o.in, strconv.Quote(o.tok))
		}
		p.take(true)
		jump := 0
		if o.op == opAndOr {
			jump = p.emit(opAndOr, 0)
			p.code[jump].or = o.tok == "||"
		}
		right := p.start
		u := p.binary(level + 1)
		need := o.in
		if equality {
			need = t
		}
		p.must(right, u, need, strconv.Quote(o.tok))
		if o.op == opAndOr {
			p.land(jump)
		} else {
			p.emit(o.op, 0)
		}
		t = o.out
		if level == 3 && p.operator(level) != nil {
			p.fail(p.start, "comparisons do not chain: write a < b && b < c")
		}
	}
	return t
}

// unary reads ! and -, and what they apply to.
func (p *parser) unary() Type {
	o, need := opNeg, Int
	switch p.tok {
	case "!":
		o, need = opNot, Bool
	case "-":
	default:
		return p.primary()
	}
	defer func() { p.depth-- }()
	if !p.enter() {
		return Int
	}
	name := strconv.Quote(p.tok)
	p.take(false)
	at := p.start
	p.must(at, p.unary(), need, name)
	p.emit(o, 0)
	return need
}

// primary reads a number, a name, a call or parentheses.
func (p *parser) primary() Type {
	switch {
	case p.tok == "(":
		p.take(false)
		t := p.cond()
		p.expect(")", false)
		return t
	case p.tok == "":
		p.fail(p.start, "the expression ends where a value is missing")
	case isDigit(p.tok[0]):
		p.number()
	case isLetter(p.tok[0]):
		return p.name()
	default:
		p.fail(p.start, "expected a number, a name or a parenthesis, found "+strconv.QuoteToASCII(p.tok))
	}
	return Int
}

// number reads a number and its unit.
func (p *parser) number() {
	digits, shift := p.tok, 0
	for i, unit := range [...]string{"KiB", "MiB", "GiB"} {
		if n, ok := strings.CutSuffix(p.tok, unit); ok {
			digits, shift = n, 10*(i+1)
		}
	}
	v, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil || v > most>>shift:
		p.fail(p.start, strconv.QuoteToASCII(p.tok)+" is not a whole number up to 2^63-1, with KiB, MiB or GiB behind it or nothing")
		return
	case p.pos < len(p.src) && p.src[p.pos] == '.':
		p.fail(p.pos, "there are no fractions: for 0.8*a > b write 8*a > 10*b")
		return
	}
	p.emit(opPush, v<<shift)
	p.take(false)
}

// functions by name: how many arguments, and what they compute.
var functions = [...]struct {
	name string
	args int
	op   op
	out  Type
}{{"min", 2, opMin, Int}, {"max", 2, opMax, Int}, {"abs", 1, opAbs, Int}, {"fits", 2, opFits, Bool}}

// name reads a variable, a word or a call.
func (p *parser) name() Type {
	for i := range p.env.Vars {
		if v := &p.env.Vars[i]; v.Name == p.tok {
			p.emit(opVar, int64(i))
			p.take(false)
			return v.Type
		}
	}
	for i, w := range p.env.Words {
		if w == p.tok {
			p.emit(opPush, int64(i))
			p.take(false)
			return Verdict
		}
	}
	if p.tok == "true" || p.tok == "false" {
		p.emit(opPush, truth(p.tok == "true"))
		p.take(false)
		return Bool
	}
	for _, f := range functions {
		if f.name != p.tok {
			continue
		}
		p.take(false)
		p.expect("(", false)
		for i := range f.args {
			if i > 0 {
				if p.tok == "," {
					p.text = append(p.text, ", "...)
					p.next()
				} else {
					p.expect(",", false)
				}
			}
			at := p.start
			p.must(at, p.cond(), Int, f.name)
		}
		p.expect(")", false)
		p.emit(f.op, 0)
		return f.out
	}
	p.fail(p.start, "unknown name "+strconv.QuoteToASCII(p.tok)+"; this rule knows "+p.env.Names())
	return Int
}

// Uses reports whether a program of this Env reads a variable.
func (e *Env) Uses(p *Program, name string) bool {
	for _, in := range p.code {
		if in.op == opVar && e.Vars[in.arg].Name == name {
			return true
		}
	}
	return false
}

// Names lists the variables and words, with commas between.
func (e *Env) Names() string {
	var names []string
	for _, v := range e.Vars {
		names = append(names, v.Name)
	}
	return strings.Join(append(names, e.Words...), ", ")
}
