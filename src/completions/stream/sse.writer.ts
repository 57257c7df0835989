import type { Response } from 'express';
import type { Observable } from 'rxjs';
import { type ErrorBody, GatewayError } from '../../common/gateway.error.js';
import { internalError } from '../../common/gateway.errors.js';
import type { Flow } from '../upstream/upstream.types.js';

export interface SseOptions {
  /** ms of silence after which the head is sent all the same. */
  commitAfter: number;
  /** ms of silence after which a heartbeat is sent, once the head is. */
  heartbeat: number;
  /** ms that the client may leave the stream unread. */
  unreadLimit(): number;
  /** Asked for when the head is sent. */
  headers(): Readonly<Record<string, string>>;
  /** Back-pressure to whoever produces the chunks now. */
  flow(): Flow | null;
}

const HEAD = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store, no-transform, private',
  'x-accel-buffering': 'no',
};

/**
 * Writes chunks as server-sent events: `data: {chunk}`, at the end `data: [DONE]`. The head is sent with the first chunk
 * or after `commitAfter`; an error before that rejects, so that it can still be a status, and one after it is an event.
 * A client that leaves unsubscribes; one that does not read stops the producer, and is cut off in the end.
 */
export function writeSse<Chunk>(response: Response, chunks: Observable<Chunk>, options: SseOptions): Promise<void> {
  return new Promise((resolve, reject) => new SseWriter(response, options, resolve, reject).follow(chunks));
}

class SseWriter {
  private committed = false;
  private ended = false;
  private timer: NodeJS.Timeout;
  private stalled: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: Response,
    private readonly options: SseOptions,
    private readonly resolve: () => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.timer = setTimeout(() => this.onSilence(), options.commitAfter);
  }

  follow(chunks: Observable<unknown>): void {
    const subscription = chunks.subscribe({
      next: (chunk) => this.write(chunk),
      error: (error) => this.fail(error),
      complete: () => this.end('data: [DONE]\n\n'),
    });
    this.response.once('close', () => {
      this.stopTimers();
      this.ended = true;
      subscription.unsubscribe();
      this.resolve();
    });
  }

  private write(chunk: unknown): void {
    if (this.ended) return;
    if (!this.committed) this.commit();
    this.timer.refresh();
    if (!this.response.write(`data: ${JSON.stringify(chunk)}\n\n`)) this.hold();
  }

  private commit(): void {
    this.committed = true;
    this.response.writeHead(200, { ...HEAD, ...this.options.headers() });
    clearTimeout(this.timer);
    this.timer = setInterval(() => this.onSilence(), this.options.heartbeat);
  }

  private onSilence(): void {
    if (!this.committed) this.commit();
    if (!this.stalled) this.response.write(': ping\n\n');
  }

  /** The client reads more slowly than the upstream writes. */
  private hold(): void {
    if (this.stalled) return;
    this.options.flow()?.pause();
    this.stalled = setTimeout(() => this.response.destroy(), this.options.unreadLimit());
    this.response.once('drain', () => {
      clearTimeout(this.stalled);
      this.stalled = undefined;
      this.options.flow()?.resume();
    });
  }

  private fail(error: unknown): void {
    if (this.ended) return;
    if (this.committed) {
      this.end(`data: ${JSON.stringify({ error: toErrorBody(error) })}\n\n`);
      return;
    }
    this.stopTimers();
    this.ended = true;
    this.reject(error);
  }

  private end(last: string): void {
    if (this.ended) return;
    if (!this.committed) this.commit();
    this.stopTimers();
    this.ended = true;
    this.response.end(last);
  }

  private stopTimers(): void {
    clearTimeout(this.timer);
    clearTimeout(this.stalled);
  }
}

function toErrorBody(error: unknown): ErrorBody {
  return (error instanceof GatewayError ? error : internalError()).body;
}
