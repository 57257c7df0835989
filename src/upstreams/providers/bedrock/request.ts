import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { adaptiveThinking, claudeThinking, hasClaudePrefill, MIN_BUDGET } from '../shared/claude.js';
import { forwardingTest, unsupported } from '../shared/ignored-fields.js';
import { FLEX_AND_PRIORITY, flexOrPriority, outputLimit, penalties, stopSequences } from '../shared/request-fields.js';
import { type AnswerTool, chosenName, mustCall, nearestEffort } from '../shared/requested-tools.js';
import type { ConverseTurn } from './converse.types.js';
import { CacheMarks, toMessages } from './messages.js';
import { answerTool, jsonInstruction, modelFamily, outputConfig } from './schema.js';
import { toTools, withAnswerTool } from './tools.js';

export const isForwarded = forwardingTest(['metadata', 'cache_control'], FLEX_AND_PRIORITY);

/** Throws a 400 for fields that the API cannot express. */
export function toRequestBody(call: ProviderCall, marks = new CacheMarks()): JsonObject {
  const { request, upstreamModel } = call;
  const family = modelFamily(upstreamModel);
  const prefilled = family === 'anthropic' && hasClaudePrefill(call);
  const { system, turns } = toMessages(request.messages, upstreamModel, prefilled, marks);
  // The mark of a whole request belongs to its last block.
  marks.mark(turns.at(-1)?.content ?? [], request);
  const answer = answerTool(call);
  const instruction = jsonInstruction(call) ?? answer?.instruction;
  if (instruction !== undefined) system.push({ text: instruction });
  const toolConfig = withAnswerTool(toTools(call, turns, marks), answer, upstreamModel);
  const modelFields = {
    ...penalties(request),
    ...reasoningFields(call, { turns, toolForced: isForced(answer, request), prefilled }),
    ...(toolConfig && !answer && singleToolCall(request, family)),
  };
  // The model's own tool choice replaces Converse's.
  if ('tool_choice' in modelFields) delete toolConfig?.toolChoice;
  marks.place(upstreamModel, toolConfig?.tools ?? [], system, turns);
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

function isForced(answer: AnswerTool | undefined, { tool_choice: choice }: ChatCompletionRequest): boolean {
  return answer ? answer.instruction === undefined : mustCall(choice);
}

function inferenceConfig(call: ProviderCall, modelFields: JsonObject): JsonObject {
  const { request, maxOutputTokens } = call;
  const leftOut = novaEffort(call)?.leftOut ?? [];
  return withoutEmpty({
    maxTokens: outputLimit(request) ?? roomToThink(modelFields, maxOutputTokens),
    temperature: leftOut.includes('temperature') ? undefined : (request.temperature ?? undefined),
    topP: leftOut.includes('top_p') ? undefined : (request.top_p ?? undefined),
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

interface Circumstances {
  readonly turns: readonly ConverseTurn[];
  readonly toolForced: boolean;
  /** Whether the conversation ends with the beginning of the answer. */
  readonly prefilled: boolean;
}

/** `reasoning_effort` as `additionalModelRequestFields` of the model's vendor. Throws if it has no equivalent. */
function reasoningFields(call: ProviderCall, circumstances: Circumstances): JsonObject {
  const { upstreamModel } = call;
  const effort = call.request.reasoning_effort;
  if (!effort) return {};
  const nova = novaEffort(call);
  if (nova) return novaFields(nova.effort);
  switch (modelFamily(upstreamModel)) {
    case 'anthropic':
      return claudeFields(effort, call, circumstances);
    case 'openai':
      return { reasoning_effort: nearestEffort(effort, call.traits.efforts ?? LEVELS) };
    case 'deepseek':
    case 'qwen':
    case 'moonshot':
    case 'moonshotai':
    case 'minimax':
    case 'zai':
      return effort === 'none' ? {} : { reasoning_config: nearestEffort(effort, call.traits.efforts ?? LEVELS) };
  }
  if (effort === 'none') return {};
  throw unsupported('reasoning_effort', 'This model does not accept a reasoning effort.');
}

/** Nova reasons with its highest effort only without an output limit, `temperature` and `topP`. */
const UNBOUNDED = 'high';

interface NovaEffort {
  readonly effort: string;
  /** Fields of the request that the effort excludes, or that did not get what they asked for. */
  readonly leftOut: readonly string[];
}

/**
 * The nearest effort of a Nova model; undefined if it has none, or the request asks for none. A request with an output limit
 * gets the next lower one instead of the unbounded, as a limit may not be exceeded; sampling is left out beside that.
 */
export function novaEffort({ request, upstreamModel, traits }: ProviderCall): NovaEffort | undefined {
  const { reasoning_effort: requested, temperature, top_p: topP } = request;
  if (!requested || modelFamily(upstreamModel) !== 'amazon') return undefined;
  const efforts = traits.efforts ?? (upstreamModel.includes('nova-2') ? ['none', ...LEVELS] : null);
  if (efforts === null) return undefined;
  const effort = nearestEffort(requested, efforts);
  if (effort !== UNBOUNDED) return { effort, leftOut: [] };
  const bounded = efforts.filter((one) => one !== UNBOUNDED);
  if (outputLimit(request) !== undefined) {
    return { effort: nearestEffort(UNBOUNDED, bounded), leftOut: ['reasoning_effort'] };
  }
  return { effort, leftOut: [...(temperature != null ? ['temperature'] : []), ...(topP != null ? ['top_p'] : [])] };
}

function novaFields(effort: string): JsonObject {
  if (effort === 'none') return { reasoningConfig: { type: 'disabled' } };
  return { reasoningConfig: { type: 'enabled', maxReasoningEffort: effort } };
}

const LEVELS = ['low', 'medium', 'high'];

const BUDGETS = new Map([
  ['minimal', MIN_BUDGET],
  ['low', 2048],
  ['medium', 8192],
  ['high', 16_384],
]);
const MAX_BUDGET = 24_576;

/**
 * Claude up to 4.5 has a thinking budget. It does not think if there is no room for a budget, if a tool is forced, if
 * the answer is prefilled, or if the client dropped the first thoughts of a tool loop. Later models have an effort; up
 * to 4.7 they do not think if a tool is forced.
 */
function claudeFields(effort: string, call: ProviderCall, { turns, toolForced, prefilled }: Circumstances): JsonObject {
  const model = claudeThinking(call);
  if (model.form === 'adaptive') {
    const { thinking, effort: guide } = adaptiveThinking(model, effort);
    const canThink = !toolForced || model.withForcedTool;
    return { ...(canThink && thinking && { thinking }), ...(guide && { output_config: { effort: guide } }) };
  }
  if (effort === 'none') return {};
  const limit = outputLimit(call.request) ?? call.maxOutputTokens ?? Number.POSITIVE_INFINITY;
  const budget = Math.min(BUDGETS.get(effort) ?? MAX_BUDGET, limit - 1);
  if (budget < MIN_BUDGET || toolForced || prefilled || lostThoughts(turns)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

function lostThoughts(turns: readonly ConverseTurn[]): boolean {
  const question = turns.findLastIndex(
    ({ role, content }) => role === 'user' && content.some((block) => !('toolResult' in block)),
  );
  const answer = turns[question + 1]?.content[0];
  return answer !== undefined && !('reasoningContent' in answer);
}
