import type { GatewayError } from '../../common/gateway.error.js';
import type { ChatCompletion, ChatCompletionChunk } from '../../upstreams/contract/chat.types.js';
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
  whole: (completion: ChatCompletion) => JSON.stringify(completion),
  next: (chunk: ChatCompletionChunk) => `data: ${jsonOf(chunk)}\n\n`,
  end: () => 'data: [DONE]\n\n',
  fail: ({ body }: GatewayError) => `data: ${JSON.stringify({ error: body })}\n\n`,
};
