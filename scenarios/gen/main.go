// Command gen writes files_js.go, the table of the shipped files for the
// WebAssembly build. It runs in the scenarios folder (go generate ./scenarios).
package main

import (
	"fmt"
	"os"

	"casplay/scenarios/gen/table"
)

func main() {
	text, err := table.Source(".")
	if err == nil {
		err = os.WriteFile("files_js.go", text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
