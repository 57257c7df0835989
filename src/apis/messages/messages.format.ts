import type { CallFormat, ClientCall, NativeRequest } from '../../completions/formats/call-format.js';
import { parseExactly } from '../../json/exact-json.js';
import type { NativeBody } from '../../upstreams/contract/native.body.js';
import { accountFileOf } from './native/account-files.js';
import { toChargedRequest } from './native/charged-request.js';
import { nativeHeaders, toNativeBody } from './native/native-request.js';
import { MessagesReply } from './reply/messages.reply.js';
import type { MessagesRequest } from './request/messages.types.js';
import { toCountedRequest, toMessagesRequest } from './request/messages-request.js';
import { canDoWithoutSearch, pathsOfWebSearch, withoutWebSearch } from './request/web-search.js';
import { toChatRequest } from './translation/chat-request.js';
import { clientPath } from './translation/client-paths.js';
import { Losses } from './translation/losses.js';
import { optionalEffort, shownThinking } from './translation/reasoning-effort.js';
import { clientNames } from './translation/tool-names.js';

/** Anthropic's Messages API. */
export const messagesFormat: CallFormat = {
  api: 'messages',
  keepsBytes: true,
  // Tool inputs are JSON values here, and their large integers must keep all digits when they are translated.
  parse: parseExactly,

  read(body, request) {
    const headers = nativeHeaders(request);
    return toClientCall(toMessagesRequest(body), headers);
  },
};

/** The format of `count_tokens`. */
export const countedFormat: CallFormat = {
  ...messagesFormat,
  read: (body, request) => toClientCall(toCountedRequest(body), nativeHeaders(request)),
};

/** `leftOut`: paths that were already left out of the request. */
function toClientCall(
  request: MessagesRequest,
  headers: NativeBody['headers'],
  leftOut: readonly string[] = [],
): ClientCall {
  const losses = new Losses();
  const chat = toChatRequest(request, losses);
  const answer = { thinking: shownThinking(request), names: clientNames(request) };
  const native: NativeRequest = {
    body: toNativeBody(request, headers),
    untranslated: [...losses.untranslated],
    untranslatable: losses.untranslatable,
    leftOut,
    accountFile: accountFileOf(request),
    optional: optionalEffort(request),
    capsOutput: true,
  };
  return {
    request: chat,
    charged: toChargedRequest(chat, request, losses.nativeContent),
    native,
    ...(canDoWithoutSearch(request) && {
      withoutWebSearch: () => toClientCall(withoutWebSearch(request), headers, pathsOfWebSearch(request)),
    }),
    pathOf: (path) => clientPath(path, request),
    reply: (call) => new MessagesReply(call, answer),
  };
}
