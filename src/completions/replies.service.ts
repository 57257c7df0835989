import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { noteError } from '../common/exception.filter.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import type { Answer } from '../upstreams/contract/chat.types.js';
import type { Completion } from './completions.service.js';
import { writeSse } from './stream/sse.writer.js';

/** Sends what comes back for a call: one JSON object, or a stream of server-sent events. */
@Injectable()
export class RepliesService {
  constructor(@InjectSettings() private readonly settings: Settings) {}

  /** Resolves when the reply has ended, whichever way; rejects with what is still to be answered as an error. */
  send(response: Response, completion: Completion): Promise<void> {
    const { call, head, answer } = completion;
    if (response.closed) return Promise.resolve();
    if (!call.request.stream) return sendJson(response, completion);
    return writeSse(response, answer, {
      ...this.settings.stream,
      headers: () => callHeaders(completion),
      flow: () => head.flow,
      unreadLimit: () => head.unreadLimit,
      toErrorBody: (error) => noteError(response.req, error).body,
    });
  }
}

function sendJson(response: Response, completion: Completion): Promise<void> {
  return new Promise((resolve, reject) => {
    const subscription = completion.answer.subscribe({
      next: (answer) => {
        const body = toJson(answer);
        if (body === null) return reject(new Error('The answer is no JSON.'));
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': body.length,
          'cache-control': 'private, no-store',
          ...callHeaders(completion),
        });
        response.setTimeout(completion.head.unreadLimit);
        response.end(body);
      },
      error: reject,
    });
    response.once('close', () => {
      subscription.unsubscribe();
      resolve();
    });
  });
}

/** Null for what is no JSON: what is thrown where an answer is given would be caught by nobody. */
function toJson(answer: Answer): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(answer));
  } catch {
    return null;
  }
}

function callHeaders({ call, head }: Completion): Record<string, string> {
  return { 'openai-processing-ms': String(Math.round(performance.now() - call.startedMs)), ...head.headers };
}
