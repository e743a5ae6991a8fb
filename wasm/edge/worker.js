// The Worker's entry: boots the Go program in the first request (there are no
// random numbers before) and keeps it for the isolate. All of it is
// synchronous: no request waits for a promise of another.
import './wasm_exec.js';
import program from './edge.wasm';

let go;

function boot() {
  go = new globalThis.Go();
  go.run(new WebAssembly.Instance(program, go.importObject));
}

export default {
  fetch(request, env) {
    if (!go || go.exited) boot();
    return new Promise((resolve) => globalThis.casplayEdge(request, env, resolve));
  },
};
