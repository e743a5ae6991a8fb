// Command gen writes members.go, the Members methods of the structs that have
// json tags, in every package that has such structs. It runs in core/json
// (go generate ./core/json).
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"casplay/core/json/gen/members"
)

func main() {
	for _, dir := range members.Packages {
		dir = filepath.Join("..", "..", dir)
		text, err := members.Source(dir)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, members.File), text, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "gen:", err)
			os.Exit(1)
		}
	}
}
