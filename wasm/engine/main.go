//go:build js && wasm

// Command engine is the simulator in a Web Worker. It puts an object casplay
// into the worker's global scope whose functions take and return JSON texts:
// {"ok":true,"value":...} or {"ok":false,"errors":[{"path","value","message"}]}.
// It is the only program that joins the core to JavaScript.
package main

import "syscall/js"

func main() {
	api := js.Global().Get("Object").New()
	for name, fn := range map[string]func([]js.Value) []byte{
		"facts":         facts,
		"open":          open,
		"set":           set,
		"link":          link,
		"run":           run,
		"summarise":     summarise,
		"report":        mail,
		"csv":           csv,
		"summaryCSV":    summaryCSV,
		"json":          resultJSON,
		"indented":      indented,
		"reasons":       reasons,
		"difference":    difference,
		"importMachine": importMachine,
		"importRtapp":   importRtapp,
		"trace":         chromeTrace,
	} {
		api.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return string(fn(args)) }))
	}
	js.Global().Set("casplay", api)
	select {}
}

// text is argument i as a string, "" when it is missing or something else.
func text(args []js.Value, i int) string {
	if i >= len(args) || args[i].Type() != js.TypeString {
		return ""
	}
	return args[i].String()
}

// number is argument i as an integer, 0 when it is missing or something else.
func number(args []js.Value, i int) int {
	if i >= len(args) || args[i].Type() != js.TypeNumber {
		return 0
	}
	return args[i].Int()
}
