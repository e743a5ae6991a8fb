// Command tighten makes a WebAssembly file of the Go compiler smaller and
// faster without changing what it does.
//
// Usage: tighten FILE, which is replaced.
//
// Go gives every function one loop around all of its basic blocks. A jump
// writes the number of a block into a local (PC_B) and branches to the loop,
// whose br_table goes on to the block: engines cannot see through that, so each
// jump is an indirect one and a merge of all values. See rewrite for what
// becomes of it. Go's linker cuts data wherever there are a few zeros and adds the lines
// of every address: see rewriteData.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: tighten FILE")
		os.Exit(2)
	}
	if err := replace(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "tighten: "+os.Args[1]+":", err)
		os.Exit(1)
	}
}

func replace(name string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	out, err := rewriteModule(old)
	if err != nil {
		return err
	}
	return os.WriteFile(name, out, 0o666)
}
