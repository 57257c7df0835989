import type { Request } from 'express';
import type { CallFormat, ClientCall } from '../../completions/formats/call-format.js';
import { toChargedRequest } from './native/charged-request.js';
import { nativeHeaders, toNativeBody } from './native/native-request.js';
import { MessagesReply } from './reply/messages.reply.js';
import { toMessagesRequest } from './request/messages-request.js';
import { toChatRequest } from './translation/chat-request.js';
import { Losses } from './translation/losses.js';
import { shownThinking } from './translation/reasoning-effort.js';

/** Anthropic's Messages API. */
export const messagesFormat: CallFormat = {
  api: 'messages',

  read(body: unknown, request: Pick<Request, 'headers' | 'path'>): ClientCall {
    const headers = nativeHeaders(request);
    const sent = toMessagesRequest(body);
    const losses = new Losses();
    const chat = toChatRequest(sent, losses);
    const thinking = shownThinking(sent);
    return {
      request: chat,
      charged: toChargedRequest(chat, sent, losses.nativeContent),
      native: {
        body: toNativeBody(sent, headers),
        untranslated: losses.untranslated,
        untranslatable: losses.untranslatable,
      },
      reply: (call) => new MessagesReply(call, thinking),
    };
  },
};
