import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { noteError } from '../../http/exception.filter.js';
import { commonHeaders } from '../../http/request-context.js';
import type { Answer, ChatCompletion, ChatCompletionChunk } from '../../upstreams/contract/chat.types.js';
import type { Reply } from '../formats/call-format.js';
import { attemptHeaders } from '../routing/routed-answer.js';
import type { Completion } from './completion.types.js';
import { SSE_HEAD, type SseOptions, writeSse } from './sse.writer.js';
import type { StoredAnswer } from './stored.answer.js';

const JSON_HEAD = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' };

@Injectable()
export class RepliesService {
  constructor(@InjectSettings() private readonly settings: Settings) {}

  /**
   * Resolves when the reply has ended in any way; rejects with an error that must still be sent. `kept`: stores the
   * answer before its end is sent.
   */
  send(response: Response, completion: Completion, kept?: StoredAnswer): Promise<void> {
    if (response.closed) return Promise.resolve();
    if (!completion.call.request.stream) return sendJson(response, completion, kept);
    const { answer, head, reply } = completion;
    const { commitAfter, heartbeat } = this.settings.stream;
    const options: SseOptions = {
      commitAfter,
      heartbeat,
      unreadLimit: () => head.unreadLimit,
      toError: (error) => noteError(response.req, error),
      headers: () => callHeaders({}, response, completion),
      flow: () => head.flow,
      kept,
    };
    return writeSse(response, answer as Observable<ChatCompletionChunk>, reply, options);
  }

  sendAgain(
    response: Response,
    { call, head }: Completion,
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
      response.setTimeout(head.unreadLimit);
      response.end(answer);
    });
  }
}

function sendJson(response: Response, completion: Completion, kept?: StoredAnswer): Promise<void> {
  return new Promise((resolve, reject) => {
    const subscription = completion.answer.subscribe({
      next: (answer) => {
        const body = toJson(completion.reply, answer);
        if (body === null) return reject(new Error('The answer is not JSON.'));
        const end = (): void => {
          // An error thrown in the observer would not be caught.
          try {
            endJson(response, completion, body);
          } catch (error) {
            reject(error);
          }
        };
        if (!kept) return end();
        kept.add(body);
        void kept.keep().then(end);
      },
      error: reject,
    });
    response.once('close', () => {
      subscription.unsubscribe();
      resolve();
    });
  });
}

/** Writes text, so that head and body are sent in one packet. Starts the timeout for unread data if some is pending. */
function endJson(response: Response, completion: Completion, body: string): void {
  const headers = callHeaders(JSON_HEAD, response, completion);
  headers['content-length'] = String(Buffer.byteLength(body));
  response.writeHead(200, headers);
  response.end(body);
  if (response.writableLength > 0) response.setTimeout(completion.head.unreadLimit);
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
  { call, head, record, isContentLogged }: Completion,
): Record<string, string> {
  const ms = String(Math.round(performance.now() - call.startedMs));
  const common = { ...form, ...commonHeaders(req), 'openai-processing-ms': ms };
  const logged = isContentLogged ? { 'x-gateway-content-log': 'on' } : undefined;
  return { ...common, ...head.headers, ...record.allowance?.headers, ...logged };
}
