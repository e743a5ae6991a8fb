// Workers for the simulations: as many as run at once and one warm spare, so
// that work goes on at once when a cancelled call has taken its worker along.

import type { Answer, Partial } from '../contract';
import { Hand, type Call } from './hand';
import type { Port } from './protocol';

/** The reason of a call that was cancelled. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
  }
}

/** New workers after a cancel wait so many ms: their start would take the processor from the frame that shows it. */
const CALM_MS = 200;

export class Pool {
  private hands: Hand[] = [];
  private queue: Call[] = [];
  /** Boot failures in a row: an engine that cannot start must not be started for ever. */
  private failures = 0;
  private closed = false;

  /** spawn starts a worker; width calls run at once, spare workers stand by. */
  constructor(
    private readonly spawn: () => Port,
    private readonly width: number,
    private readonly spare: number,
    private readonly later: (run: () => void, ms: number) => unknown = (run, ms) => setTimeout(run, ms),
  ) {}

  /** Starts the workers before there is work. */
  warm(): void {
    while (this.hands.length < this.width + this.spare) this.hands.push(new Hand(this.spawn(), (h) => this.changed(h)));
  }

  /** Queues a call; calls start in the order they came. */
  call(method: string, args: unknown[], onPart?: (part: Partial) => void): Promise<Answer<unknown>> {
    return new Promise((resolve, reject) => {
      this.queue.push({ method, args, onPart, resolve, reject });
      this.warm();
      this.feed();
    });
  }

  /** Drops what waits and ends what runs; new workers boot with the next call, or a little later. */
  cancel(): void {
    const waiting = this.queue;
    this.queue = [];
    for (const call of waiting) call.reject(new Cancelled());
    for (const hand of this.hands) if (hand.state === 'busy') hand.kill(new Cancelled());
    this.hands = this.hands.filter((h) => h.state !== 'dead');
    this.later(() => !this.closed && this.warm(), CALM_MS);
  }

  /** Ends all workers; the pool is not used again. */
  close(): void {
    const waiting = this.queue;
    this.queue = [];
    for (const call of waiting) call.reject(new Cancelled());
    for (const hand of this.hands) hand.kill(new Cancelled());
    this.hands = [];
    this.closed = true;
  }

  private busy(): number {
    return this.hands.filter((h) => h.state === 'busy').length;
  }

  private feed(): void {
    for (const hand of this.hands) {
      if (this.queue.length === 0 || this.busy() >= this.width) return;
      if (hand.state === 'idle') hand.take(this.queue.shift() as Call);
    }
  }

  private changed(hand: Hand): void {
    if (hand.state !== 'dead') {
      this.failures = 0;
      this.feed();
      return;
    }
    this.hands = this.hands.filter((h) => h !== hand);
    this.failures++;
    if (this.failures > this.width + 1) {
      const waiting = this.queue;
      this.queue = [];
      for (const call of waiting) call.reject(new Error('the engine does not start in this browser'));
      return;
    }
    this.warm();
  }
}
