package expr

import "testing"

// BenchmarkRun is what a gate costs as an expression.
func BenchmarkRun(b *testing.B) {
	p, err := Compile("a > 0 ? a > b*c : b > b*c", with(Bool))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p.Run([]int64{1, 2, 3, 0})
	}
}
