import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import { InjectSettings, type Settings } from '../config/settings.js';
import type { Answer } from './completion.call.js';
import type { Completion } from './completions.service.js';
import { writeSse } from './stream/sse.writer.js';

/** Sends what comes back for a call: one JSON object, or a stream of server-sent events. */
@Injectable()
export class RepliesService {
  constructor(@InjectSettings() private readonly settings: Settings) {}

  /** Resolves when the reply has ended, whichever way; rejects with what is still to be answered as an error. */
  send(response: Response, { call, answer }: Completion): Promise<void> {
    const headers = () => ({
      'openai-processing-ms': String(Math.round(performance.now() - call.startedMs)),
      ...call.replyHeaders,
    });
    if (!call.request.stream) return sendJson(response, answer, headers);
    return writeSse(response, answer, {
      ...this.settings.stream,
      headers,
      flow: () => call.flow,
      unreadLimit: () => call.unreadLimit,
    });
  }
}

function sendJson(
  response: Response,
  answer: Observable<Answer>,
  headers: () => Record<string, string>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const subscription = answer.subscribe({
      next: (completion) => {
        const body = Buffer.from(JSON.stringify(completion));
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': body.length,
          'cache-control': 'private, no-store',
          ...headers(),
        });
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
