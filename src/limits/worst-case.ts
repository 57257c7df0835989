import type { Model } from '../models/model.types.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import { promptCeiling } from '../upstreams/tokens/prompt-ceiling.js';
import type { AskedMoney } from '../usage/ledger/admission.types.js';

type CostlyModel = Pick<Model, 'price' | 'simulated' | 'maxOutputTokens' | 'contextLength'>;

const MILLION = 1_000_000n;

/** What a call costs at most, whichever of the models serves it; a simulated answer costs nothing. */
export function worstCase(request: ChatCompletionRequest, models: readonly CostlyModel[]): AskedMoney {
  const own = request.max_completion_tokens ?? request.max_tokens ?? null;
  const paid = models.filter(({ simulated }) => !simulated);
  const ofModels = Math.max(1, ...paid.map(({ maxOutputTokens, contextLength }) => maxOutputTokens ?? contextLength));
  const ceiling = own === null ? ofModels : Math.min(own, ofModels);
  const inputPrice = highest(
    paid.map(({ price }) => (price.input > price.cachedInput ? price.input : price.cachedInput)),
  );
  const promptPrice = BigInt(promptCeiling(request)) * inputPrice;
  const tokenPrice = BigInt(request.n ?? 1) * highest(paid.map(({ price }) => price.output));
  const full = costOfTokens(promptPrice, tokenPrice, ceiling);
  return { full, promptPrice, tokenPrice, ceiling, isOwnCeiling: own !== null };
}

/** Nano-dollars, rounded up. */
export function costOfTokens(promptPrice: bigint, tokenPrice: bigint, tokens: number): bigint {
  return (promptPrice + BigInt(tokens) * tokenPrice + MILLION - 1n) / MILLION;
}

function highest(prices: readonly bigint[]): bigint {
  return prices.reduce((most, price) => (price > most ? price : most), 0n);
}
