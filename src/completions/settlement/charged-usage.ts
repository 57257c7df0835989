import type { Price } from '../../billing/price.js';
import { CACHE_LIFETIMES, type CacheLifetime } from '../../config/price.settings.js';
import type { ChargeNotes, TokenCounts } from '../../ledger/call-record.types.js';
import { soundOut } from '../../limits/paid-options.js';
import { TOKENS_PER_TOOL_RESULT, tokensOfReadings } from '../../limits/worst-case.js';
import type { ChatCompletionRequest, CompletionUsage, UsageSoFar } from '../../upstreams/contract/chat.types.js';
import { promptCeiling } from '../../upstreams/tokens/prompt-ceiling.js';
import { countPromptTokens, promptSoundTokens } from '../../upstreams/tokens/prompt-tokens.js';
import type { TokenCounter } from '../../upstreams/tokens/token-counter.js';
import type { AnswerRecord } from './answer.record.js';

/** The usage that a call is charged for. `basis`: how it was estimated, if the upstream did not report it. */
export interface ChargedUsage {
  readonly usage: CompletionUsage;
  readonly isReported: boolean;
  readonly basis: ChargeNotes['basis'] | null;
  /** Whether the upstream reported the prompt of a call whose output is estimated. */
  readonly hasReportedPrompt?: boolean;
  /** The part of the prompt that results of the provider's tools are estimated to have added. */
  readonly resultTokens?: number;
}

export interface AbandonedCall {
  readonly request: ChatCompletionRequest;
  readonly reported: UsageSoFar | undefined;
  /** Output that the seen answer does not have. */
  readonly unread: string;
  readonly ceiling: number;
  readonly contextLength: number;
  /** Of the provider's tools. */
  readonly shownCalls: number;
  /** Whether the model reads the prompt again after each of them. */
  readonly rereadsPrompt: boolean;
  /** The tokens that the model has probably written by now without showing them. */
  readonly hidden: number;
  /** Whether the provider bills the whole answer even if nobody reads it. */
  readonly isBilledWhole: boolean;
}

type SeenAnswer = Pick<AnswerRecord, 'usage' | 'texts' | 'length' | 'soundTokens' | 'imageTokens'>;
type Counter = Pick<TokenCounter, 'count'>;

/** Where results are read several times, so that the most that they may have would be charged several times. */
const USUAL_TOKENS_OF_A_RESULT = TOKENS_PER_TOOL_RESULT / 2;

/** Counts above this or below zero are not valid reports. */
const MAX_TOKENS = 1_000_000_000;

/** What the gateway knows of an answer that it has seen nothing of. */
export const NOTHING_SEEN: SeenAnswer = { usage: null, texts: [], length: 0, soundTokens: 0, imageTokens: 0 };

export const NO_USAGE: ChargedUsage = { usage: toUsage(0, 0), isReported: false, basis: null };

/** The upstream's report for an answer; null if it is missing or invalid. */
export function reportedUsage(usage: CompletionUsage | null | undefined): ChargedUsage | null {
  return usage && isReport(usage) ? { usage, isReported: true, basis: null } : null;
}

/** An estimate for a complete answer: what was reported, the visible text, and the likely hidden reasoning. */
export async function visibleUsage(
  record: AnswerRecord,
  { request, reported, ceiling, hidden }: Pick<AbandonedCall, 'request' | 'reported' | 'ceiling' | 'hidden'>,
  tokens: Counter,
): Promise<ChargedUsage> {
  const report = reported && isReport(reported) ? reported : undefined;
  const [prompt, seen] = await Promise.all([
    report?.prompt_tokens ?? countPromptTokens(request, tokens),
    seenTokens(record, tokens),
  ]);
  const output = Math.max(seen, Math.min(Math.ceil(hidden), ceiling), report?.least_completion_tokens ?? 0);
  const details = report ? report.prompt_tokens_details : estimatedDetails(request);
  const usage = withSound(toUsage(prompt, output, details), record, seen, request);
  return { usage, isReported: false, basis: output > seen ? 'time' : 'visible' };
}

/** For an abandoned answer: the reported usage, else an estimate of the prompt and the likely output. */
export async function abandonedUsage(record: SeenAnswer, call: AbandonedCall, tokens: Counter): Promise<ChargedUsage> {
  const { request, reported, unread, ceiling, contextLength, hidden, isBilledWhole } = call;
  const known: UsageSoFar | undefined = record.usage ?? reported;
  const report = known && isReport(known) ? known : undefined;
  const sent = report?.prompt_tokens ?? (await countPromptTokens(request, tokens, contextLength));
  const details = report ? report.prompt_tokens_details : estimatedDetails(request);
  if (report?.completion_tokens !== undefined) {
    const usage = toUsage(sent, report.completion_tokens, details);
    if (record.usage?.server_tool_use) usage.server_tool_use = record.usage.server_tool_use;
    if (report.completion_tokens_details) usage.completion_tokens_details = report.completion_tokens_details;
    return { usage, isReported: true, basis: null };
  }
  const resultTokens = Math.round(addedTokens(sent, report?.readings, call));
  const prompt = sent + resultTokens;
  const estimated = { isReported: false, hasReportedPrompt: report !== undefined, resultTokens };
  const seen = (await seenTokens(record, tokens)) + (await tokens.count(unread));
  const usageOf = (output: number) => withSound(toUsage(prompt, output, details), record, seen, request);
  if (isBilledWhole) return { usage: usageOf(ceiling), basis: 'ceiling', ...estimated };
  const most = Math.max(seen, Math.ceil(hidden), within(report?.least_completion_tokens, ceiling));
  const output = Math.min(most, Math.max(ceiling, 0));
  return { usage: usageOf(output), basis: hidden > seen ? 'time' : 'visible', ...estimated };
}

/**
 * The estimated tokens that results of the provider's tools have added to the prompt of an answer that was left, with its
 * unreported readings. `sent`: the tokens of the prompt. `readings`: how many of them `sent` has; absent: one.
 */
function addedTokens(sent: number, readings: number | undefined, call: AbandonedCall): number {
  const { shownCalls: calls, rereadsPrompt, contextLength } = call;
  if (!rereadsPrompt) return Math.max(0, Math.min(calls * TOKENS_PER_TOOL_RESULT, contextLength - sent));
  if (readings === undefined) return tokensOfReadings(sent, calls, contextLength, USUAL_TOKENS_OF_A_RESULT) - sent;
  return Math.min((calls * USUAL_TOKENS_OF_A_RESULT * readings) / 2, contextLength * (readings - 1));
}

/** Sound may have a price of its own. */
function estimatedDetails(request: ChatCompletionRequest): CompletionUsage['prompt_tokens_details'] {
  const sound = promptSoundTokens(request);
  return sound > 0 ? { audio_tokens: sound } : undefined;
}

/** Output that was not seen is sound if the request asks for sound. `seen`: the tokens of the output that was seen. */
function withSound(
  usage: CompletionUsage,
  { soundTokens }: SeenAnswer,
  seen: number,
  request: ChatCompletionRequest,
): CompletionUsage {
  const unseen = soundOut(request) === null ? 0 : Math.max(usage.completion_tokens - seen, 0);
  const sound = Math.ceil(soundTokens) + unseen;
  return sound > 0 ? { ...usage, completion_tokens_details: { audio_tokens: sound } } : usage;
}

/** Invalid counts of details are left out. */
export function toTokenCounts(usage: CompletionUsage, price: Price, request: ChatCompletionRequest): TokenCounts {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details = {} } = usage;
  const cached = within(details.cached_tokens, input);
  const written = within(details.cache_write_tokens, input - cached);
  const counts = {
    input,
    cached,
    output,
    reasoning: within(usage.completion_tokens_details?.reasoning_tokens, output),
  };
  if (written === 0) return counts;
  const { cache_write_1h_tokens: ofAnHour } = details;
  if (ofAnHour === undefined) return { ...counts, cacheWrites: { [unsplitLifetime(price, request)]: written } };
  const writtenForAnHour = within(ofAnHour, written);
  const others = written - writtenForAnHour;
  const isForAnHour = writtenForAnHour > 0 && { '1h': writtenForAnHour };
  return { ...counts, cacheWrites: { ...(others > 0 && { '5m': others }), ...isForAnHour } };
}

export function sumOfCounts(one: TokenCounts, other: TokenCounts): TokenCounts {
  const writes = { ...one.cacheWrites };
  for (const [lifetime, count] of Object.entries(other.cacheWrites ?? {})) {
    writes[lifetime] = (writes[lifetime] ?? 0) + count;
  }
  return {
    input: one.input + other.input,
    cached: one.cached + other.cached,
    ...(Object.keys(writes).length > 0 && { cacheWrites: writes }),
    output: one.output + other.output,
    reasoning: one.reasoning + other.reasoning,
  };
}

/** For providers that report one number: the longest lifetime that was requested and has a price, else the shortest. */
function unsplitLifetime({ cacheLifetimes }: Price, request: ChatCompletionRequest): CacheLifetime {
  const [shortest = '5m'] = cacheLifetimes;
  const priced = shortest === '5m' ? ANTHROPICS_LIFETIMES : cacheLifetimes;
  if (priced.length === 1) return shortest;
  const { cacheWrites: requested } = promptCeiling(request, 0);
  if (requested === null) return shortest;
  const most = CACHE_LIFETIMES.indexOf(requested);
  return priced.findLast((lifetime) => CACHE_LIFETIMES.indexOf(lifetime) <= most) ?? shortest;
}

/** Both have a price, as a multiple of the input's. */
const ANTHROPICS_LIFETIMES: readonly CacheLifetime[] = ['5m', '1h'];

function isReport({ prompt_tokens: prompt, completion_tokens: completion = 0 }: UsageSoFar): boolean {
  return isCount(prompt) && isCount(completion);
}

export function isCount(count: number): boolean {
  return Number.isInteger(count) && count >= 0 && count <= MAX_TOKENS;
}

function within(count: number | undefined, most: number): number {
  return count !== undefined && isCount(count) ? Math.min(count, most) : 0;
}

/** Extrapolates from the stored part of the text. */
async function seenTokens({ texts, length, soundTokens, imageTokens }: SeenAnswer, tokens: Counter): Promise<number> {
  const text = texts.join('');
  const output = await tokens.count(text);
  const written = text.length < length ? Math.round((output * length) / text.length) : output;
  return written + Math.ceil(soundTokens) + imageTokens;
}

function toUsage(
  prompt: number,
  completion: number,
  details?: CompletionUsage['prompt_tokens_details'],
): CompletionUsage {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return details ? { ...usage, prompt_tokens_details: details } : usage;
}
