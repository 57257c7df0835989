import type { ChargeNotes, TokenCounts } from '../../ledger/rows/call-record.types.js';
import type { ChatCompletionRequest, CompletionUsage, UsageSoFar } from '../../upstreams/contract/chat.types.js';
import { countPromptTokens } from '../../upstreams/tokens/prompt-tokens.js';
import type { TokenCounter } from '../../upstreams/tokens/token-counter.js';
import type { AnswerRecord } from './answer.record.js';

/** The usage that a call is charged for. `basis`: how it was estimated, if the upstream did not report it. */
export interface ChargedUsage {
  readonly usage: CompletionUsage;
  readonly isReported: boolean;
  readonly basis: ChargeNotes['basis'] | null;
}

export interface AbandonedCall {
  readonly request: ChatCompletionRequest;
  readonly reported: UsageSoFar | undefined;
  readonly ceiling: number;
  /** The tokens that the model has probably written by now without showing them. */
  readonly hidden: number;
  /** Whether the provider bills the whole answer even if nobody reads it. */
  readonly isBilledWhole: boolean;
}

/** Counts above this or below zero are not valid reports. */
const MAX_TOKENS = 1_000_000_000;

export const NO_USAGE: ChargedUsage = { usage: toUsage(0, 0), isReported: false, basis: null };

/** The upstream's report for a complete answer; null if it is missing or invalid. */
export function reportedUsage({ usage }: AnswerRecord): ChargedUsage | null {
  return usage && isReport(usage) ? { usage, isReported: true, basis: null } : null;
}

/** An estimate for a complete answer: the visible text plus the likely hidden reasoning. */
export async function visibleUsage(
  record: AnswerRecord,
  { request, ceiling, hidden }: Pick<AbandonedCall, 'request' | 'ceiling' | 'hidden'>,
  tokens: TokenCounter,
): Promise<ChargedUsage> {
  const [prompt, seen] = await Promise.all([countPromptTokens(request, tokens), seenTokens(record, tokens)]);
  const output = Math.max(seen, Math.min(Math.ceil(hidden), ceiling));
  return { usage: toUsage(prompt, output), isReported: false, basis: output > seen ? 'time' : 'visible' };
}

/** For an abandoned answer: the reported usage, else an estimate of the prompt and the likely output. */
export async function abandonedUsage(
  record: AnswerRecord,
  { request, reported, ceiling, hidden, isBilledWhole }: AbandonedCall,
  tokens: TokenCounter,
): Promise<ChargedUsage> {
  const known = record.usage ?? reported;
  const report = known && isReport(known) ? known : undefined;
  const prompt = report?.prompt_tokens ?? (await countPromptTokens(request, tokens));
  const details = report?.prompt_tokens_details;
  if (report?.completion_tokens !== undefined) {
    const usage = toUsage(prompt, report.completion_tokens, details);
    if (report.completion_tokens_details) usage.completion_tokens_details = report.completion_tokens_details;
    return { usage, isReported: true, basis: null };
  }
  if (isBilledWhole) return { usage: toUsage(prompt, ceiling, details), isReported: false, basis: 'ceiling' };
  const seen = await seenTokens(record, tokens);
  const output = Math.min(Math.max(seen, Math.ceil(hidden)), Math.max(ceiling, 0));
  return { usage: toUsage(prompt, output, details), isReported: false, basis: hidden > seen ? 'time' : 'visible' };
}

/** Invalid counts of details are left out. */
export function toTokenCounts(usage: CompletionUsage): TokenCounts {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details = {} } = usage;
  const cached = within(details.cached_tokens, input);
  const written = within(details.cache_write_tokens, input - cached);
  const writtenForAnHour = within(details.cache_write_1h_tokens, written);
  return {
    input,
    cached,
    output,
    reasoning: within(usage.completion_tokens_details?.reasoning_tokens, output),
    ...(written > writtenForAnHour && { cacheWrite5m: written - writtenForAnHour }),
    ...(writtenForAnHour > 0 && { cacheWrite1h: writtenForAnHour }),
  };
}

function isReport({ prompt_tokens: prompt, completion_tokens: completion = 0 }: UsageSoFar): boolean {
  return isCount(prompt) && isCount(completion);
}

function isCount(count: number): boolean {
  return Number.isInteger(count) && count >= 0 && count <= MAX_TOKENS;
}

function within(count: number | undefined, most: number): number {
  return count !== undefined && isCount(count) ? Math.min(count, most) : 0;
}

/** Extrapolates from the stored part of the text. */
async function seenTokens({ texts, length }: AnswerRecord, tokens: TokenCounter): Promise<number> {
  const kept = texts.join('');
  const output = await tokens.count(kept);
  return kept.length < length ? Math.round((output * length) / kept.length) : output;
}

function toUsage(
  prompt: number,
  completion: number,
  details?: CompletionUsage['prompt_tokens_details'],
): CompletionUsage {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return details ? { ...usage, prompt_tokens_details: details } : usage;
}
