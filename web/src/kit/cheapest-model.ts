import type { ModelView } from '../api/lists';

/** The cheapest chat model that can be called: the example on all pages. */
export function cheapestModel(models: readonly ModelView[]): ModelView | undefined {
  return models
    .filter(({ callable, kind }) => callable && kind === 'chat')
    .toSorted((a, b) => priceOf(a) - priceOf(b))[0];
}

/** For a million tokens in and a million out. */
function priceOf({ price }: ModelView): number {
  return price.inputUsdPerMTok + price.outputUsdPerMTok;
}
