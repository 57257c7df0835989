import type { Flow } from './upstream.types.js';

/** Flow control of a response that has not arrived yet. */
export class DeferredFlow implements Flow {
  private flow: Flow | null = null;

  follow(flow: Flow): void {
    this.flow = flow;
  }

  pause(): void {
    this.flow?.pause();
  }

  resume(): void {
    this.flow?.resume();
  }
}
