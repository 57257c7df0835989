import type { ModelStatus } from './dto/model-health.view.js';

interface Priced {
  readonly id: string;
  readonly usdPerMTok: { readonly input: number; readonly output: number };
}

/** Models that reliably answer come first; the simulator comes before models that fail. */
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

/** The price of a million input tokens and a million output tokens. */
function priceOf({ usdPerMTok: { input, output } }: Priced): number {
  return input + output;
}
