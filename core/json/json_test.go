package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"casplay/core/json"
	"casplay/core/machine"
	"casplay/core/play"
	"casplay/core/result"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var texts = []string{
	`{}`, `[]`, `null`, `true`, ` false `, `0`, `-0`, `1.5e-7`, `1E+2`, `"a\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\"`, `"\ud800x"`, `"\ud800\ud800"`,
	"\"\xff\xc0é\"", `[1,[2,{"a":[]}],"x"]`, `{"a":1,"b":{"c":null}}`, "\n{\"k\" :\t[ ] , \"l\":{ }}\r",
	``, ` `, `{`, `}`, `[1,]`, `[,1]`, `[1 2]`, `{"a":1,}`, `{"a" 1}`, `{a:1}`, `{"a":1 "b":2}`, `01`, `1.`, `.5`, `-`, `1e`, `+1`, `tru`, `nulll`, `"abc`, `"\x"`, `"\u12"`, `"\u00zz"`,
	"\"\n\"", `[1]x`, `{"a":1}{}`, `[[[[]]]`, "\ufeff1", `"` + "\u2028<&>" + `"`,
}

// TestSameAsEncodingJSON: what one accepts the other accepts, with the same value.
func TestSameAsEncodingJSON(t *testing.T) {
	for _, text := range texts {
		same(t, []byte(text))
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Fuzz(same)
}

func same(t *testing.T, data []byte) {
	n, repeated, err := json.Parse(data)
	valid := stdjson.Valid(data)
	if err != nil {
		require.Regexp(t, `^line \d+, column \d+: `, err.Error())
		if strings.Contains(err.Error(), "nested more") || strings.Contains(err.Error(), "keys") {
			return
		}
		require.False(t, valid, "%q: %v", data, err)
		return
	}
	require.True(t, valid, "%q", data)
	out := n.Append(nil)
	require.True(t, stdjson.Valid(out), "%q", out)
	if len(repeated) > 0 {
		return
	}
	assert.Equal(t, decode(t, data), decode(t, out))
	assert.Equal(t, decode(t, data), plain(n.Any()))
	var indented bytes.Buffer
	require.NoError(t, stdjson.Indent(&indented, bytes.TrimSpace(data), "", "  "))
	assert.Equal(t, indented.String(), string(json.Indent(data, "  ")))
}

func decode(t *testing.T, data []byte) any {
	d := stdjson.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return v
}

// plain replaces our Number by that of encoding/json.
func plain(v any) any {
	switch x := v.(type) {
	case json.Number:
		return stdjson.Number(x)
	case []any:
		for i := range x {
			x[i] = plain(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = plain(x[k])
		}
	}
	return v
}

type inner struct {
	X int  `json:"x"`
	Y bool `json:"y,omitempty"`
}

func (x *inner) Members(c *json.Coder) {
	c.Field("x", &x.X)
	c.Omit("y", &x.Y)
}

type everything struct {
	inner
	A    int32           `json:"a"`
	B    uint64          `json:"b"`
	C    float64         `json:"c"`
	D    string          `json:"d"`
	E    *float64        `json:"e,omitempty"`
	F    []inner         `json:"f"`
	G    [][2]int64      `json:"g"`
	H    map[string]any  `json:"h"`
	I    int             `json:"i"`
	J    []string        `json:"j,omitempty"`
	K    json.RawMessage `json:"k"`
	L    *inner          `json:"l"`
	Skip int             `json:"-"`
	Bare bool
	M    result.Metrics `json:"m"`
	N    int64          `json:"n,omitempty"`
	O    []int32        `json:"o"`
	P    []uint64       `json:"p"`
	Q    [][][]int      `json:"q"`
	R    [][]int        `json:"r,omitempty"`
	S    []inner        `json:"s,omitempty"`
	T    *inner         `json:"t,omitempty"`
	U    *float64       `json:"u"`
	W    float64        `json:"w,omitempty"`
	XX   string         `json:"xx,omitempty"`
	YY   uint64         `json:"yy,omitempty"`
}

func (x *everything) Members(c *json.Coder) {
	x.inner.Members(c)
	c.Field("a", &x.A)
	c.Field("b", &x.B)
	c.Field("c", &x.C)
	c.Field("d", &x.D)
	c.Omit("e", &x.E)
	c.Field("f", json.Items{Len: len(x.F), Nil: x.F == nil, At: func(i int) json.Record { return &x.F[i] }, Make: func() { x.F = []inner{} }, Grow: func() json.Record {
		x.F = append(x.F, inner{})
		return &x.F[len(x.F)-1]
	}})
	c.Field("g", &x.G)
	c.Field("h", &x.H)
	c.Field("i", &x.I)
	c.Omit("j", &x.J)
	c.Field("k", &x.K)
	if x.L == nil {
		c.Field("l", nil)
	} else {
		c.Field("l", x.L)
	}
	c.Field("Bare", &x.Bare)
	c.Field("m", &x.M)
	c.Omit("n", &x.N)
	c.Field("o", &x.O)
	c.Field("p", &x.P)
	c.Field("q", &x.Q)
	c.Omit("r", &x.R)
	c.Omit("s", json.Items{Len: len(x.S), Nil: x.S == nil, At: func(i int) json.Record { return &x.S[i] }})
	if x.T == nil {
		c.Omit("t", nil)
	} else {
		c.Field("t", x.T)
	}
	c.Field("u", &x.U)
	c.Omit("w", &x.W)
	c.Omit("xx", &x.XX)
	c.Omit("yy", &x.YY)
}

func random(r *rand.Rand) everything {
	floats := []float64{0, 1, -1.5, 1e21, 1e20, 1e-6, 9.9e-7, 1e-9, 123456789.123, math.MaxFloat64, math.SmallestNonzeroFloat64, r.NormFloat64()}
	pick := func() float64 { return floats[r.IntN(len(floats))] }
	e := everything{A: int32(r.Int()), B: r.Uint64(), C: pick(), D: "a<b>&\u2028\x01\n\"é😀", H: map[string]any{}, K: json.RawMessage(`{"z":[1,2]}`), Bare: r.IntN(2) == 0}
	e.X = r.IntN(9) - 4
	if r.IntN(2) == 0 {
		f := pick()
		e.E, e.L, e.F, e.J = &f, &inner{Y: true}, []inner{{1, true}, {2, false}}, []string{"x", ""}
		e.H, e.I = map[string]any{"b": 1, "a": int64(2), "": []any{1.5, "x", nil, map[string]any{"q": true}}}, -3
		e.G, e.O, e.P, e.Q, e.R = [][2]int64{{1, -1}}, []int32{-1, 5}, []uint64{1 << 63}, [][][]int{{{1}, nil}, {}, nil}, [][]int{{10, 21}, nil}
		e.N, e.S, e.T, e.U, e.W, e.XX, e.YY = 1, []inner{{}}, &inner{X: 1}, &f, f, "x", 1
		e.M = result.Metrics{{Name: "runtime_s", Summary: result.Summarize([]float64{1, 2, 3})}}
	} else {
		e.F = []inner{}
	}
	return e
}

func TestMarshalWritesTheSameBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		e := random(r)
		want, err := stdjson.Marshal(&e)
		require.NoError(t, err)
		got, err := json.Marshal(&e)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		want, err = stdjson.MarshalIndent(&e, "", "\t")
		require.NoError(t, err)
		got, err = json.MarshalIndent(&e, "\t")
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}

func TestMarshalRefuses(t *testing.T) {
	for _, v := range []any{math.NaN(), math.Inf(1), []byte("x"), float32(1), make(chan int), map[int]int{1: 2}, []any{func() {}}, map[string]any(nil), inner{}} {
		_, err := json.Marshal(v)
		assert.Error(t, err)
	}
}

func TestUnmarshalReadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		e := random(r)
		e.M, e.H, e.P, e.Q, e.R, e.U, e.E, e.L, e.T, e.S = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil // these are only written
		text, err := stdjson.MarshalIndent(&e, "", " ")
		require.NoError(t, err)
		text = bytes.Replace(text, []byte(`"m": {}`), []byte(`"m": null`), 1)
		var want, got everything
		require.NoError(t, stdjson.Unmarshal(text, &want))
		require.NoError(t, json.Unmarshal(text, &got))
		require.Equal(t, want, got)
	}
	run := result.Run{Seed: 1 << 60, Series: []result.Series{{Kind: "llc_util", V: []int32{-1, 2, 1 << 30}}}, Processes: []result.Process{{Preferred: [][2]int64{{1, -1}, {2, 3}}}}}
	text, err := json.Marshal(&run)
	require.NoError(t, err)
	var back result.Run
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, run, back)
}

func TestUnmarshalRefuses(t *testing.T) {
	for _, text := range []string{`{"a":2147483648}`, `{"a":1.5}`, `{"a":"1"}`, `{"b":-1}`, `{"d":1}`, `{"f":{}}`, `{"f":[1]}`, `{"Bare":1}`, `{"c":1e999}`, `[]`, `{"a":1`, `{}{}`, ``, `{"s":{}}`, `{"t":1}`, `{"o":[1.5]}`, `{"g":[[1,"x"]]}`} {
		var e everything
		assert.Error(t, json.Unmarshal([]byte(text), &e), text)
	}
	var e everything
	assert.NoError(t, json.Unmarshal([]byte(`{"a":null,"unknown":[{"x":[1]}],"A":5}`), &e))
	assert.Zero(t, e.A, "keys match exactly")
	assert.Error(t, json.Unmarshal([]byte(`{}`), e), "not a pointer")
}

func TestBounds(t *testing.T) {
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	_, _, err := json.Parse([]byte(deep))
	assert.ErrorContains(t, err, "nested more than 64 deep")
	var v everything
	assert.Error(t, json.Unmarshal([]byte(strings.Repeat(`{"zz":`, 1e5)), &v))
	var b strings.Builder
	for i := range 300 {
		b.WriteString(`,"` + strings.Repeat("k", i+1) + `":1`)
	}
	_, _, err = json.Parse([]byte("{" + b.String()[1:] + "}"))
	assert.ErrorContains(t, err, "more than 256 keys")
}

func TestRepeatedKeys(t *testing.T) {
	n, repeated, err := json.Parse([]byte(`{"a":{"b":1,"b":2},"a":3,"l":[{"x":1,"x":1}]}`))
	require.NoError(t, err)
	assert.Equal(t, []json.Repeated{"a.b", "a", "l.0.x"}, repeated)
	assert.Equal(t, "1", n.Get("a").Get("b").Text)
	assert.Nil(t, n.Get("a").Get("b").Get("c"))
	assert.Nil(t, (*json.Node)(nil).Get("a"))
}

func TestErrorsNameThePlace(t *testing.T) {
	_, _, err := json.Parse([]byte("{\n \"a\": 1,\n \"b\" 2}"))
	assert.EqualError(t, err, "line 3, column 6: '2' where : is needed")
	_, _, err = json.Parse([]byte(`{"a":`))
	assert.EqualError(t, err, "line 1, column 6: the text ends where a value is needed")
}

// TestEveryKindOfResultIsWritten guards types that only one side can write.
func TestEveryKindOfResultIsWritten(t *testing.T) {
	r := result.Summarise(result.Plan{Engine: "e", Scenario: []byte(`{"v":1}`), Arms: []result.PlanArm{{Label: "off"}, {Label: "on"}}}, nil)
	want, err := stdjson.Marshal(r)
	require.NoError(t, err)
	got, err := json.Marshal(r)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
	assert.Equal(t, reflect.TypeFor[json.RawMessage]().Kind(), reflect.Slice)
}

// fill gives every field of a value something to write.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(r, v.Field(i))
			}
		}
	case reflect.Pointer:
		if r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem())
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"v":1}`))
			return
		}
		n := r.IntN(4) - 1 // nil, empty, some
		if n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.String:
		v.SetString([]string{"", "x", "<\n>"}[r.IntN(3)])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Float64:
		v.SetFloat([]float64{0, 1.5, -1e-9}[r.IntN(3)])
	case reflect.Uint64:
		v.SetUint(uint64(r.IntN(3)))
	default:
		v.SetInt(int64(r.IntN(3) - 1))
	}
}

// TestGeneratedMembers: the types of the program give the bytes that
// encoding/json gives, and runs read back.
func TestGeneratedMembers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		for _, v := range []json.Record{&result.Run{}, &result.Result{}, &result.Verdict{}, &machine.Spec{}, &play.Preset{}} {
			fill(r, reflect.ValueOf(v).Elem())
			want, err := stdjson.Marshal(v)
			require.NoError(t, err)
			got, err := json.Marshal(v)
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
			if _, isRun := v.(*result.Run); isRun {
				var stdRun, run result.Run
				require.NoError(t, stdjson.Unmarshal(want, &stdRun))
				require.NoError(t, json.Unmarshal(want, &run))
				require.Equal(t, stdRun, run)
			}
		}
	}
}
