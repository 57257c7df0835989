import type { Flow } from './upstream.types.js';

/** The back-pressure of an answer that is still to come: until it is here there is nothing to hold. */
export class LateFlow implements Flow {
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
