package expr

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var testEnv = Env{Vars: []Var{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "t", Type: Bool}}}

func with(want Type) *Env {
	e := testEnv
	e.Want = want
	if want == Verdict {
		e.Words = []string{"forbid", "move"}
	}
	return &e
}

func TestValues(t *testing.T) {
	const big = math.MaxInt64
	for _, c := range []struct {
		text string
		a, b int64
		want int64
	}{
		{"a + b*2", 1, 3, 7},
		{"(a + b)*2", 1, 3, 8},
		{"a - b - 1", 10, 3, 6},
		{"a/b", -7, 2, -3},
		{"a%b", -7, 2, -1},
		{"a/b", 5, 0, big},
		{"a/b", -5, 0, -big},
		{"a/b", 0, 0, 0},
		{"a%b", 5, 0, 0},
		{"a + b", big, 1, big},
		{"-a - b", big, 1, -big},
		{"a*b", 1 << 62, 4, big},
		{"a*b", -1 << 62, 4, -big},
		{"-a", math.MinInt64, 0, big},
		{"abs(a)", math.MinInt64, 0, big},
		{"min(a, b) + max(a, b)", 3, 9, 12},
		{"3KiB + 1MiB + 2GiB", 0, 0, 3<<10 + 1<<20 + 2<<30},
		{"a > 0 ? b : b > 1 ? 5 : 6", 0, 2, 5},
		{"a > 0 ? b > 1 ? 5 : 6 : 7", 1, 2, 5},
		{"--a", 4, 0, 4},
		{"a--b", 4, 1, 5},
	} {
		p, err := Compile(c.text, with(Int))
		require.NoError(t, err, c.text)
		assert.Equal(t, c.want, p.Run([]int64{c.a, c.b, 0, 0}).Value, "%s with %d, %d", c.text, c.a, c.b)
	}
	for text, want := range map[string]int64{
		"true || t && false": 1, "!t == false": 0, "!(a > 1) != t": 1, "fits(79, 100)": 1, "fits(80, 100)": 0, "1 < 2 == true": 1,
		"false && 1/0 > 0": 0, "true || 1/0 > 0": 1,
	} {
		p, err := Compile(text, with(Bool))
		require.NoError(t, err, text)
		assert.Equal(t, want, p.Run([]int64{1, 0, 0, 0}).Value, text)
	}
	p, err := Compile("a > 0 ? move : forbid", with(Verdict))
	require.NoError(t, err)
	assert.Equal(t, int64(1), p.Run([]int64{1, 0, 0, 0}).Value)
	assert.Equal(t, Result{1, 1, 0}, p.Run([]int64{1, 0, 0, 0}), "the sides of the last comparison")
}

func TestErrorsSayWhereAndWhat(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "at character 1: the expression ends where a value is missing",
		"a >":                             "at character 4: the expression ends where a value is missing",
		"a > foot":                        `at character 5: unknown name "foot"; this rule knows a, b, c, t`,
		"a + 1":                           "at character 1: the rule wants a truth value, this is a number; compare it with something",
		"a > 0 && b":                      `at character 10: "&&" takes a truth value, this is a number`,
		"t > 1":                           `at character 1: ">" takes a number, this is a truth value`,
		"a == t":                          `at character 6: "==" takes a number, this is a truth value`,
		"a < b < c":                       "at character 7: comparisons do not chain: write a < b && b < c",
		"a > 0.8":                         "at character 6: there are no fractions: for 0.8*a > b write 8*a > 10*b",
		"a > 9223372036854775808":         `at character 5: "9223372036854775808" is not a whole number up to 2^63-1, with KiB, MiB or GiB behind it or nothing`,
		"a > 9007199254740992KiB":         `at character 5: "9007199254740992KiB" is not a whole number up to 2^63-1, with KiB, MiB or GiB behind it or nothing`,
		"a > 0 ? t : 1":                   "at character 13: both sides of ?: must be of one type, this is a number and the other a truth value",
		"a ? t : t":                       `at character 1: "?" takes a truth value, this is a number`,
		"a > 0 ? t":                       `at character 10: expected ":", found the end`,
		"(a > 0":                          `at character 7: expected ")", found the end`,
		"a > 0)":                          `at character 6: ")" is one too many: an operator or a closing parenthesis may be missing before it`,
		"a > 0 b":                         `at character 7: "b" is one too many: an operator or a closing parenthesis may be missing before it`,
		"a = 0":                           `at character 3: "=" is one too many: an operator or a closing parenthesis may be missing before it`,
		"max(a) > 0":                      `at character 6: expected ",", found ")"`,
		"a > $":                           `at character 5: expected a number, a name or a parenthesis, found "$"`,
		"t\x00":                           `at character 2: "\x00" is one too many: an operator or a closing parenthesis may be missing before it`,
		strings.Repeat("(", 40) + "t":     "at character 25: nesting is deeper than 24; use fewer parentheses, signs and ?:",
		strings.Repeat("!", 40) + "t":     "at character 24: nesting is deeper than 24; use fewer parentheses, signs and ?:",
		"t" + strings.Repeat("||t", 100):  "at character 193: an expression has at most 128 operators, names and numbers; shorten it",
		"t" + strings.Repeat(" ", MaxLen): "at character 401: an expression has at most 400 characters, this one 401; shorten it",
	} {
		_, err := Compile(text, with(Bool))
		assert.EqualError(t, err, want, text)
	}
	_, err := Compile("1", with(Verdict))
	assert.EqualError(t, err, "at character 1: the rule wants a verdict, this is a number; use forbid, move")
}

// node is a tree that the twin walks with numbers of any size.
type node struct {
	op   string
	kids []*node
	v    int64
}

// tree makes a random tree of a type.
func tree(r *rand.Rand, want Type, depth int) *node {
	pick := func(ops ...string) string { return ops[r.IntN(len(ops))] }
	if depth == 0 || r.IntN(6) == 0 {
		if want == Bool {
			return &node{op: pick("t", "true", "false")}
		}
		if r.IntN(2) == 0 {
			return &node{op: pick("a", "b", "c")}
		}
		return &node{op: "#", v: []int64{0, 1, 2, 7, 1 << 40, math.MaxInt64}[r.IntN(6)]}
	}
	kid := func(want Type) *node { return tree(r, want, depth-1) }
	if r.IntN(6) == 0 {
		return &node{op: "?", kids: []*node{kid(Bool), kid(want), kid(want)}}
	}
	if want == Bool {
		switch r.IntN(4) {
		case 0:
			return &node{op: "!", kids: []*node{kid(Bool)}}
		case 1:
			return &node{op: pick("&&", "||", "==t", "!=t"), kids: []*node{kid(Bool), kid(Bool)}}
		}
		return &node{op: pick("<", "<=", ">", ">=", "==", "!=", "fits"), kids: []*node{kid(Int), kid(Int)}}
	}
	switch r.IntN(5) {
	case 0:
		return &node{op: pick("neg", "abs"), kids: []*node{kid(Int)}}
	case 1:
		return &node{op: pick("min", "max"), kids: []*node{kid(Int), kid(Int)}}
	}
	return &node{op: pick("+", "-", "*", "/", "%"), kids: []*node{kid(Int), kid(Int)}}
}

func strength(op string) int {
	switch op {
	case "?":
		return 0
	case "||":
		return 1
	case "&&":
		return 2
	case "==", "!=", "==t", "!=t":
		return 3
	case "<", "<=", ">", ">=":
		return 4
	case "+", "-":
		return 5
	case "*", "/", "%":
		return 6
	case "neg", "!":
		return 7
	}
	return 8
}

// text writes a tree with no more parentheses than it needs.
func (n *node) text() string {
	in := func(k *node, least int) string {
		if strength(k.op) < least {
			return "(" + k.text() + ")"
		}
		return k.text()
	}
	s := strength(n.op)
	switch {
	case n.op == "#":
		return strconv.FormatInt(n.v, 10)
	case n.op == "?":
		return in(n.kids[0], 1) + " ? " + n.kids[1].text() + " : " + n.kids[2].text()
	case n.op == "neg":
		return "-" + in(n.kids[0], 7)
	case n.op == "!":
		return "!" + in(n.kids[0], 7)
	case s == 8 && len(n.kids) == 0:
		return n.op
	case s == 8 && len(n.kids) == 1:
		return n.op + "(" + n.kids[0].text() + ")"
	case s == 8:
		return n.op + "(" + n.kids[0].text() + ", " + n.kids[1].text() + ")"
	}
	left := s
	if s == 4 {
		left = 5
	}
	return in(n.kids[0], left) + " " + strings.TrimSuffix(n.op, "t") + " " + in(n.kids[1], s+1)
}

var limit = big.NewInt(math.MaxInt64)

func clamp(v *big.Int) *big.Int {
	if v.CmpAbs(limit) > 0 {
		return new(big.Int).Mul(limit, big.NewInt(int64(v.Sign())))
	}
	return v
}

// eval is the twin; truth values are 0 and 1.
func (n *node) eval(vars map[string]int64) *big.Int {
	b := func(v bool) *big.Int { return big.NewInt(truth(v)) }
	switch n.op {
	case "#":
		return big.NewInt(n.v)
	case "true", "false":
		return b(n.op == "true")
	case "a", "b", "c", "t":
		return clamp(big.NewInt(vars[n.op]))
	}
	x := n.kids[0].eval(vars)
	switch n.op {
	case "?":
		if x.Sign() != 0 {
			return n.kids[1].eval(vars)
		}
		return n.kids[2].eval(vars)
	case "neg":
		return new(big.Int).Neg(x)
	case "abs":
		return new(big.Int).Abs(x)
	case "!":
		return b(x.Sign() == 0)
	}
	y := n.kids[1].eval(vars)
	c := x.Cmp(y)
	switch n.op {
	case "+":
		return clamp(new(big.Int).Add(x, y))
	case "-":
		return clamp(new(big.Int).Sub(x, y))
	case "*":
		return clamp(new(big.Int).Mul(x, y))
	case "/":
		if y.Sign() == 0 {
			return new(big.Int).Mul(limit, big.NewInt(int64(x.Sign())))
		}
		return new(big.Int).Quo(x, y)
	case "%":
		if y.Sign() == 0 {
			return new(big.Int)
		}
		return new(big.Int).Rem(x, y)
	case "min", "max":
		if (c < 0) == (n.op == "min") {
			return x
		}
		return y
	case "<":
		return b(c < 0)
	case "<=":
		return b(c <= 0)
	case ">":
		return b(c > 0)
	case ">=":
		return b(c >= 0)
	case "==", "==t":
		return b(c == 0)
	case "!=", "!=t":
		return b(c != 0)
	case "&&":
		return b(x.Sign() != 0 && y.Sign() != 0)
	case "||":
		return b(x.Sign() != 0 || y.Sign() != 0)
	}
	return b(clamp(new(big.Int).Mul(big.NewInt(1280), x)).Cmp(clamp(new(big.Int).Mul(big.NewInt(1024), y))) < 0)
}

// TestTwin compares programs with a walk over the tree that they were written from.
func TestTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compiled := 0
	for range 20000 {
		want := Type(r.IntN(2))
		n := tree(r, want, 1+r.IntN(5))
		text := n.text()
		p, err := Compile(text, with(want))
		if err != nil {
			require.Regexp(t, "has at most|nesting is deeper|values wait", err.Error(), text)
			continue
		}
		compiled++
		for range 4 {
			var vars [4]int64
			for i := range vars[:3] {
				vars[i] = []int64{0, 1, -1, 5, math.MaxInt64, math.MinInt64, r.Int64() - r.Int64(), r.Int64N(1000)}[r.IntN(8)]
			}
			vars[3] = r.Int64N(2)
			want := n.eval(map[string]int64{"a": vars[0], "b": vars[1], "c": vars[2], "t": vars[3]})
			require.Equal(t, want.Int64(), p.Run(vars[:]).Value, "%s with %v", text, vars)
		}
	}
	assert.Greater(t, compiled, 15000)
}

func TestRunDoesNotAllocate(t *testing.T) {
	p, err := Compile("a > 0 ? a > b*c : b > max(b, c)", with(Bool))
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(100, func() { p.Run([]int64{1, 2, 3, 0}) }))
}

// FuzzCompile: nothing crashes, what compiles runs, and its canonical text
// compiles to the same.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{"a > 0 ? a > b*c : b > c", "!(t && a<=-3)||fits(a,b)", "((((1", "a?b:c", "min(a,max(b,2KiB))!=abs(-c)", "\xff", "1==2==t"} {
		f.Add(s, int64(1), int64(-5))
	}
	f.Fuzz(func(t *testing.T, text string, a, b int64) {
		p, err := Compile(text, with(Bool))
		if err != nil {
			at := err.(*Error).Pos
			require.True(t, at >= 1 && at <= max(len(text), MaxLen)+1, "%q: position %d", text, at)
			return
		}
		v := p.Run([]int64{a, b, 3, 1})
		require.Contains(t, []int64{0, 1}, v.Value, text)
		for _, again := range []string{p.Text, strings.ReplaceAll(p.Text, " ", "")} {
			q, err := Compile(again, with(Bool))
			require.NoError(t, err, again)
			require.Equal(t, p.Text, q.Text)
			require.Equal(t, v, q.Run([]int64{a, b, 3, 1}))
		}
	})
}
