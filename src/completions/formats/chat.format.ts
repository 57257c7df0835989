import { jsonOf } from '../../upstreams/contract/chunk-json.js';
import { toChatRequest } from '../dto/chat-completion-request.js';
import type { CallFormat, Reply } from './call-format.js';

/** OpenAI's Chat Completions: the inner form itself. */
export const chatFormat: CallFormat = {
  api: 'chat.completions',

  read(body) {
    const request = toChatRequest(body);
    return { request, charged: request, native: null, reply: () => chatReply };
  },
};

/** Stateless, so all calls share it. */
export const chatReply: Reply = {
  heartbeat: ': ping\n\n',
  whole: (completion) => JSON.stringify(completion),
  next: (chunk) => `data: ${jsonOf(chunk)}\n\n`,
  end: () => 'data: [DONE]\n\n',
  fail: ({ body }) => `data: ${JSON.stringify({ error: body })}\n\n`,
};
