import type { ModelStatus } from './dto/model-health.view.js';

interface Priced {
  readonly id: string;
  readonly usdPerMTok: { readonly input: number; readonly output: number };
}

/** Answers that come from a model, and surely, go first. */
const ORDER: readonly ModelStatus[] = ['healthy', 'unused', 'degraded', 'simulated', 'failing'];

/** Which model to suggest first, as 0, 1, 2, …: by status, then the cheaper one. */
export function suggestionRanks(
  models: readonly Priced[],
  statusOf: (id: string) => ModelStatus,
): ReadonlyMap<string, number> {
  const place = ({ id }: Priced) => ORDER.indexOf(statusOf(id));
  const ordered = models.toSorted((a, b) => place(a) - place(b) || priceOf(a) - priceOf(b));
  return new Map(ordered.map(({ id }, rank) => [id, rank]));
}

/** For a million tokens in and a million out. */
function priceOf({ usdPerMTok: { input, output } }: Priced): number {
  return input + output;
}
