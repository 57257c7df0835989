import type { ModelView } from '../api/lists';

/** The chat model to suggest, on all pages: one that works before others, then the cheapest; the gateway ranks them. */
export function defaultModel(models: readonly ModelView[]): ModelView | undefined {
  return models
    .filter(({ callable, kind }) => callable && kind === 'chat')
    .toSorted((a, b) => a.suggestionRank - b.suggestionRank)[0];
}
