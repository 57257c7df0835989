import { factorOf, type Price } from '../billing/price.js';
import type { WorstCaseCost } from '../ledger/rows/admission.types.js';
import type { Model } from '../models/model.types.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import { type PromptCeiling, predictionCeiling, promptCeiling } from '../upstreams/tokens/prompt-ceiling.js';
import { hostedTools } from './paid-options.js';

type CostlyModel = Pick<Model, 'price' | 'simulated' | 'maxOutputTokens' | 'contextLength'>;

const MILLION = 1_000_000n;

/** The highest cost of a call, whichever of the models serves it; simulated answers are free. */
export function worstCase(request: ChatCompletionRequest, models: readonly CostlyModel[]): WorstCaseCost {
  const paid = models.filter(({ simulated }) => !simulated);
  const ceiling = outputCeiling(request, paid);
  const prompt = promptCeiling(request, Math.max(0, ...paid.map(({ contextLength }) => contextLength)));
  const outputPrice = highest(paid.map(({ price }) => dearer(price.output, price, request)));
  const inputPrice = highest(paid.map(({ price }) => dearer(inputPriceOf(price, prompt), price, request)));
  const tools = hostedTools(request).map(({ name }) =>
    highest(paid.map(({ price }) => price.hostedTools.get(name) ?? 0n)),
  );
  const promptPrice =
    BigInt(prompt.tokens) * inputPrice +
    BigInt(predictionCeiling(request)) * outputPrice +
    tools.reduce((sum, price) => sum + price * MILLION, 0n);
  const tokenPrice = BigInt(choicesOf(request)) * outputPrice;
  const full = costOfTokens(promptPrice, tokenPrice, ceiling);
  return { full, promptPrice, tokenPrice, ceiling, isOwnCeiling: ownCeiling(request) !== null };
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

function inputPriceOf(
  { input, cachedInput, cacheWrite5m, cacheWrite1h }: Price,
  { cacheWrites }: PromptCeiling,
): bigint {
  const prices = [input, cachedInput];
  if (cacheWrites !== null) prices.push(cacheWrite5m);
  if (cacheWrites === '1h') prices.push(cacheWrite1h);
  return highest(prices);
}

/** Multiplies by the factor of the service tier, rounded up. */
function dearer(amount: bigint, price: Price, { service_tier: tier }: ChatCompletionRequest): bigint {
  const factor = typeof tier === 'string' ? factorOf(price, tier) : 1;
  return factor === 1 ? amount : (amount * BigInt(Math.ceil(factor * 1e6)) + MILLION - 1n) / MILLION;
}

function highest(prices: readonly bigint[]): bigint {
  return prices.reduce((most, price) => (price > most ? price : most), 0n);
}
