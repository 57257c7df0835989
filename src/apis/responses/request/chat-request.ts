import type { ChatCompletionRequest, ChatMessage, ResponseFormat } from '../../../upstreams/contract/chat.types.js';
import type { JsonObject } from '../../../upstreams/contract/json.js';
import { type ToolNames, toChatTools, toToolChoice } from './chat-tools.js';
import { Conversation } from './conversation.js';
import { itemType } from './input.checks.js';
import { offeredTools } from './offered-tools.js';
import { includes, type ResponsesRequest, type TextFormat } from './responses-request.types.js';
import type { Translation } from './translation.js';

/** Fields with the same name and meaning in both formats. */
const SHARED = [
  'temperature',
  'top_p',
  'metadata',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'user',
] as const;

/** Translates a valid request to the inner form. Notes what the inner form cannot express in `translation`. */
export function toChatRequest(
  request: ResponsesRequest,
  names: ToolNames,
  translation: Translation,
): ChatCompletionRequest {
  const { model, stream, max_output_tokens: limit } = request;
  const { effort, format } = latestConfiguration(request);
  const chat: JsonObject = { model, messages: toMessages(request, names, translation) };
  if (stream === true) Object.assign(chat, { stream, stream_options: { include_usage: true } });
  for (const field of SHARED) if (request[field] != null) chat[field] = request[field];
  if (limit != null) chat.max_completion_tokens = limit;
  if (effort != null) chat.reasoning_effort = effort;
  if (request.text?.verbosity != null) chat.verbosity = request.text.verbosity;
  if (format && format.type !== 'text') chat.response_format = toResponseFormat(format);
  addTools(chat, request, names, translation);
  addLogprobs(chat, request);
  return chat as ChatCompletionRequest;
}

/** The effort and the format of the answer: the last ones that items of the conversation set, or the request's. */
function latestConfiguration({ input, reasoning, text }: ResponsesRequest): Configuration {
  const configuration: Configuration = { effort: reasoning?.effort, format: text?.format };
  for (const item of typeof input === 'string' ? [] : input) {
    if (itemType(item) !== 'configuration_update') continue;
    const update = item as Pick<ResponsesRequest, 'reasoning' | 'text'>;
    configuration.effort = update.reasoning?.effort ?? configuration.effort;
    configuration.format = update.text?.format ?? configuration.format;
  }
  return configuration;
}

interface Configuration {
  effort: string | null | undefined;
  format: TextFormat | null | undefined;
}

function toMessages(
  { instructions, input }: ResponsesRequest,
  names: ToolNames,
  translation: Translation,
): readonly ChatMessage[] {
  const first: ChatMessage[] = instructions ? [{ role: 'system', content: instructions }] : [];
  if (instructions) translation.paths.addMessage('instructions');
  if (typeof input === 'string') {
    translation.paths.addMessage('input');
    return [...first, { role: 'user', content: input }];
  }
  const conversation = new Conversation(names, translation);
  for (const [index, item] of input.entries()) conversation.add(item, `input[${index}]`);
  const messages = conversation.messages();
  if (messages.length === 0) translation.refuse('input', 'Send a message');
  return [...first, ...messages];
}

function addTools(chat: JsonObject, request: ResponsesRequest, names: ToolNames, translation: Translation): void {
  const tools = toChatTools(offeredTools(request), names, translation);
  const choice = toToolChoice(request, tools.length > 0, names, translation);
  if (choice !== undefined) chat.tool_choice = choice;
  if (tools.length === 0) return;
  chat.tools = tools;
  if (request.parallel_tool_calls != null) chat.parallel_tool_calls = request.parallel_tool_calls;
}

function addLogprobs(chat: JsonObject, request: ResponsesRequest): void {
  const { top_logprobs: alternatives } = request;
  if (!wantsLogprobs(request)) return;
  chat.logprobs = true;
  if (alternatives) chat.top_logprobs = alternatives;
}

export function wantsLogprobs(request: ResponsesRequest): boolean {
  return includes(request, 'message.output_text.logprobs') || (request.top_logprobs ?? 0) > 0;
}

function toResponseFormat(format: TextFormat): ResponseFormat {
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format;
  const named = { name, ...(description != null && { description }) };
  return { type: 'json_schema', json_schema: { ...named, schema, ...(strict != null && { strict }) } };
}
