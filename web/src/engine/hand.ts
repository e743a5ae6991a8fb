// One worker with its engine: it boots once, does one call at a time, and is
// thrown away when a call has to stop.

import type { Answer, Partial } from '../contract';
import type { FromEngine, Port } from './protocol';

export interface Call {
  method: string;
  args: unknown[];
  onPart?: ((part: Partial) => void) | undefined;
  resolve(answer: Answer<unknown>): void;
  reject(error: Error): void;
}

export type HandState = 'booting' | 'idle' | 'busy' | 'dead';

export class Hand {
  state: HandState = 'booting';
  private call: Call | null = null;
  private id = 0;

  /** changed is called when the hand becomes idle or dead. */
  constructor(
    private readonly port: Port,
    private readonly changed: (hand: Hand) => void,
  ) {
    port.listen((m) => this.hear(m));
  }

  /** Gives the hand its next call; only while idle. */
  take(call: Call): void {
    if (this.state !== 'idle') throw new Error(`a ${this.state} worker was given a call`);
    this.state = 'busy';
    this.call = call;
    this.port.postMessage({ type: 'call', id: ++this.id, method: call.method, args: call.args });
  }

  /** Ends the worker at once; its call fails with reason. */
  kill(reason: Error): void {
    if (this.state === 'dead') return;
    this.state = 'dead';
    this.port.terminate();
    const call = this.call;
    this.call = null;
    call?.reject(reason);
  }

  private hear(m: FromEngine): void {
    if (this.state === 'dead') return;
    if (m.type === 'failed') {
      this.kill(new Error(m.message));
      this.changed(this);
      return;
    }
    if (m.type === 'ready') {
      this.state = 'idle';
      this.changed(this);
      return;
    }
    const call = this.call;
    if (!call || m.id !== this.id) return;
    if (m.type === 'partial') {
      call.onPart?.(m.part);
      return;
    }
    this.state = 'idle';
    this.call = null;
    call.resolve(m.answer);
    this.changed(this);
  }
}
