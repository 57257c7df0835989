import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import { InjectSettings, type Settings } from '../../config/settings.js';
import type { CallGuards } from '../../guards/call-guards.js';
import { noteError } from '../../http/exception.filter.js';
import { commonHeaders } from '../../http/request-context.js';
import type { Answer, ChatCompletion, ChatCompletionChunk } from '../../upstreams/contract/chat.types.js';
import type { CompletionCall } from '../completion.call.js';
import type { AnswerSink, Reply } from '../formats/call-format.js';
import { attemptHeaders, type ReplyHead } from '../routing/routed-answer.js';
import type { OpenedCall } from '../settlement/call-row.js';
import { onAbort, SSE_HEAD, type SseOptions, writeSse } from './sse.writer.js';

const JSON_HEAD = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' };

const REPLAY_UNREAD_LIMIT_MS = 60_000;
/** For answers beyond their owner's share of the memory for bodies. */
const CROWDED_UNREAD_LIMIT_MS = 2000;

@Injectable()
export class RepliesService {
  constructor(@InjectSettings() private readonly settings: Settings) {}

  /**
   * Resolves when the reply was written or its client has left; rejects with an error that must still be sent. `kept`:
   * stores the answer before its end is sent.
   */
  send(response: Response, completion: Completion, left: AbortSignal, stored?: AnswerSink): Promise<void> {
    const { answer, head, opened, reply } = completion;
    if (!opened.call.request.stream) return sendJson(response, completion, reply, left, stored);
    const { commitAfter, heartbeat } = this.settings.stream;
    const options: SseOptions = {
      commitAfter,
      heartbeat,
      unreadLimit: () => head.unreadLimit,
      toError: (error) => noteError(response.req, error),
      headers: () => {
        opened.record.isHeadSent = true;
        return callHeaders({}, response, completion);
      },
      flow: () => head.flow,
      left,
      stored,
    };
    return writeSse(response, answer as Observable<ChatCompletionChunk>, reply, options);
  }

  sendAgain(
    response: Response,
    call: CompletionCall,
    answer: Buffer,
    limitHeaders: Readonly<Record<string, string>>,
  ): Promise<void> {
    return new Promise((resolve) => {
      response.once('close', resolve);
      const form = call.request.stream ? SSE_HEAD : JSON_HEAD;
      const headers = {
        ...commonHeaders(response.req),
        ...attemptHeaders(0),
        ...limitHeaders,
        'x-gateway-idempotent-replay': 'true',
      };
      response.writeHead(200, { ...form, ...headers, 'content-length': answer.length });
      response.setTimeout(REPLAY_UNREAD_LIMIT_MS);
      response.end(answer);
    });
  }
}

function sendJson(
  response: Response,
  completion: Completion,
  reply: Reply,
  left: AbortSignal,
  stored?: AnswerSink,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const subscription = completion.answer.subscribe({
      next: (answer) => {
        const body = toJson(reply, answer);
        if (body === null) return reject(new Error('The answer is not JSON.'));
        const end = (): void => {
          // An error thrown in the observer would not be caught.
          try {
            endJson(response, completion, body);
            resolve();
          } catch (error) {
            reject(error);
          }
        };
        if (!stored) return end();
        stored.add(body);
        void stored.keep().then(end);
      },
      error: reject,
    });
    onAbort(left, () => {
      subscription.unsubscribe();
      resolve();
    });
  });
}

/**
 * Writes text, so that head and body are sent in one packet. If some of it is pending, it takes the owner's memory for
 * bodies until the response has ended, and the timeout for unread data starts.
 */
function endJson(response: Response, completion: Completion, body: string): void {
  const headers = callHeaders(JSON_HEAD, response, completion);
  headers['content-length'] = String(Buffer.byteLength(body));
  response.writeHead(200, headers);
  response.end(body);
  const unread = response.writableLength;
  if (unread === 0) return;
  const isCrowded = response.req.context.body?.take(unread) != null;
  response.setTimeout(isCrowded ? CROWDED_UNREAD_LIMIT_MS : completion.head.unreadLimit);
}

/** Null if the answer cannot be serialized, as an error thrown in the observer would not be caught. */
function toJson(reply: Reply, answer: Answer): string | null {
  try {
    return reply.whole(answer as ChatCompletion);
  } catch {
    return null;
  }
}

function callHeaders(
  form: Readonly<Record<string, string>>,
  { req }: Response,
  { opened: { call, allowance }, head, guards, isContentLogged }: Completion,
): Record<string, string> {
  const ms = String(Math.round(performance.now() - call.startedMs));
  const common = { ...form, ...commonHeaders(req), 'openai-processing-ms': ms };
  const logged = isContentLogged ? { 'x-gateway-content-log': 'on' } : undefined;
  const found = guards?.header(call.request.stream === true) ?? null;
  const guarded = found === null ? undefined : { 'x-gateway-guards': found };
  return { ...common, ...head.headers, ...allowance.headers, ...guarded, ...logged, ...call.model.endHeaders };
}

/** An opened call and its answer. Subscribing to `answer` calls the upstream. */
export interface Completion {
  readonly opened: OpenedCall;
  readonly head: ReplyHead;
  readonly answer: Observable<Answer>;
  readonly reply: Reply;
  /** Null: none apply. */
  readonly guards: CallGuards | null;
  readonly isContentLogged: boolean;
}

export interface AnswerStore {
  /** Null: the answer is too large. */
  keep(answer: Buffer | null): Promise<void>;
  release(): Promise<void>;
}

/** Collects an answer while it is sent, so that it can be repeated byte by byte. */
export class StoredAnswer implements AnswerSink {
  private pieces: string[] = [];
  private size = 0;
  private ended: Promise<void> | undefined;

  constructor(
    /** Bytes; larger answers are not stored. */
    private readonly most: number,
    private readonly store: AnswerStore,
  ) {}

  add(piece: string): void {
    this.size += Buffer.byteLength(piece);
    if (this.size > this.most) this.pieces = [];
    else this.pieces.push(piece);
  }

  keep(): Promise<void> {
    const isWhole = this.size <= this.most;
    this.ended ??= this.store.keep(isWhole ? Buffer.from(this.pieces.join('')) : null);
    return this.ended;
  }

  release(): Promise<void> {
    this.ended ??= this.store.release();
    return this.ended;
  }
}

/** A sink that fills all of these; undefined if there is none. */
export function allSinks(...given: readonly (AnswerSink | null | undefined)[]): AnswerSink | undefined {
  const sinks = given.filter((sink) => sink != null);
  if (sinks.length <= 1) return sinks[0];
  return {
    add: (piece) => {
      for (const sink of sinks) sink.add(piece);
    },
    keep: async () => void (await Promise.all(sinks.map((sink) => sink.keep()))),
    release: async () => void (await Promise.all(sinks.map((sink) => sink.release()))),
  };
}
