import { factorOf, type Price } from '../billing/price.js';
import { CACHE_LIFETIMES, type CacheLifetime } from '../config/price.settings.js';
import type { ReservationFactors, WorstCaseCost } from '../ledger/call-record.types.js';
import type { Model } from '../models/model.types.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import { type PromptCeiling, predictionCeiling, promptCeiling } from '../upstreams/tokens/prompt-ceiling.js';
import { hostedTools, searchedAs, soundIn, soundOut, tierOf } from './paid-options.js';

type CostlyModel = Pick<Model, 'price' | 'simulated' | 'maxOutputTokens' | 'contextLength'>;

const MILLION = 1_000_000n;

/** In nano-dollars, $100,000: sums of reservations fit into 64 bits, whatever callers ask for. */
const HIGHEST = 100_000_000_000_000n;

/** Of the result of one call of a tool that the provider runs. */
export const TOKENS_PER_TOOL_RESULT = 10_000;

export interface WorstCaseRules {
  /** Assumed for tools whose calls the request does not limit. */
  readonly hostedToolsPerCall: number;
  /** Whether a model searches the web even if the request has no such tool. */
  readonly searchesUnasked: boolean;
  /** Whether the model reads the prompt again after each call of a tool. */
  readonly rereadsPrompt: boolean;
  /** Nano-dollars that such a prompt may cost: each tool gets at least one call, and no more than this pays; null: any. */
  readonly promptShare: bigint | null;
  /** How many times as large schemas with references may be sent. */
  readonly schemaGrowth: number;
  /** By how much the estimates of such calls were too low. */
  readonly factors: ReservationFactors;
}

/** The highest cost of a call, whichever of the models serves it; simulated answers are free. */
export function worstCase(
  request: ChatCompletionRequest,
  models: readonly CostlyModel[],
  { hostedToolsPerCall, searchesUnasked, rereadsPrompt, promptShare, schemaGrowth, factors }: WorstCaseRules,
): WorstCaseCost {
  const paid = models.filter(({ simulated }) => !simulated);
  const ceiling = outputCeiling(request, paid);
  const context = Math.max(0, ...paid.map(({ contextLength }) => contextLength));
  const tools = toolsOf(request, paid, hostedToolsPerCall, searchesUnasked);
  const sent = promptCeiling(request, context, schemaGrowth);
  const predicted = BigInt(predictionCeiling(request));
  const hasSound = { input: soundIn(request) !== null, output: soundOut(request) !== null };
  const costWith = (most: number) => {
    const counts = tools.map(({ limits }) => limits.reduce((sum, limit) => sum + Math.min(limit, most), 0));
    const calls = counts.reduce((sum, count) => sum + count, 0);
    const prompt = { ...sent, tokens: withResults(sent.tokens, calls, context) };
    const tokens = rereadsPrompt ? tokensOfReadings(sent.tokens, calls, context) : prompt.tokens;
    const { input, output } = dearestPrices(paid, prompt, hasSound, request);
    const ofTools = tools.reduce((sum, { price }, index) => sum + price * BigInt(counts[index] ?? 0), 0n);
    const estimated = BigInt(tokens) * input + predicted * output + ofTools * MILLION;
    return { promptPrice: atMost(HIGHEST * MILLION, times(estimated, factors.prompt)), outputPrice: output };
  };
  const longest = Math.max(0, ...tools.flatMap(({ limits }) => limits));
  const isPayable = (most: number) => promptShare === null || costWith(most).promptPrice <= promptShare * MILLION;
  const hostedCalls = rereadsPrompt && longest > 1 && !isPayable(longest) ? highestCount(longest, isPayable) : null;
  const { promptPrice, outputPrice } = costWith(hostedCalls ?? longest);
  const choices = choicesOf(request);
  const allChoices = times(BigInt(choices) * outputPrice, factors.output);
  const full = atMost(HIGHEST, costOfTokens(promptPrice, allChoices, ceiling));
  const tokenPrice = atMost(HIGHEST, allChoices);
  const isOwnCeiling = ownCeiling(request) !== null;
  return { full, promptPrice, tokenPrice, choices, ceiling, isOwnCeiling, hostedCalls, factors };
}

interface LimitedTool {
  /** Nano-dollars for a call. */
  readonly price: bigint;
  /** The calls that each of its entries allows. */
  readonly limits: readonly number[];
}

function toolsOf(
  request: ChatCompletionRequest,
  models: readonly CostlyModel[],
  hostedToolsPerCall: number,
  searchesUnasked: boolean,
): LimitedTool[] {
  const priceOf = (name: string) => highest(models.map(({ price }) => price.hostedTools.get(name) ?? 0n));
  const search = searchesUnasked ? searchedAs(request) : null;
  const isSearched = search !== null && models.some(({ price }) => price.hostedTools.has(search));
  const requested = hostedTools(request).map(({ name, limits }) => ({
    price: priceOf(isSearched && name === 'web_search' ? search : name),
    limits: limits.map((limit) => limit ?? hostedToolsPerCall),
    name,
  }));
  if (!isSearched || requested.some(({ name }) => name === 'web_search')) return requested;
  return [...requested, { price: priceOf(search), limits: [hostedToolsPerCall] }];
}

/** The highest number from 1 to below `limit` that fits; 1 if none does. Lower numbers fit, too. */
function highestCount(limit: number, fits: (count: number) => boolean): number {
  let [low, high] = [1, limit];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Results of hosted tools are part of the prompt, which never exceeds the context. */
function withResults(sent: number, calls: number, context: number): number {
  return Math.max(sent, Math.min(sent + calls * TOKENS_PER_TOOL_RESULT, context));
}

/** Each call is followed by another reading, of the prompt with all results so far. */
export function tokensOfReadings(
  sent: number,
  calls: number,
  context: number,
  ofResult: number = TOKENS_PER_TOOL_RESULT,
): number {
  const growing = Math.min(calls, Math.max(0, Math.floor((context - sent) / ofResult)));
  const results = (ofResult * growing * (growing + 1)) / 2;
  return sent + growing * sent + results + (calls - growing) * context;
}

/** Tokens per choice: the smaller of the caller's and the models' limits. */
export function outputCeiling(
  request: ChatCompletionRequest,
  models: readonly Pick<Model, 'maxOutputTokens' | 'contextLength'>[],
): number {
  const own = ownCeiling(request);
  const ofModels = Math.max(1, ...models.map(({ maxOutputTokens, contextLength }) => maxOutputTokens ?? contextLength));
  return own === null ? ofModels : Math.min(own, ofModels);
}

/** `best_of`: some servers generate more choices than they return. */
export function choicesOf({ n, best_of }: ChatCompletionRequest): number {
  const generated = typeof best_of === 'number' && Number.isSafeInteger(best_of) ? best_of : 1;
  return Math.max(n ?? 1, generated, 1);
}

/** Nano-dollars, rounded up. */
export function costOfTokens(promptPrice: bigint, tokenPrice: bigint, tokens: number): bigint {
  return (promptPrice + BigInt(tokens) * tokenPrice + MILLION - 1n) / MILLION;
}

function ownCeiling({ max_completion_tokens: limit, max_tokens: older }: ChatCompletionRequest): number | null {
  return limit ?? older ?? null;
}

/** Of the dearest model, at the tier that the request asks for. */
function dearestPrices(
  models: readonly CostlyModel[],
  prompt: PromptCeiling,
  hasSound: { readonly input: boolean; readonly output: boolean },
  request: ChatCompletionRequest,
): { input: bigint; output: bigint } {
  const prices = models.map(({ price }) => {
    const { input, output } = highestPrices(price, prompt);
    const audio = {
      input: (hasSound.input && price.audioInput) || 0n,
      output: (hasSound.output && price.audioOutput) || 0n,
    };
    return {
      input: atHighestTier(highest([input, audio.input]), price, request),
      output: atHighestTier(highest([output, audio.output]), price, request),
    };
  });
  return { input: highest(prices.map(({ input }) => input)), output: highest(prices.map(({ output }) => output)) };
}

/** The highest prices that a prompt of at most this length can have. */
function highestPrices(price: Price, { tokens, cacheWrites }: PromptCeiling): { input: bigint; output: bigint } {
  const reachable = [price, ...price.above.filter(({ inputTokens }) => tokens > inputTokens)];
  const lifetimes = writableLifetimes(price, cacheWrites);
  return {
    input: highest(
      reachable.flatMap((one) => [
        one.input,
        one.cachedInput,
        ...lifetimes.map((lifetime) => one.cacheWrites[lifetime]),
      ]),
    ),
    output: highest(reachable.map(({ output }) => output)),
  };
}

/** Providers that name a price for cache writes may write without being asked, for the shortest time. */
function writableLifetimes({ cacheLifetimes }: Price, requested: PromptCeiling['cacheWrites']): CacheLifetime[] {
  const [shortest] = cacheLifetimes;
  if (requested === null) return shortest ? [shortest] : [];
  return CACHE_LIFETIMES.slice(0, CACHE_LIFETIMES.indexOf(requested) + 1);
}

function atHighestTier(amount: bigint, price: Price, request: ChatCompletionRequest): bigint {
  return times(amount, factorOf(price, tierOf(request)));
}

/** Rounded up. */
function times(amount: bigint, factor: number): bigint {
  return factor === 1 ? amount : (amount * BigInt(Math.ceil(factor * 1e6)) + MILLION - 1n) / MILLION;
}

function atMost(limit: bigint, amount: bigint): bigint {
  return amount < limit ? amount : limit;
}

function highest(prices: readonly bigint[]): bigint {
  return prices.reduce((most, price) => (price > most ? price : most), 0n);
}
