import { Controller } from '@nestjs/common';
import { CallsService } from '../../completions/calls.service.js';
import { ApiController } from '../../completions/completions.controller.js';
import type { CallFormat, ClientCall, Recalled } from '../../completions/formats/call-format.js';
import { noteForeignValue } from '../../completions/formats/checks.js';
import { isDeniedField } from '../../completions/formats/denied-fields.js';
import { ResponseMemory } from './memory/response-memory.service.js';
import { ResponsesReply } from './reply/responses.reply.js';
import { toChatRequest } from './request/chat-request.js';
import { ToolNames } from './request/chat-tools.js';
import { toChargedRequest, toNativeRequest } from './request/native-request.js';
import { offeredTools } from './request/offered-tools.js';
import { RESPONSES_FIELDS, type ReadRequest, toResponsesRequest } from './request/responses-request.js';
import { canDoWithoutSearch, type ResponsesRequest } from './request/responses-request.types.js';
import { printable, Translation } from './request/translation.js';

/** OpenAI's Responses API: `CreateResponse` of OpenAI's published document. Stateless without a memory. */
export const responsesFormat: CallFormat = {
  api: 'responses',
  keepsBytes: true,

  read: (body, _request, recalled = null) => toClientCall(toResponsesRequest(body), recalled, true),
};

function toClientCall(read: ReadRequest, recalled: Recalled | null, searches: boolean): ClientCall {
  const { request, foreign } = read;
  const names = new ToolNames(offeredTools(request).map(({ tool }) => tool));
  const translation = new Translation();
  const chat = toChatRequest(request, names, translation);
  if (foreign) noteForeignValue(chat, foreign);
  noteFields(request, translation);
  const native = toNativeRequest(request, translation, searches);
  const pathOf = (path: string) => translation.paths.of(path);
  return {
    request: chat,
    charged: toChargedRequest(request, chat, translation, native.body, searches),
    native: recalled ? { ...native, pathOf: recalled.pathOf } : native,
    ...(searches && canDoWithoutSearch(request) && { withoutWebSearch: () => toClientCall(read, recalled, false) }),
    pathOf: recalled ? (path) => recalled.pathOf(pathOf(path)) : pathOf,
    reply: (call) => new ResponsesReply(call, request, names, recalled),
  };
}

/** `POST /v1/responses`, also at Azure's paths. */
@Controller(['v1/responses', 'openai/v1/responses', 'openai/responses'])
export class ResponsesController extends ApiController {
  readonly pattern = /^\/(?:v1|openai|openai\/v1)\/responses\/?$/i;

  constructor(calls: CallsService, memory: ResponseMemory) {
    super(calls, memory.isOn ? { ...responsesFormat, memory } : responsesFormat);
  }
}

/** Values of `include` that translated targets support. */
const INCLUDED: ReadonlySet<string> = new Set(['reasoning.encrypted_content', 'message.output_text.logprobs']);

/** Known fields without effect on translated targets. */
const DROPPED = ['client_metadata', 'max_tool_calls'];

/** Fields of `reasoning` that the inner form or the answer needs; others, such as `mode`, are the provider's. */
const REASONING_FIELDS: ReadonlySet<string> = new Set(['effort', 'summary', 'generate_summary']);

/** Notes the fields that translated targets do not receive: fields without effect, and unknown fields. */
function noteFields(request: ResponsesRequest, translation: Translation): void {
  for (const field of DROPPED) if (request[field] != null) translation.drop(field);
  for (const [field, value] of Object.entries(request.reasoning ?? {})) {
    if (!REASONING_FIELDS.has(field) && value != null) translation.drop(`reasoning.${printable(field)}`);
  }
  if (request.truncation === 'auto') translation.drop('truncation');
  for (const [index, entry] of (request.include ?? []).entries()) {
    if (!INCLUDED.has(entry)) translation.drop(`include[${index}]`);
  }
  for (const field of Object.keys(request)) {
    const isUnknown = !RESPONSES_FIELDS.has(field) && !isDeniedField(field);
    // Denied fields have been checked before and can only be null here.
    if (isUnknown && request[field] != null) translation.refuse(printable(field));
  }
}
