import type { Response } from 'express';
import { type Observable, Subscriber } from 'rxjs';
import type { GatewayError } from '../../common/gateway.error.js';
import { TICK_MS, type Ticking, ticker } from '../../common/slots.js';
import { GatheredResponse, type Reader } from '../../http/gathered-response/gathered-response.js';
import type { ChatCompletionChunk } from '../../upstreams/contract/chat.types.js';
import type { Flow } from '../../upstreams/contract/upstream.types.js';
import type { AnswerSink, Reply } from '../formats/call-format.js';

export interface SseOptions {
  /** ms of silence after which the head is sent even without a chunk. */
  commitAfter: number;
  /** ms of silence after which a heartbeat is sent, once the head was sent. */
  heartbeat: number;
  /** ms that the client may leave pending data unread. */
  unreadLimit(): number;
  /** For errors that occur after the status was sent. */
  toError(error: unknown): GatewayError;
  headers(): Readonly<Record<string, string>>;
  /** The back-pressure control of the current producer of chunks. */
  flow(): Flow | null;
  /** Aborted when the client has left. */
  left: AbortSignal;
  /** Stores everything except heartbeats before the end is sent. */
  stored?: AnswerSink | undefined;
}

export const SSE_HEAD = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store, no-transform, private',
  'x-accel-buffering': 'no',
};

/**
 * Writes chunks as the server-sent events of `reply`. The head is sent with the first chunk or after `commitAfter`. An
 * error before that rejects, so that it can still be sent as a status. A later error is sent as an event that ends the
 * body; the connection stays open, as the client may have sent its next request on it. When the client disconnects, the
 * chunks are unsubscribed. A client that does not read pauses the producer and is disconnected after a while.
 */
export function writeSse(
  response: Response,
  chunks: Observable<ChatCompletionChunk>,
  reply: Reply,
  options: SseOptions,
): Promise<void> {
  return new Promise((resolve, reject) => new SseWriter(response, reply, options, resolve, reject).follow(chunks));
}

/** Calls `listener` also if the signal has been aborted before. */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener);
}

class SseWriter extends Subscriber<ChatCompletionChunk> implements Ticking, Reader {
  slot = -1;
  private committed = false;
  private ended = false;
  private stalled = false;
  private hasSpoken = false;
  /** `performance.now()` of the first tick after the last write. */
  private spokeAt = performance.now();
  private readonly out: GatheredResponse;

  constructor(
    private readonly response: Response,
    private readonly reply: Reply,
    private readonly options: SseOptions,
    private readonly resolve: () => void,
    private readonly reject: (error: unknown) => void,
  ) {
    super();
    this.out = new GatheredResponse(response, this);
  }

  follow(chunks: Observable<ChatCompletionChunk>): void {
    ticker.add(this);
    chunks.subscribe(this);
    onAbort(this.options.left, () => {
      this.stop();
      this.unsubscribe();
      this.resolve();
    });
  }

  /** Heartbeats are never late; they may be early by up to two ticks or a quarter of a short interval. */
  tick(now: number): void {
    if (this.hasSpoken) {
      this.hasSpoken = false;
      this.spokeAt = now;
      return;
    }
    const { commitAfter, heartbeat } = this.options;
    const early = Math.min(2 * TICK_MS, heartbeat / 4);
    if (now - this.spokeAt < (this.committed ? heartbeat - early : commitAfter)) return;
    this.spokeAt = now;
    if (!this.committed) this.commit();
    if (!this.stalled) this.out.write(this.reply.heartbeat);
  }

  fellBehind(): void {
    this.stalled = true;
    this.options.flow()?.pause();
    this.cutWhenUnread();
  }

  caughtUp(): void {
    this.stalled = false;
    if (this.ended) return;
    this.response.setTimeout(0);
    this.options.flow()?.resume();
  }

  protected override _next(chunk: ChatCompletionChunk): void {
    if (this.ended) return;
    const text = this.textOf(chunk);
    if (text === undefined) return;
    if (!this.committed) this.commit();
    if (text === '') return;
    this.hasSpoken = true;
    this.options.stored?.add(text);
    this.out.write(text);
  }

  protected override _error(error: unknown): void {
    this.fail(error);
    this.unsubscribe();
  }

  protected override _complete(): void {
    const { stored } = this.options;
    const last = this.ended ? undefined : this.textOf(null);
    if (last !== undefined) {
      stored?.add(last);
      if (stored) void stored.keep().then(() => this.end(last));
      else this.end(last);
    }
    this.unsubscribe();
  }

  /** `null`: the end. A chunk that cannot be written ends the stream, as an error thrown here would not be caught. */
  private textOf(chunk: ChatCompletionChunk | null): string | undefined {
    try {
      return chunk === null ? this.reply.end() : this.reply.next(chunk);
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  private commit(): void {
    this.committed = true;
    this.out.writeHead({ ...SSE_HEAD, ...this.options.headers() });
  }

  /** Each read by the client restarts the socket's timeout, which destroys the socket. */
  private cutWhenUnread(): void {
    this.response.setTimeout(this.options.unreadLimit());
  }

  private fail(error: unknown): void {
    if (this.ended) return;
    if (this.committed) {
      const event = this.reply.fail(this.options.toError(error));
      const end = (): void => this.end(event);
      if (this.options.stored) void this.options.stored.release().then(end);
      else end();
      return;
    }
    this.stop();
    this.reject(error);
  }

  private end(last: string): void {
    if (this.ended) return;
    if (!this.committed) this.commit();
    this.stop();
    this.cutWhenUnread();
    this.out.end(last);
    this.resolve();
  }

  private stop(): void {
    this.ended = true;
    ticker.remove(this);
  }
}
