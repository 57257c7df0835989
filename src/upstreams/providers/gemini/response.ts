import { parseExactly } from '../../../json/exact-json.js';
import type {
  ChatChoice,
  ChatChunkChoice,
  ChatCompletion,
  ChatDelta,
  CompletionUsage,
  FinishReason,
  ToolCallDelta,
  UsageSoFar,
} from '../../contract/chat.types.js';
import {
  ChunkReader,
  chunkOf,
  completionOf,
  noteHostedCalls,
  noteServed,
  StreamedChoice,
  withoutOutput,
} from '../../contract/chunk.reader.js';
import { countOf, isObject, type JsonObject, listOf, objectOf, objectsOf, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { charging, UpstreamError, unreadable, withUsage } from '../../contract/upstream.error.js';
import { answerImage, urlCitation } from '../shared/citations.js';
import { eventData } from '../shared/event-data.js';
import { joinedMessage } from '../shared/whole-answer.js';
import { reportedFailure } from './failure.js';
import { FunctionCalls, signedContent } from './tools.js';

/** A blocked prompt is an empty answer with `content_filter`. */
export function toCompletion(answer: unknown, call: ProviderCall): ChatCompletion {
  const body: unknown = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  if (body.error) throw reportedFailure(body, call);
  noteServed(call, { model: body.modelVersion, service_tier: servedTier(body) });
  const usage = toUsage(body);
  const choices = charging(
    () => choicesOf(body, call),
    () => usage,
  );
  return completionOf(call, choices, usage);
}

function choicesOf(body: JsonObject, call: ProviderCall): ChatChoice[] {
  if (isBlocked(body)) {
    return [{ index: 0, message: joinedMessage([]), finish_reason: 'content_filter', logprobs: null }];
  }
  if (!Array.isArray(body.candidates) || body.candidates.length === 0) throw unreadable('The answer has no candidate.');
  const readers: CandidateReader[] = [];
  const choices = body.candidates.map((candidate: unknown, position): ChatChoice => {
    if (!isObject(candidate)) throw unreadable('A candidate of the answer is not an object.');
    const index = countOf(candidate.index) ?? position;
    const reader = new CandidateReader(call, index);
    readers.push(reader);
    const message = joinedMessage([reader.read(candidate), reader.end()]);
    return {
      index,
      message,
      // A whole answer without a reason has ended normally.
      finish_reason: reader.finishReason ?? (message.tool_calls ? 'tool_calls' : 'stop'),
      logprobs: logprobsOf(candidate.logprobsResult),
    };
  });
  assertAnswered(readers, toUsage(body));
  return choices;
}

/**
 * Reads the stream of one call. The finish reason is sent at the end of the body, as more text, or a function call that
 * changes its meaning, may follow an event with a finish reason.
 */
export class GeminiChunkReader extends ChunkReader {
  private readonly choices = new Map<number, CandidateReader>();
  private blocked = false;
  /** The usage so far if the latest event with usage did not count the text, as happens before the last one. */
  private uncounted: UsageSoFar | undefined;

  read(event: UpstreamEvent): boolean {
    const body = eventData(event, isOwn, parseExactly);
    if (!body) return false;
    if (body.error) throw reportedFailure(body, this.call);
    this.noteUsage(toUsage(body), countOf(objectOf(body.usageMetadata).candidatesTokenCount) !== undefined);
    const searches = searchesOf(body.candidates);
    if (searches > 0) noteHostedCalls(this.call, Array<string>(searches).fill('web_search'));
    noteServed(this.call, { model: body.modelVersion, service_tier: servedTier(body) });
    this.blocked ||= isBlocked(body);
    for (const [position, candidate] of listOf(body.candidates).entries()) {
      if (isObject(candidate)) this.readCandidate(candidate, position);
    }
    return false;
  }

  /** Each event reports the usage so far, but only one event reports the searches. */
  private noteUsage(usage: CompletionUsage | undefined, isTextCounted: boolean): void {
    const { server_tool_use = usage?.server_tool_use } = this.usage ?? {};
    if (!usage) return;
    this.usage = server_tool_use ? { ...usage, server_tool_use } : usage;
    this.uncounted = isTextCounted ? undefined : withoutOutput(usage);
  }

  override usageSoFar(): UsageSoFar | undefined {
    return this.uncounted ?? this.usage;
  }

  override unread(): string {
    return [...this.choices.values()].map((choice) => choice.unread).join('');
  }

  override get hasEnded(): boolean {
    return this.choices.size > 0 && [...this.choices.values()].every(({ finishReason }) => finishReason !== null);
  }

  protected override end(): void {
    if (this.blocked && this.choices.size === 0)
      this.send(new StreamedChoice(0).next({ content: '' }, 'content_filter'));
    assertAnswered(this.choices.values(), this.usage);
    for (const choice of this.choices.values()) {
      const finish = choice.finishReason;
      if (finish) this.send(choice.next({ ...(!choice.started && { content: '' }), ...choice.end() }, finish));
    }
  }

  private readCandidate(candidate: JsonObject, position: number): void {
    const choice = this.choiceAt(countOf(candidate.index) ?? position);
    const delta = choice.read(candidate);
    const logprobs = candidate.logprobsResult ? logprobsOf(candidate.logprobsResult) : null;
    // Nothing is sent before the first content, as an answer that ends without any may have failed.
    const { content, reasoning_content: thought, tool_calls: calls, images } = delta;
    if (!content && !thought && !calls && !images && !logprobs) return;
    if (!choice.started) delta.content ??= '';
    this.send({ ...choice.next(delta), ...(logprobs && { logprobs }) });
  }

  private choiceAt(index: number): CandidateReader {
    const choice = this.choices.get(index) ?? new CandidateReader(this.call, index);
    this.choices.set(index, choice);
    return choice;
  }

  private send(choice: ChatChunkChoice): void {
    this.emit(chunkOf(this.call, [choice]));
  }
}

/** The API's own events have no name, except errors. */
function isOwn(event: string): boolean {
  return event === '' || event === 'message' || event === 'error';
}

/**
 * Reads one candidate, whole or streamed. Calls of the API's own tools (`toolCall`, `executableCode`) and their results
 * are not part of the answer.
 */
class CandidateReader extends StreamedChoice {
  private readonly calls: FunctionCalls;
  private text = '';
  private imageCount = 0;
  private signature: string | undefined;
  private grounding: JsonObject | undefined;
  private reason: unknown;

  constructor(call: ProviderCall, index: number) {
    super(index);
    this.calls = new FunctionCalls(call, index);
  }

  /** Null until the candidate has ended. */
  get finishReason(): FinishReason | null {
    return toFinishReason(this.reason, this.calls.started);
  }

  /** Set if the candidate ended without content and for a reason that is a failure. */
  get failure(): UpstreamError | undefined {
    const isEmpty = this.text === '' && this.imageCount === 0 && !this.calls.started;
    return isEmpty ? emptyAnswerFailure(this.reason) : undefined;
  }

  /** Calls that are not passed on, or are incomplete. */
  get unread(): string {
    return this.calls.unread;
  }

  read({ content, finishReason, groundingMetadata }: JsonObject): ChatDelta {
    if (finishReason !== undefined) this.reason = finishReason;
    if (isObject(groundingMetadata) && groundingMetadata.groundingSupports) this.grounding = groundingMetadata;
    const delta: ChatDelta = {};
    if (!isObject(content) || !Array.isArray(content.parts)) return delta;
    for (const part of content.parts) if (isObject(part)) this.readPart(part, delta);
    return delta;
  }

  end(): ChatDelta {
    const delta: ChatDelta = {};
    addToolCalls(delta, this.calls.completion());
    const annotations = this.grounding ? annotationsOf(this.grounding, this.text) : [];
    if (annotations.length > 0) delta.annotations = annotations;
    return this.signature === undefined ? delta : Object.assign(delta, signedContent(this.signature));
  }

  /** Drafts of the model, which are thoughts, are not part of the answer. */
  private readImage({ mimeType, data }: JsonObject, signature: string | undefined, delta: ChatDelta): void {
    if (typeof mimeType !== 'string' || !mimeType.startsWith('image/') || typeof data !== 'string') return;
    const carried = signature === undefined ? {} : { ...signedContent(signature) };
    const image = answerImage(`data:${mimeType};base64,${data}`, this.imageCount++, carried);
    delta.images = [...(delta.images ?? []), image];
  }

  private readPart(part: JsonObject, delta: ChatDelta): void {
    const signature = textOf(part.thoughtSignature);
    if (isObject(part.functionCall)) {
      addToolCalls(delta, this.calls.read(part.functionCall, signature));
    } else if (typeof part.text === 'string') {
      if (part.thought === true) addText(delta, 'reasoning_content', part.text);
      else {
        this.signature = signature ?? this.signature;
        this.text += part.text;
        addText(delta, 'content', part.text);
      }
    } else if (part.thought !== true) this.readImage(objectOf(part.inlineData), signature, delta);
  }
}

/** Throws if no candidate of a finished answer has content, and one of them failed. */
function assertAnswered(candidates: Iterable<CandidateReader>, usage: CompletionUsage | undefined): void {
  const failures = Array.from(candidates, ({ failure }) => failure);
  const [first] = failures;
  if (first && failures.every((failure) => failure !== undefined)) throw withUsage(first, usage);
}

function addText(delta: ChatDelta, field: 'content' | 'reasoning_content', text: string): void {
  if (text !== '') delta[field] = (delta[field] ?? '') + text;
}

function addToolCalls(delta: ChatDelta, calls: ToolCallDelta[]): void {
  if (calls.length === 0) return;
  delta.tool_calls ??= [];
  delta.tool_calls.push(...calls);
}

/** All other reasons are `stop`, or a failure of an answer without content. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['MODEL_ARMOR', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
]);

/** Names of the numbers that Vertex AI returns if enums are requested as numbers. */
const WORDS = [
  'FINISH_REASON_UNSPECIFIED',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'MODEL_ARMOR',
];

/**
 * `finishReason` → `finish_reason`; null if there is none yet. STOP with a function call is `tool_calls`. Unknown
 * reasons and reasons without an equivalent (LANGUAGE, OTHER, a malformed call) are `stop`.
 */
function toFinishReason(reason: unknown, hasToolCalls: boolean): FinishReason | null {
  const word = wordOf(reason);
  return word === null ? null : (REASONS.get(word) ?? (hasToolCalls ? 'tool_calls' : 'stop'));
}

/**
 * The failure that a reason means for an answer without content: a malformed or unexpected call, OTHER, and whatever is
 * neither a normal end, a limit nor a filter. Undefined if it means none.
 */
function emptyAnswerFailure(reason: unknown): UpstreamError | undefined {
  const word = wordOf(reason);
  if (word === null || word === 'STOP' || REASONS.has(word)) return undefined;
  const message = `The upstream ended its answer with "${word.slice(0, 100)}" and without content.`;
  return new UpstreamError({ status: 502, message, answerRefused: MALFORMED.has(word) || undefined });
}

const MALFORMED = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
]);

function wordOf(reason: unknown): string | null {
  const word = typeof reason === 'number' ? (WORDS[reason] ?? 'OTHER') : reason;
  return typeof word !== 'string' || word === '' || word === 'FINISH_REASON_UNSPECIFIED' ? null : word;
}

/** Whether the whole prompt was blocked, so that there is only a reason and no candidate. */
function isBlocked({ candidates, promptFeedback }: JsonObject): boolean {
  const hasNone = !Array.isArray(candidates) || candidates.length === 0;
  return hasNone && isObject(promptFeedback) && Boolean(promptFeedback.blockReason);
}

/**
 * `usageMetadata` → usage; undefined if there are no counts yet. The API omits zeros. Its prompt tokens include cached
 * tokens but not the input of the API's own tools. Its candidates' tokens exclude thoughts.
 */
function toUsage({ usageMetadata: raw, candidates }: JsonObject): CompletionUsage | undefined {
  if (!isObject(raw)) return undefined;
  const prompt = countOf(raw.promptTokenCount);
  const total = countOf(raw.totalTokenCount);
  if (prompt === undefined && total === undefined) return undefined;

  const thoughts = countOf(raw.thoughtsTokenCount) ?? 0;
  const promptTokens = (prompt ?? 0) + (countOf(raw.toolUsePromptTokenCount) ?? 0);
  const output = (countOf(raw.candidatesTokenCount) ?? 0) + thoughts;
  const completionTokens = Math.max(output, (total ?? 0) - promptTokens);
  const cached = countOf(raw.cachedContentTokenCount);
  const audioInput = audioTokens(raw.promptTokensDetails);
  const audioOutput = audioTokens(raw.candidatesTokensDetails);
  const searches = searchesOf(candidates);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cached ?? 0, ...(audioInput > 0 && { audio_tokens: audioInput }) },
    completion_tokens_details: { reasoning_tokens: thoughts, ...(audioOutput > 0 && { audio_tokens: audioOutput }) },
    ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
  };
}

/** `trafficType` of Vertex AI. Provisioned throughput has no tier. */
const TIER_OF_TRAFFIC: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['ON_DEMAND', 'standard'],
  ['ON_DEMAND_FLEX', 'flex'],
  ['ON_DEMAND_PRIORITY', 'priority'],
]);
const TIERS = new Set(TIER_OF_TRAFFIC.values());

/** The tier that served, as the Gemini API (`serviceTier`) or Vertex AI (`trafficType`) reports it. */
function servedTier({ usageMetadata }: JsonObject): string | undefined {
  const { serviceTier, trafficType } = objectOf(usageMetadata);
  const tier = textOf(serviceTier)?.toLowerCase();
  return tier !== undefined && TIERS.has(tier) ? tier : TIER_OF_TRAFFIC.get(trafficType);
}

/** Google charges for each search query of the model. */
function searchesOf(candidates: unknown): number {
  const grounding = objectsOf(candidates).map(({ groundingMetadata }) => objectOf(groundingMetadata));
  return grounding.flatMap(({ webSearchQueries }) => listOf(webSearchQueries)).length;
}

function audioTokens(details: unknown): number {
  const audio = objectsOf(details).filter(({ modality }) => modality === 'AUDIO');
  return audio.reduce((sum, { tokenCount }) => sum + (countOf(tokenCount) ?? 0), 0);
}

/**
 * `groundingMetadata` → `url_citation` annotations: one for each segment and source. The API counts bytes; OpenAI
 * counts characters.
 */
function annotationsOf({ groundingSupports, groundingChunks }: JsonObject, text: string): JsonObject[] {
  if (!Array.isArray(groundingSupports) || !Array.isArray(groundingChunks)) return [];
  const bytes = Buffer.from(text);
  const lengthBefore = (offset: number) => bytes.subarray(0, offset).toString('utf8').length;
  return objectsOf(groundingSupports).flatMap(({ segment, groundingChunkIndices: indices }) => {
    const { startIndex, endIndex } = objectOf(segment);
    const end = countOf(endIndex);
    if (end === undefined || !Array.isArray(indices)) return [];
    const [from, to] = [lengthBefore(countOf(startIndex) ?? 0), lengthBefore(end)];
    return indices.flatMap((index) => {
      const { web, retrievedContext } = objectOf(groundingChunks[index]);
      const { uri, title } = objectOf(web ?? retrievedContext);
      const url = textOf(uri);
      return url === undefined ? [] : [urlCitation(url, textOf(title) ?? url, from, to)];
    });
  });
}

/** Null if there are none. */
function logprobsOf(result: unknown): JsonObject | null {
  if (!isObject(result) || !Array.isArray(result.chosenCandidates)) return null;
  const tops = listOf(result.topCandidates);
  const content = result.chosenCandidates.flatMap((chosen, position) => {
    const token = tokenOf(chosen);
    const alternatives = listOf(objectOf(tops[position]).candidates).flatMap((one) => tokenOf(one) ?? []);
    return token ? [{ ...token, top_logprobs: alternatives }] : [];
  });
  return { content, refusal: null };
}

function tokenOf(candidate: unknown): JsonObject | undefined {
  if (!isObject(candidate) || typeof candidate.token !== 'string') return undefined;
  const { token, logProbability = 0 } = candidate;
  return typeof logProbability === 'number' ? { token, logprob: logProbability, bytes: null } : undefined;
}
