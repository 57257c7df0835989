import type {
  ChatChoice,
  ChatCompletion,
  ChatResponseMessage,
  CompletionUsage,
  FinishReason,
} from '../../contract/chat.types.js';
import { completionOf, noteServed } from '../../contract/chunk.reader.js';
import { countOf, isObject, type JsonObject, listOf, objectOf, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { charging, UpstreamError, unreadable } from '../../contract/upstream.error.js';
import { imagesIn } from '../shared/citations.js';
import { mintedId } from '../shared/tool-calls.js';
import type { Dialect } from './dialect.js';
import { reportedFailure, throwReported } from './failure.js';
import { reasoningOf, textParts } from './messages.js';
import { argumentsOf, toolCallsOf } from './tools.js';

/** Builds a whole answer from known fields. */
export function toCompletion(body: unknown, call: ProviderCall, dialect: Dialect): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  const usage = toUsage(body, dialect);
  const choices = charging(
    () => readChoices(body, call, dialect),
    () => usage,
  );
  const completion = completionOf(call, choices, usage);
  copyEnvelope(body, completion);
  noteServed(call, servedIn(body, dialect));
  return completion;
}

function readChoices(body: JsonObject, call: ProviderCall, dialect: Dialect): ChatChoice[] {
  throwReported(body, call, dialect);
  if (!Array.isArray(body.choices) || body.choices.length === 0) throw unreadable('The answer has no choices.');
  return body.choices.map((choice: unknown, position) => readChoice(choice, position, body, call, dialect));
}

function readChoice(
  raw: unknown,
  position: number,
  body: JsonObject,
  call: ProviderCall,
  dialect: Dialect,
): ChatChoice {
  if (!isObject(raw) || !isObject(raw.message)) throw unreadable('A choice of the answer has no message.');
  if (isObject(raw.error)) throw reportedFailure(raw.error, call, dialect);
  const index = countOf(raw.index) ?? position;
  const message = readMessage(raw.message, dialect, (position) => mintedId(call, index, position));
  const extras = dialect.extras?.();
  extras?.read(raw.message, body);
  Object.assign(message, extras?.fields());
  const finish = toFinishReason(raw.finish_reason, message.tool_calls !== undefined, dialect);
  return {
    index,
    message,
    logprobs: logprobsOf(raw.logprobs),
    // A whole answer without a reason has ended normally.
    finish_reason: finish ?? (message.tool_calls ? 'tool_calls' : 'stop'),
    ...stopSequenceOf(raw, call),
  };
}

function readMessage(raw: JsonObject, dialect: Dialect, mintId: (index: number) => string): ChatResponseMessage {
  const { readParts = textParts } = dialect;
  const parts = Array.isArray(raw.content) ? readParts(raw.content) : undefined;
  const content = parts?.content ?? (typeof raw.content === 'string' ? raw.content : null);
  const message: ChatResponseMessage = { role: 'assistant', content, refusal: textOf(raw.refusal) ?? null };
  const reasoning = textOf(parts?.reasoning) ?? reasoningOf(raw, dialect);
  if (reasoning !== undefined) message.reasoning_content = reasoning;
  const toolCalls = toolCallsOf(raw.tool_calls, mintId);
  if (toolCalls.length > 0) message.tool_calls = toolCalls;
  const { function_call: called, audio } = raw;
  if (isObject(called)) {
    message.function_call = { name: textOf(called.name) ?? '', arguments: argumentsOf(called.arguments) };
  }
  const annotations = annotationsOf(raw.annotations);
  if (annotations) message.annotations = annotations;
  if (isAudio(audio)) message.audio = audio;
  const images = imagesIn(raw.images);
  if (images.length > 0) message.images = images;
  return message;
}

function isAudio(audio: unknown): boolean {
  return (
    isObject(audio) &&
    [audio.id, audio.data, audio.transcript].every((field) => typeof field === 'string') &&
    Number.isInteger(audio.expires_at)
  );
}

const SERVICE_TIERS = new Set<unknown>(['auto', 'default', 'flex', 'scale', 'priority', 'fast']);

/** Copies known fields except the choices. */
export function copyEnvelope(from: JsonObject, to: JsonObject): void {
  if (SERVICE_TIERS.has(from.service_tier)) to.service_tier = from.service_tier;
  if (typeof from.system_fingerprint === 'string') to.system_fingerprint = from.system_fingerprint;
  const { moderation } = from;
  if (isObject(moderation) && isObject(moderation.input) && isObject(moderation.output)) to.moderation = moderation;
}

/** What the answer says about who served it, as far as the server can be believed. */
export function servedIn(
  { model, service_tier }: JsonObject,
  { echoesServiceTier, namesDeployments }: Dialect,
): JsonObject {
  return { ...(!namesDeployments && { model }), ...(!echoesServiceTier && { service_tier }) };
}

/** OpenAI's words, and those with which servers pass on another API's. Compared in lower case. */
const FINISH_REASONS: ReadonlyMap<string, FinishReason | number> = new Map<string, FinishReason | number>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['function_call', 'function_call'],
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['tool_use', 'stop'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['model_length', 'length'],
  ['refusal', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
  ['safety', 'content_filter'],
  ['recitation', 'content_filter'],
  ['blocklist', 'content_filter'],
  ['prohibited_content', 'content_filter'],
  ['spii', 'content_filter'],
  ['error', 502],
  ['malformed_function_call', 502],
  ['unexpected_tool_call', 502],
  ['malformed_model_output', 502],
  ['malformed_tool_use', 502],
]);

const MALFORMED = /^(?:malformed_|unexpected_tool_call)/i;

/** vLLM's `stop_reason`: the text that ended the answer. It may also be the id of a token. */
export function stopSequenceOf({ stop_reason: stop }: JsonObject, { request }: ProviderCall): { stop_reason?: string } {
  return typeof stop === 'string' && [request.stop ?? []].flat().includes(stop) ? { stop_reason: stop } : {};
}

/** Null if there is none yet, `stop` for unknown reasons. */
export function toFinishReason(word: unknown, hasToolCalls: boolean, dialect: Dialect): FinishReason | null {
  if (typeof word !== 'string' || word === '') return null;
  const [, own] = Object.entries(dialect.finishReasons ?? {}).find(([theirs]) => theirs === word) ?? [];
  const reason = own ?? FINISH_REASONS.get(word.toLowerCase()) ?? 'stop';
  if (typeof reason === 'number') {
    const message = `The upstream ended its answer with "${word.slice(0, 100)}".`;
    throw new UpstreamError({ status: reason, message, answerRefused: MALFORMED.test(word) || undefined });
  }
  return reason === 'stop' && hasToolCalls ? 'tool_calls' : reason;
}

const PROMPT_DETAILS = ['cached_tokens', 'audio_tokens', 'text_tokens', 'image_tokens', 'cache_write_tokens'] as const;
const COMPLETION_DETAILS = [
  'reasoning_tokens',
  'audio_tokens',
  'text_tokens',
  'accepted_prediction_tokens',
  'rejected_prediction_tokens',
] as const;

/** Usage with prompt + completion = total; undefined if there is none. */
export function toUsage(
  body: JsonObject,
  dialect: Pick<Dialect, 'usageOf' | 'shortCount' | 'cachedTokensField'> = {},
): CompletionUsage | undefined {
  const raw = dialect.usageOf ? dialect.usageOf(body) : body.usage;
  if (!isObject(raw)) return undefined;
  const prompt = countOf(raw.prompt_tokens);
  const completion = countOf(raw.completion_tokens);
  if (prompt === undefined || completion === undefined) return undefined;

  const usage: CompletionUsage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: 0 };
  const missing = (countOf(raw.total_tokens) ?? 0) - prompt - completion;
  if (missing > 0) usage[dialect.shortCount ?? 'completion_tokens'] += missing;
  const cached = dialect.cachedTokensField === undefined ? undefined : countOf(raw[dialect.cachedTokensField]);
  const promptDetails = countsOf(raw.prompt_tokens_details, PROMPT_DETAILS);
  if (promptDetails || cached !== undefined) {
    usage.prompt_tokens_details = cached === undefined ? promptDetails : { cached_tokens: cached, ...promptDetails };
  }
  const searches = webSearches(raw);
  if (searches !== undefined) usage.server_tool_use = { web_search_requests: searches };
  const completionDetails = countsOf(raw.completion_tokens_details, COMPLETION_DETAILS);
  if (completionDetails) usage.completion_tokens_details = completionDetails;
  return withWholeCounts(usage);
}

/** Some servers exclude cached tokens from the prompt, or reasoning from the completion, and from their total. */
function withWholeCounts(usage: CompletionUsage): CompletionUsage {
  const { cached_tokens = 0, cache_write_tokens = 0 } = usage.prompt_tokens_details ?? {};
  const { reasoning_tokens = 0 } = usage.completion_tokens_details ?? {};
  usage.prompt_tokens = Math.max(usage.prompt_tokens, cached_tokens + cache_write_tokens);
  usage.completion_tokens = Math.max(usage.completion_tokens, reasoning_tokens);
  usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
  return usage;
}

/** OpenRouter's field, then Perplexity's. */
function webSearches({ server_tool_use: used, num_search_queries: queries }: JsonObject): number | undefined {
  return countOf(objectOf(used).web_search_requests) ?? countOf(queries);
}

function countsOf(details: unknown, names: readonly string[]): Record<string, number> | undefined {
  if (!isObject(details)) return undefined;
  const counts: Record<string, number> = {};
  for (const name of names) {
    const count = countOf(details[name]);
    if (count !== undefined) counts[name] = count;
  }
  return counts;
}

/** Undefined if there is no list. */
export function annotationsOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value.filter(isUrlCitation) : undefined;
}

function isUrlCitation(annotation: unknown): boolean {
  if (!isObject(annotation) || annotation.type !== 'url_citation' || !isObject(annotation.url_citation)) return false;
  const { start_index, end_index, url, title } = annotation.url_citation;
  return (
    Number.isInteger(start_index) && Number.isInteger(end_index) && typeof url === 'string' && typeof title === 'string'
  );
}

/** Adds the keys that OpenAI's schema requires; null if there are none. */
export function logprobsOf(value: unknown): JsonObject | null {
  if (!isObject(value)) return null;
  const content = tokensOf(value.content);
  const refusal = tokensOf(value.refusal);
  return content || refusal ? { content, refusal } : null;
}

/** Null if there are none. */
export function textLogprobs(tokens: unknown): JsonObject | null {
  return Array.isArray(tokens) && tokens.length > 0 ? logprobsOf({ content: tokens }) : null;
}

function tokensOf(tokens: unknown): JsonObject[] | null {
  return Array.isArray(tokens) ? tokens.filter(isToken).map(withAlternatives) : null;
}

function isToken(entry: unknown): entry is JsonObject {
  return isObject(entry) && typeof entry.token === 'string' && typeof entry.logprob === 'number';
}

function withAlternatives(entry: JsonObject): JsonObject {
  return { ...plainToken(entry), top_logprobs: listOf(entry.top_logprobs).filter(isToken).map(plainToken) };
}

function plainToken({ token, logprob, bytes }: JsonObject): JsonObject {
  return { token, logprob, bytes: Array.isArray(bytes) ? bytes : null };
}
