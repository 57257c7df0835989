import { Observable } from 'rxjs';
import { UpstreamError } from '../contract/upstream.error.js';
import type { Flow, TimedFlow } from '../contract/upstream.types.js';
import { LARGE_ANSWER } from './large-answers.js';

/**
 * Reads a body and emits the result of `read`. A body above `limit` bytes is a 502, or is cut there. `enter` is called
 * once a body is large, and the function that it returns once the reading has ended.
 */
export function readAll<Result>(
  body: Observable<Buffer>,
  limit: number,
  read: (bytes: Buffer) => Result,
  above: 'refused' | 'cut' = 'refused',
  enter?: () => () => void,
): Observable<Result> {
  return new Observable((subscriber) => {
    const parts: Buffer[] = [];
    let size = 0;
    let leave: (() => void) | undefined;
    const emit = (): void => {
      const bytes = toOne(parts);
      parts.length = 0;
      let result: Result;
      try {
        result = read(bytes.length > limit ? bytes.subarray(0, limit) : bytes);
      } catch (error) {
        subscriber.error(error);
        return;
      }
      subscriber.next(result);
      subscriber.complete();
    };
    const reading = body.subscribe({
      next: (data) => {
        parts.push(data);
        size += data.length;
        if (size > LARGE_ANSWER) leave ??= enter?.();
        if (size <= limit) return;
        if (above === 'cut') emit();
        else subscriber.error(tooLarge(limit));
      },
      error: (error: unknown) => subscriber.error(error),
      complete: emit,
    });
    return () => {
      reading.unsubscribe();
      leave?.();
    };
  });
}

function toOne(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
}

function tooLarge(limit: number): UpstreamError {
  return new UpstreamError(
    { status: 502, limit: 'size' },
    { cause: new Error(`The answer is larger than ${limit} bytes.`) },
  );
}

/** Flow control of a response that has not arrived yet. */
export class DeferredFlow implements TimedFlow {
  /** For what else pauses the response: it is read while nobody does. */
  readonly queue: Flow = { pause: () => this.set('isQueued', true), resume: () => this.set('isQueued', false) };
  private flow: Flow | null = null;
  private isPaused = false;
  private isQueued = false;
  private pausedAt: number | null = null;
  private earlierMs = 0;

  get pausedMs(): number {
    return this.earlierMs + (this.pausedAt === null ? 0 : performance.now() - this.pausedAt);
  }

  follow(flow: Flow): void {
    this.flow = flow;
  }

  pause(): void {
    this.set('isPaused', true);
  }

  resume(): void {
    this.set('isPaused', false);
  }

  private set(reason: 'isPaused' | 'isQueued', isSet: boolean): void {
    this[reason] = isSet;
    if (this.isPaused || this.isQueued) {
      this.pausedAt ??= performance.now();
      this.flow?.pause();
    } else {
      this.earlierMs = this.pausedMs;
      this.pausedAt = null;
      this.flow?.resume();
    }
  }
}

export interface Reading {
  resumeReading(): void;
}

/** Bytes that all exchanges together read in one turn; many small events of this size take a few milliseconds. */
const SHARE_BYTES = 64 * 1024;

/**
 * Prevents fast upstreams from blocking the event loop for seconds, as one turn reads from all of them. A reader that
 * reaches the shared limit, and all readers after it, wait for the next turn. Turns are not detected exactly, which
 * would cost time in each turn, so a reader may occasionally pause without need.
 */
export class ReadTurns {
  private readonly waiting: Reading[] = [];
  private bytes = 0;
  private isPlanned = false;

  /** Whether the turn is used up, so that readers must buffer their data. */
  get isOver(): boolean {
    return this.bytes >= SHARE_BYTES;
  }

  wait(reader: Reading): void {
    this.waiting.push(reader);
    this.plan();
  }

  /** Counts read bytes. False: the reader must stop until `resumeReading`. */
  take(bytes: number, reader: Reading): boolean {
    this.bytes += bytes;
    if (!this.isOver) return true;
    this.wait(reader);
    return false;
  }

  private plan(): void {
    if (this.isPlanned) return;
    this.isPlanned = true;
    setImmediate(() => this.next());
  }

  private next(): void {
    this.isPlanned = false;
    this.bytes = 0;
    // Readers that stop again queue behind the others.
    for (let left = this.waiting.length; left > 0 && !this.isOver; left--) this.waiting.shift()?.resumeReading();
    if (this.waiting.length > 0) this.plan();
  }
}
