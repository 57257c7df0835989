import type { ModelView } from '../api/lists';

/** Of those that may be called: the one example of all pages. */
export function cheapestModel(models: readonly ModelView[]): ModelView | undefined {
  return models.filter(({ callable }) => callable).toSorted((a, b) => priceOf(a) - priceOf(b))[0];
}

/** Of a million tokens in and a million out. */
function priceOf({ price }: ModelView): number {
  return price.inputUsdPerMTok + price.outputUsdPerMTok;
}
