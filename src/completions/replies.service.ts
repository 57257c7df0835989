import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { type ErrorBody, GatewayError } from '../common/gateway.error.js';
import { internalError } from '../common/gateway.errors.js';
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
    const { call, answer } = completion;
    if (response.closed) return Promise.resolve();
    if (!call.request.stream) return sendJson(response, completion);
    return writeSse(response, answer, {
      ...this.settings.stream,
      headers: () => callHeaders(completion),
      flow: () => call.flow,
      unreadLimit: () => call.unreadLimit,
      toErrorBody: (error) => noteError(response, error),
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
        response.setTimeout(completion.call.unreadLimit);
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

function callHeaders({ call }: Completion): Record<string, string> {
  return { 'openai-processing-ms': String(Math.round(performance.now() - call.startedMs)), ...call.replyHeaders };
}

/** The error is noted for the log, as the filter does with those that still become a status. */
function noteError({ req }: Response, error: unknown): ErrorBody {
  const told = error instanceof GatewayError ? error : internalError();
  req.context.error = told;
  return told.body;
}
