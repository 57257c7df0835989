import type { Response } from 'express';
import type { Observable } from 'rxjs';
import type { ErrorBody } from '../../common/gateway.error.js';
import type { Flow } from '../../upstreams/client/upstream.types.js';
import { jsonOf } from '../../upstreams/contract/chunk-json.js';
import type { KeptAnswer } from '../idempotency/kept.answer.js';
import { GatheredResponse } from './gathered-response.js';

export interface SseOptions {
  /** ms of silence after which the head is sent all the same. */
  commitAfter: number;
  /** ms of silence after which a heartbeat is sent, once the head is. */
  heartbeat: number;
  /** ms that the client may read nothing of what waits for it. */
  unreadLimit(): number;
  /** What the client is told of an error that comes too late for a status. */
  toErrorBody(error: unknown): ErrorBody;
  /** Asked for when the head is sent. */
  headers(): Readonly<Record<string, string>>;
  /** Back-pressure to whoever produces the chunks now. */
  flow(): Flow | null;
  /** What is written is kept, but for heartbeats, before its end goes out. */
  kept?: KeptAnswer | undefined;
}

export const SSE_HEAD = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store, no-transform, private',
  'x-accel-buffering': 'no',
};

const DONE = 'data: [DONE]\n\n';

/**
 * Writes chunks as server-sent events: `data: {chunk}`, at the end `data: [DONE]`. The head is sent with the first chunk
 * or after `commitAfter`; an error before that rejects, so that it can still be a status, and one after it is an event
 * and the end of the connection. A client that leaves unsubscribes; one that does not read stops the producer, and is cut
 * off in the end.
 */
export function writeSse<Chunk>(response: Response, chunks: Observable<Chunk>, options: SseOptions): Promise<void> {
  return new Promise((resolve, reject) => new SseWriter(response, options, resolve, reject).follow(chunks));
}

class SseWriter {
  private committed = false;
  private ended = false;
  private timer: NodeJS.Timeout;
  private stalled = false;
  private readonly out: GatheredResponse;

  constructor(
    private readonly response: Response,
    private readonly options: SseOptions,
    private readonly resolve: () => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.out = new GatheredResponse(response, () => this.hold());
    this.timer = setTimeout(() => this.onSilence(), options.commitAfter);
  }

  follow(chunks: Observable<unknown>): void {
    const subscription = chunks.subscribe({
      next: (chunk) => this.write(chunk),
      error: (error) => this.fail(error),
      complete: () => this.finish(),
    });
    this.response.once('close', () => {
      clearTimeout(this.timer);
      this.ended = true;
      subscription.unsubscribe();
      this.resolve();
    });
  }

  private write(chunk: unknown): void {
    if (this.ended) return;
    const text = this.serialized(chunk);
    if (text === undefined) return;
    if (!this.committed) this.commit();
    this.timer.refresh();
    const event = `data: ${text}\n\n`;
    this.options.kept?.add(event);
    this.out.write(event);
  }

  /** A chunk that is no JSON ends the stream: what is thrown here would be caught by nobody. */
  private serialized(chunk: unknown): string | undefined {
    try {
      return jsonOf(chunk);
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  private commit(): void {
    this.committed = true;
    this.out.writeHead({ ...SSE_HEAD, ...this.options.headers() });
    clearTimeout(this.timer);
    this.timer = setInterval(() => this.onSilence(), this.options.heartbeat);
  }

  private onSilence(): void {
    if (!this.committed) this.commit();
    if (!this.stalled) this.out.write(': ping\n\n');
  }

  /** The client reads more slowly than the upstream writes. */
  private hold(): void {
    if (this.stalled) return;
    this.stalled = true;
    this.options.flow()?.pause();
    this.cutWhenUnread();
    this.response.once('drain', () => {
      this.stalled = false;
      this.response.setTimeout(0);
      this.options.flow()?.resume();
    });
  }

  /** The socket's timeout is put off whenever the client has taken something, and destroys the socket. */
  private cutWhenUnread(): void {
    this.response.setTimeout(this.options.unreadLimit());
  }

  private finish(): void {
    const { kept } = this.options;
    if (!kept) {
      this.end(DONE);
      return;
    }
    kept.add(DONE);
    void kept.keep().then(() => this.end(DONE));
  }

  private fail(error: unknown): void {
    if (this.ended) return;
    if (this.committed) {
      const { socket } = this.response;
      const event = `data: ${JSON.stringify({ error: this.options.toErrorBody(error) })}\n\n`;
      const end = (): void => this.end(event, () => socket?.destroySoon());
      if (this.options.kept) void this.options.kept.release().then(end);
      else end();
      return;
    }
    clearTimeout(this.timer);
    this.ended = true;
    this.reject(error);
  }

  private end(last: string, onSent?: () => void): void {
    if (this.ended) return;
    if (!this.committed) this.commit();
    clearTimeout(this.timer);
    this.ended = true;
    this.cutWhenUnread();
    this.out.end(last, onSent);
  }
}
