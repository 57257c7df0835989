import { noteForeignValue } from '../../completions/dto/foreign-values.js';
import type { CallFormat, ClientCall } from '../../completions/formats/call-format.js';
import { ResponsesReply } from './reply/responses.reply.js';
import { toChargedRequest } from './request/charged-request.js';
import { toChatRequest } from './request/chat-request.js';
import { toNativeRequest } from './request/native-request.js';
import { toResponsesRequest } from './request/responses-request.js';
import type { ResponsesRequest } from './request/responses-request.types.js';
import { ToolNames } from './request/tool-names.js';
import { noteFields } from './request/translated-fields.js';
import { Translation } from './request/translation.js';
import { withoutWebSearch } from './request/web-search.js';

/** OpenAI's Responses API, stateless: `CreateResponse` of OpenAI's published document. */
export const responsesFormat: CallFormat = {
  api: 'responses',

  read(body) {
    const { request, foreign } = toResponsesRequest(body);
    const call = toClientCall(request, []);
    if (foreign) noteForeignValue(call.request, foreign);
    return call;
  },
};

/** `leftOut`: paths of what was removed from the client's request. */
function toClientCall(request: ResponsesRequest, leftOut: readonly string[]): ClientCall {
  const names = new ToolNames(request.tools ?? []);
  const translation = new Translation();
  const chat = toChatRequest(request, names, translation);
  noteFields(request, translation);
  const searchless = withoutWebSearch(request);
  return {
    request: chat,
    charged: toChargedRequest(request, chat),
    native: { ...toNativeRequest(request, translation), leftOut },
    ...(searchless && { withoutWebSearch: () => toClientCall(searchless.request, searchless.removed) }),
    reply: (call) => new ResponsesReply(call, request, names),
  };
}
