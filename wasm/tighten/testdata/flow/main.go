// Command flow goes through every kind of control flow that the compiler makes
// for WebAssembly, so that its output tells whether a rewritten file still runs alike.
package main

import (
	"errors"
	"runtime"
	"sort"
	"strconv"
)

type shape interface{ area(int) int }
type square struct{ side int }
type strip struct{ long int }

func (s square) area(n int) int { return s.side * s.side * n }
func (s *strip) area(n int) int { return s.long * n }

// nested has loops in loops, with breaks, continues and a goto.
func nested(n int) (sum int) {
outer:
	for i := range n {
		for j := i; ; j++ {
			switch {
			case j%7 == 3:
				continue outer
			case j > 2*n:
				break outer
			case j&1 == 0:
				continue
			}
			for k := j; k > 0; k /= 2 {
				sum += k & i
			}
		}
	}
	i := 0
again:
	if i < n {
		sum ^= i
		i += 3
		goto again
	}
	return sum
}

// irreducible jumps into the middle of a loop.
func irreducible(n int) int {
	sum := 0
	if n&1 == 1 {
		goto middle
	}
top:
	sum += n
middle:
	sum *= 3
	n--
	if n > 0 {
		goto top
	}
	return sum
}

// recovered panics in a loop of calls and goes on after each.
func recovered(n int, list []int) (text string) {
	for i := range n {
		func() {
			defer func() {
				if r := recover(); r != nil {
					if err, is := r.(error); is {
						text += err.Error() + ";"
					} else {
						text += r.(string) + ";"
					}
				}
			}()
			for k := range i {
				defer func() { text += strconv.Itoa(k) }()
			}
			switch i % 5 {
			case 0:
				text += strconv.Itoa(list[i])
			case 1:
				panic("thrown")
			case 2:
				var none *strip
				text += strconv.Itoa(none.area(1))
			case 3:
				panic(errors.New("wrapped"))
			default:
				text += strconv.Itoa(100 / (i - 4))
			}
		}()
	}
	return text
}

// deep grows the stack, where all calls below resume.
func deep(n int) int {
	var room [64]int
	room[n&63] = n
	if n == 0 {
		return 1
	}
	return deep(n-1) + room[n&63]
}

// talk switches between goroutines in loops with calls.
func talk(n int) int {
	to, from, done := make(chan int), make(chan int, 3), make(chan bool)
	for w := range 4 {
		go func() {
			for v := range to {
				if v%3 == w%3 {
					runtime.Gosched()
				}
				from <- v * (w + 1) / (w + 1)
			}
			done <- true
		}()
	}
	sum, sent, workers := 0, 0, 4
	next := to
	for workers > 0 {
		select {
		case next <- sent:
			if sent++; sent == n {
				close(to)
				next = nil
			}
		case v := <-from:
			sum += v
		case <-done:
			workers--
		}
	}
	for len(from) > 0 {
		sum += <-from
	}
	return sum
}

func main() {
	println(nested(40), nested(3), irreducible(6), irreducible(7))
	println(recovered(12, []int{7, 8, 9}))
	println(deep(5000), talk(300))
	sum := 0
	for i, s := range []shape{square{3}, &strip{5}, square{7}} {
		sum += s.area(i + 1)
	}
	words := map[string]int{}
	for i := range 500 {
		words[strconv.Itoa(i%37)] += i
		if i%100 == 0 {
			runtime.GC()
		}
	}
	var keys []string
	for k := range words {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		sum = sum*31 + words[k]
	}
	println(sum)
}
