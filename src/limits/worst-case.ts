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
  /** How many times as large schemas with references may be sent. */
  readonly schemaGrowth: number;
  /** By how much the estimates of such calls were too low. */
  readonly factors: ReservationFactors;
}

/** The highest cost of a call, whichever of the models serves it; simulated answers are free. */
export function worstCase(
  request: ChatCompletionRequest,
  models: readonly CostlyModel[],
  { hostedToolsPerCall, searchesUnasked, schemaGrowth, factors }: WorstCaseRules,
): WorstCaseCost {
  const paid = models.filter(({ simulated }) => !simulated);
  const ceiling = outputCeiling(request, paid);
  const context = Math.max(0, ...paid.map(({ contextLength }) => contextLength));
  const calls = hostedTools(request).map(({ name, limits }) => ({
    name,
    count: limits.reduce<number>((sum, limit) => sum + (limit ?? hostedToolsPerCall), 0),
  }));
  const search = searchesUnasked ? searchedAs(request) : null;
  if (search !== null && paid.some(({ price }) => price.hostedTools.has(search))) {
    const requested = calls.find(({ name }) => name === 'web_search');
    if (requested) requested.name = search;
    else calls.push({ name: search, count: hostedToolsPerCall });
  }
  const prompt = withResults(promptCeiling(request, context, schemaGrowth), calls, context);
  const [hearsSound, makesSound] = [soundIn(request) !== null, soundOut(request) !== null];
  const prices = paid.map(({ price }) => {
    const { input, output } = highestPrices(price, prompt);
    const audio = { input: (hearsSound && price.audioInput) || 0n, output: (makesSound && price.audioOutput) || 0n };
    return { price, input: highest([input, audio.input]), output: highest([output, audio.output]) };
  });
  const outputPrice = highest(prices.map(({ price, output }) => atHighestTier(output, price, request)));
  const inputPrice = highest(prices.map(({ price, input }) => atHighestTier(input, price, request)));
  const tools = calls.map(
    ({ name, count }) => highest(paid.map(({ price }) => price.hostedTools.get(name) ?? 0n)) * BigInt(count),
  );
  const estimated =
    BigInt(prompt.tokens) * inputPrice +
    BigInt(predictionCeiling(request)) * outputPrice +
    tools.reduce((sum, price) => sum + price * MILLION, 0n);
  const promptPrice = atMost(HIGHEST * MILLION, times(estimated, factors.prompt));
  const choices = choicesOf(request);
  const allChoices = times(BigInt(choices) * outputPrice, factors.output);
  const full = atMost(HIGHEST, costOfTokens(promptPrice, allChoices, ceiling));
  const tokenPrice = atMost(HIGHEST, allChoices);
  return { full, promptPrice, tokenPrice, choices, ceiling, isOwnCeiling: ownCeiling(request) !== null, factors };
}

/** Results of hosted tools are part of the prompt, which never exceeds the context. */
function withResults(
  prompt: PromptCeiling,
  calls: readonly { readonly count: number }[],
  context: number,
): PromptCeiling {
  const results = calls.reduce((sum, { count }) => sum + count * TOKENS_PER_TOOL_RESULT, 0);
  return results === 0
    ? prompt
    : { ...prompt, tokens: Math.max(prompt.tokens, Math.min(prompt.tokens + results, context)) };
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
