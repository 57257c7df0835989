import { costOf, factorOf, type Price, type PricedOptions, pricesFor } from '../../billing/price.js';
import type { ChargeNotes, TokenCounts } from '../../ledger/call-record.types.js';
import { hostedTools, searchedAs, tierNamed, tierOf } from '../../limits/paid-options.js';
import type { Model } from '../../models/model.types.js';
import type { ChatCompletionRequest, CompletionUsage } from '../../upstreams/contract/chat.types.js';
import { promptSoundTokens } from '../../upstreams/tokens/prompt-tokens.js';
import { type ChargedUsage, isCount } from './charged-usage.js';

export interface Charge {
  readonly nanodollars: bigint;
  readonly notes: ChargeNotes | null;
}

export interface ChargedCall {
  readonly request: ChatCompletionRequest;
  readonly model: Pick<Model, 'price' | 'simulated'>;
  /** Nano-dollars; null: no budget applies. */
  readonly reserved: bigint | null;
  /** Whether the caller disconnected: an estimate is then capped at the reservation, a reported prompt is not. */
  readonly isLeft: boolean;
  /** Whether the upstream failed: usage is then recorded but not charged. */
  readonly isFailed: boolean;
  /** Whether the provider refused the prompt, and so ran none of its tools. */
  readonly isRefused?: boolean;
  /** The service tier that the provider named in its answer. */
  readonly servedTier: string | null;
  readonly hostedCalls: HostedCalls;
  /** Whether the model searches without being asked. */
  readonly searchesUnasked: boolean;
}

/** The calls of tools that the provider ran, as its answer shows them; null: it does not. */
type HostedCalls = ReadonlyMap<string, number> | null;

const NO_OPTIONS: PricedOptions = {};
const FREE: Charge = { nanodollars: 0n, notes: null };

export function chargeOf(found: ChargedUsage, tokens: TokenCounts, call: ChargedCall): Charge {
  const { basis, hasReportedPrompt = false, resultTokens = 0 } = found;
  const { request, model, reserved, isLeft, isFailed, servedTier } = call;
  if (model.simulated) return basis ? { nanodollars: 0n, notes: { basis } } : FREE;
  if (isFailed)
    return {
      nanodollars: 0n,
      notes: { ...(basis && { basis }), ...(costOf(tokens, model.price) > 0n && { isFree: true }) },
    };
  const used = tokens.input > 0 || tokens.output > 0;
  const options = used ? optionsOf(found, call) : NO_OPTIONS;
  const cost = costOf(tokens, model.price, options);
  const isCapped = isLeft && basis !== null && reserved !== null && cost > reserved;
  const { serviceTier, hostedTools: tools, audio } = options;
  const reportedTokens = { ...tokens, input: tokens.input - resultTokens, output: 0 };
  const reportedPrompt = hasReportedPrompt ? costOf(reportedTokens, model.price, { serviceTier }) : 0n;
  const most = isCapped && reportedPrompt < reserved ? reserved : reportedPrompt;
  const nanodollars = isCapped ? most : cost;
  const isOver = reserved !== null && nanodollars > reserved;
  const uncharged = cost - nanodollars;
  const other = otherTier(request, servedTier);
  const step = model.price.above.findLast(({ inputTokens }) => tokens.input > inputTokens);
  if (basis === null && !tokens.cacheWrites && !serviceTier && !tools && !audio && !isOver && other === null && !step) {
    return { nanodollars, notes: null };
  }
  const factor = factorOf(model.price, serviceTier);
  const notes: ChargeNotes = {
    ...(basis && { basis }),
    ...cacheWriteNotes(tokens.cacheWrites),
    ...(serviceTier && factor !== 1 && { serviceTier, factor }),
    ...(other !== null && { servedTier: other }),
    ...(step && { aboveInputTokens: step.inputTokens }),
    ...(tools && { hostedTools: { ...tools } }),
    ...(audio && audio.input > 0 && { audioInput: audio.input }),
    ...(audio && audio.output > 0 && { audioOutput: audio.output }),
    ...(uncharged > 0n && { uncharged: Number(uncharged) }),
    ...(isOver && { overReserved: Number(nanodollars - reserved) }),
    ...(isOver && isCapped && { reportedPrompt: Number(reportedPrompt) }),
  };
  return { nanodollars, notes: Object.keys(notes).length > 0 ? notes : null };
}

/** The charge of a call with those of its other attempts, as far as the reservation reaches. */
export function withOthers(
  charge: Charge,
  others: readonly Pick<Charge, 'nanodollars'>[],
  reserved: bigint | null,
): Charge {
  const required = others.reduce((sum, { nanodollars }) => sum + nanodollars, 0n);
  if (required === 0n) return charge;
  const room = reserved === null ? required : reserved - charge.nanodollars;
  const paid = required < room ? required : room > 0n ? room : 0n;
  const uncharged = (charge.notes?.uncharged ?? 0) + Number(required - paid);
  const notes = { ...charge.notes, otherAttempts: Number(paid), ...(uncharged > 0 && { uncharged }) };
  return { nanodollars: charge.nanodollars + paid, notes };
}

/** The estimated cost of the prompt at the requested service tier. A number instead of a bigint, for speed. */
export function promptCharge(request: ChatCompletionRequest, { price, simulated }: Model, tokens: number): number {
  if (simulated || !price.isPaid) return 0;
  const { input } = pricesFor(price, tokens);
  const { audioInput } = price;
  const dearer = audioInput === null || audioInput < input ? 0 : Number(audioInput - input);
  const sound = dearer === 0 ? 0 : Math.min(promptSoundTokens(request), tokens) * dearer;
  return Math.round(((tokens * Number(input) + sound) * factorOf(price, tierOf(request))) / 1e6);
}

function optionsOf({ usage, basis }: ChargedUsage, call: ChargedCall): PricedOptions {
  const { request, servedTier, hostedCalls, isLeft, searchesUnasked } = call;
  const { price } = call.model;
  const serviceTier = chargedTier(tierOf(request), servedTier, price);
  const audio = audioOf(usage, price, request, basis !== null);
  const tools = chargedTools(call, countFrom(usage.server_tool_use?.web_search_requests) > 0);
  if (tools.size === 0) return serviceTier === null && !audio ? NO_OPTIONS : { serviceTier, ...(audio && { audio }) };
  const isUnfinished = isLeft && basis !== null;
  const calls = [...tools]
    .map(([family, name]) => {
      // A model that always searches has searched, whatever its answer shows.
      const hidesAll = searchesUnasked && family === 'web_search' && seenCalls(family, hostedCalls ?? new Map()) === 0;
      return [name, callsOf(family, usage, hidesAll ? null : hostedCalls, isUnfinished)] as const;
    })
    .filter(([, count]) => count > 0);
  return { serviceTier, ...(calls.length > 0 && { hostedTools: Object.fromEntries(calls) }), ...(audio && { audio }) };
}

/** The requested tools with a price, each by the name with the highest, as answers do not show a call's options. */
function chargedTools({ request, model, searchesUnasked, isRefused }: ChargedCall, hasSearched: boolean) {
  const { hostedTools: prices } = model.price;
  const names = new Map<string, string>();
  if (prices.size === 0 || isRefused) return names;
  const family = 'web_search';
  const unasked = [
    ...(searchesUnasked || hasSearched ? [{ family, name: family }] : []),
    ...(searchesUnasked ? [{ family, name: searchedAs(request) }] : []),
  ];
  for (const { family, name } of [...hostedTools(request), ...unasked]) {
    const price = prices.get(name);
    if (price !== undefined && price >= (prices.get(names.get(family) ?? '') ?? 0n)) names.set(family, name);
  }
  return names;
}

/**
 * The tokens of sound that have a price of their own; undefined: none. Those of the prompt are estimated if the upstream
 * does not tell them from text. An estimate never makes a call cheaper.
 */
function audioOf(usage: CompletionUsage, price: Price, request: ChatCompletionRequest, isEstimated: boolean) {
  const { prompt_tokens: prompt, prompt_tokens_details, completion_tokens_details } = usage;
  const prices = pricesFor(price, prompt);
  const reported = prompt_tokens_details?.audio_tokens;
  const isUsed = (ofSound: bigint | null, ofText: bigint, isGuess: boolean) =>
    ofSound !== null && !(isGuess && ofSound < ofText);
  const input = isUsed(price.audioInput, prices.input, isEstimated || reported === undefined)
    ? countFrom(reported ?? Math.min(promptSoundTokens(request), prompt))
    : 0;
  const output = isUsed(price.audioOutput, prices.output, isEstimated)
    ? countFrom(completion_tokens_details?.audio_tokens)
    : 0;
  return input > 0 || output > 0 ? { input, output } : undefined;
}

function countFrom(count: number | undefined): number {
  return count !== undefined && isCount(count) ? count : 0;
}

/**
 * The tier that served, if the answer names one: the standard one, or one with a factor. A tier without a factor is only
 * noted, and the requested one charged.
 */
function chargedTier(requested: string | null, served: string | null, price: Price): string | null {
  if (served === null || served === 'auto') return requested;
  const tier = tierNamed(served);
  return tier === null || price.serviceTiers.has(tier) ? tier : requested;
}

/** The tier that served, if it is not the requested one. */
function otherTier(request: ChatCompletionRequest, served: string | null): string | null {
  return served === null || served === 'auto' || tierNamed(served) === tierOf(request) ? null : served;
}

function cacheWriteNotes(writes: TokenCounts['cacheWrites']): ChargeNotes {
  return Object.fromEntries(Object.entries(writes ?? {}).map(([lifetime, count]) => [`cacheWrite${lifetime}`, count]));
}

/**
 * The number that the provider reported, else the calls that the answer shows, else one for each requested tool. An
 * answer that was left may have begun one that it did not show.
 */
function callsOf(
  tool: string,
  { server_tool_use: used }: CompletionUsage,
  shown: HostedCalls,
  isUnfinished: boolean,
): number {
  const reported = tool === 'web_search' ? used?.web_search_requests : undefined;
  const isReport = reported !== undefined && isCount(reported);
  const seen = shown && seenCalls(tool, shown);
  if (isUnfinished) return Math.max(isReport ? reported : 1, seen ?? 0);
  return isReport ? reported : (seen ?? 1);
}

/** The date or version in the name of a tool, such as `code_execution_20250825`. */
const VERSION = /_(?:preview\w*|\d{8})$/;

/** Answers name a tool without its version, or the part of it that was called: `bash_code_execution`. */
function seenCalls(tool: string, shown: NonNullable<HostedCalls>): number {
  const name = tool.replace(VERSION, '');
  let calls = 0;
  for (const [one, count] of shown) if (one === name || one.endsWith(`_${name}`)) calls += count;
  return calls;
}

/** The calls of the requested tools of the provider that an answer shows. */
export function shownCalls(request: ChatCompletionRequest, shown: HostedCalls): number {
  if (shown === null || shown.size === 0) return 0;
  const families = new Set(hostedTools(request).map(({ family }) => family));
  return [...families].reduce((sum, family) => sum + seenCalls(family, shown), 0);
}
