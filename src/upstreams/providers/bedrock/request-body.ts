import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { hasClaudePrefill } from '../shared/claude-prefill.js';
import { forwardingTest } from '../shared/ignored-fields.js';
import { chosenName, mustCall } from '../shared/offered-tools.js';
import { FLEX_AND_PRIORITY, flexOrPriority, outputLimit, penalties, stopSequences } from '../shared/request-fields.js';
import { toMessages } from './messages.js';
import { modelFamily } from './model-family.js';
import { answerTool, jsonInstruction, outputConfig } from './output-format.js';
import { reasoningFields } from './reasoning.js';
import { toTools, withAnswerTool } from './tools.js';

export const isForwarded = forwardingTest(['metadata'], FLEX_AND_PRIORITY);

/** Throws a 400 for fields that the API cannot express. */
export function toRequestBody(call: ProviderCall): JsonObject {
  const { request, upstreamModel } = call;
  const family = modelFamily(upstreamModel);
  const prefilled = family === 'anthropic' && hasClaudePrefill(call);
  const { system, turns } = toMessages(request.messages, upstreamModel, prefilled);
  const instruction = jsonInstruction(call);
  if (instruction !== undefined) system.push({ text: instruction });
  const answer = answerTool(call);
  const toolConfig = withAnswerTool(toTools(call, turns), answer, upstreamModel);
  const modelFields = {
    ...penalties(request),
    ...reasoningFields(call, { turns, toolForced: answer !== undefined || mustCall(request.tool_choice), prefilled }),
    ...(toolConfig && !answer && singleToolCall(request, family)),
  };
  // The model's own tool choice replaces Converse's.
  if ('tool_choice' in modelFields) delete toolConfig?.toolChoice;
  return withoutEmpty({
    system,
    messages: turns,
    inferenceConfig: inferenceConfig(call, modelFields),
    toolConfig,
    additionalModelRequestFields: modelFields,
    outputConfig: outputConfig(call),
    requestMetadata: requestMetadata(request.metadata),
    serviceTier: serviceTier(request),
  });
}

function inferenceConfig({ request, maxOutputTokens }: ProviderCall, modelFields: JsonObject): JsonObject {
  const { temperature, top_p: topP } = request;
  return withoutEmpty({
    maxTokens: outputLimit(request) ?? roomToThink(modelFields, maxOutputTokens),
    temperature: temperature ?? undefined,
    topP: topP ?? undefined,
    stopSequences: stopSequences(request),
  });
}

/** Room for the answer if the caller sets no limit, as the API's default may be less than the reasoning needs. */
const ROOM_TO_ANSWER = 8192;

function roomToThink({ thinking }: { thinking?: { budget_tokens?: number } }, maxOutputTokens: number | null) {
  const budget = thinking?.budget_tokens;
  return budget === undefined ? undefined : (maxOutputTokens ?? budget + ROOM_TO_ANSWER);
}

/** Claude's own `disable_parallel_tool_use`, as Converse has no such field. */
function singleToolCall({ parallel_tool_calls: parallel, tool_choice: choice }: ChatCompletionRequest, family: string) {
  if (parallel !== false || family !== 'anthropic') return {};
  const name = chosenName(choice);
  const kind = name !== undefined ? { type: 'tool', name } : { type: mustCall(choice) ? 'any' : 'auto' };
  return { tool_choice: { ...kind, disable_parallel_tool_use: true } };
}

/** `ServiceTier` in botocore. */
function serviceTier(request: ChatCompletionRequest): JsonObject | undefined {
  const type = flexOrPriority(request);
  return type && { type };
}

const METADATA = /^[\w\s:@$#=/+,.-]{1,256}$/;

/** Logged by the API. Entries with other characters, or too long, are dropped. */
function requestMetadata(metadata: ChatCompletionRequest['metadata']): JsonObject {
  const entries = Object.entries(metadata ?? {});
  return Object.fromEntries(entries.filter(([key, value]) => METADATA.test(key) && METADATA.test(value)));
}

/** Drops undefined and empty fields. */
function withoutEmpty(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
