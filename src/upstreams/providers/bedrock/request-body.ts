import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { JSON_INSTRUCTION } from '../json-instruction.js';
import { flexOrPriority } from '../service-tier.js';
import type { Turn } from './converse.types.js';
import { toMessages } from './messages.js';
import { modelFamily } from './model-family.js';
import { answerTool, isAskedInWords, outputConfig } from './output-format.js';
import { reasoningFields } from './reasoning.js';
import { chosenName, isForced, toTools, withAnswerTool } from './tools.js';

/** The fields that are told to the API in some form. */
export const TAKEN_FIELDS: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'stop',
  'frequency_penalty',
  'presence_penalty',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'metadata',
]);

/** The body of a Converse or ConverseStream request; throws for what the API cannot be asked. */
export function toRequestBody(call: ProviderCall): JsonObject {
  const { request, upstreamModel } = call;
  const family = modelFamily(upstreamModel);
  const { system, messages } = toMessages(request.messages, upstreamModel);
  if (isAskedInWords(request)) system.push({ text: JSON_INSTRUCTION });
  const answer = answerTool(call);
  const toolConfig = withAnswerTool(toTools(request, messages, family), answer);
  const modelFields = {
    ...ownFields(request),
    ...thinkingOf(call, messages, answer !== undefined || isForced(request.tool_choice)),
    ...(toolConfig && !answer && singleToolCall(request, family)),
  };
  // Such a choice stands with the model's own fields, and only once.
  if ('tool_choice' in modelFields) delete toolConfig?.toolChoice;
  return withoutEmpty({
    system,
    messages,
    inferenceConfig: inferenceConfig(call, modelFields),
    toolConfig,
    additionalModelRequestFields: modelFields,
    outputConfig: outputConfig(call),
    requestMetadata: requestMetadata(request.metadata),
    serviceTier: serviceTier(request),
  });
}

/** Sampling fields that only some models have, each by its own name; one that does not refuses it by name. */
function ownFields({ frequency_penalty, presence_penalty }: ChatCompletionRequest): JsonObject {
  return { ...(frequency_penalty && { frequency_penalty }), ...(presence_penalty && { presence_penalty }) };
}

function inferenceConfig({ request, maxOutputTokens }: ProviderCall, modelFields: JsonObject): JsonObject {
  const { temperature, top_p: topP, stop } = request;
  return withoutEmpty({
    maxTokens: limitOf(request) ?? roomToThink(modelFields, maxOutputTokens),
    temperature: temperature ?? undefined,
    topP: topP ?? undefined,
    stopSequences: typeof stop === 'string' ? [stop] : (stop ?? undefined),
  });
}

function limitOf(request: ChatCompletionRequest): number | null {
  return request.max_completion_tokens ?? request.max_tokens ?? null;
}

/** The answer's own share of the limit where the caller set none: the API's default may not hold the thoughts alone. */
const ROOM_TO_ANSWER = 8192;

function roomToThink({ thinking }: { thinking?: { budget_tokens?: number } }, maxOutputTokens: number | null) {
  const budget = thinking?.budget_tokens;
  return budget === undefined ? undefined : (maxOutputTokens ?? budget + ROOM_TO_ANSWER);
}

function thinkingOf(
  { request, upstreamModel, maxOutputTokens }: ProviderCall,
  turns: readonly Turn[],
  toolForced: boolean,
): JsonObject {
  const effort = request.reasoning_effort;
  if (!effort) return {};
  const outputLimit = limitOf(request) ?? maxOutputTokens;
  return reasoningFields({ effort, upstreamModel, turns, outputLimit, toolForced });
}

/** One tool call at a time, as Claude's own API has it; Converse has no field for it. */
function singleToolCall({ parallel_tool_calls: parallel, tool_choice: choice }: ChatCompletionRequest, family: string) {
  if (parallel !== false || family !== 'anthropic') return {};
  const name = isForced(choice) ? chosenName(choice) : undefined;
  const kind = name !== undefined ? { type: 'tool', name } : { type: isForced(choice) ? 'any' : 'auto' };
  return { tool_choice: { ...kind, disable_parallel_tool_use: true } };
}

/** `ServiceTier` of botocore. */
function serviceTier(request: ChatCompletionRequest): JsonObject | undefined {
  const type = flexOrPriority(request);
  return type && { type };
}

const METADATA = /^[\w\s:@$#=/+,.-]{1,256}$/;

/** What the API logs with a call; what has other characters, or is longer, stays here. */
function requestMetadata(metadata: ChatCompletionRequest['metadata']): JsonObject {
  const entries = Object.entries(metadata ?? {});
  return Object.fromEntries(entries.filter(([key, value]) => METADATA.test(key) && METADATA.test(value)));
}

/** Without the fields that are undefined, or an object or list with nothing in it. */
function withoutEmpty(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
