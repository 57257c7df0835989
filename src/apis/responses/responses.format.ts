import { noteForeignValue } from '../../completions/dto/foreign-values.js';
import type { CallFormat, ClientCall } from '../../completions/formats/call-format.js';
import { ResponsesReply } from './reply/responses.reply.js';
import { toChargedRequest } from './request/charged-request.js';
import { toChatRequest } from './request/chat-request.js';
import { toNativeRequest } from './request/native-request.js';
import { offeredTools } from './request/offered-tools.js';
import { type ReadRequest, toResponsesRequest } from './request/responses-request.js';
import { canDoWithoutSearch } from './request/responses-request.types.js';
import { ToolNames } from './request/tool-names.js';
import { noteFields } from './request/translated-fields.js';
import { Translation } from './request/translation.js';

/** OpenAI's Responses API, stateless: `CreateResponse` of OpenAI's published document. */
export const responsesFormat: CallFormat = {
  api: 'responses',
  keepsBytes: true,

  read: (body) => toClientCall(toResponsesRequest(body), true),
};

function toClientCall(read: ReadRequest, searches: boolean): ClientCall {
  const { request, foreign } = read;
  const names = new ToolNames(offeredTools(request).map(({ tool }) => tool));
  const translation = new Translation();
  const chat = toChatRequest(request, names, translation);
  if (foreign) noteForeignValue(chat, foreign);
  noteFields(request, translation);
  return {
    request: chat,
    charged: toChargedRequest(request, chat, searches),
    native: toNativeRequest(request, translation, searches),
    ...(searches && canDoWithoutSearch(request) && { withoutWebSearch: () => toClientCall(read, false) }),
    pathOf: (path) => translation.paths.of(path),
    reply: (call) => new ResponsesReply(call, request, names),
  };
}
