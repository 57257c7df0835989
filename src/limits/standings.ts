import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import type {
  Admission,
  AdmissionRequest,
  LimitedBalance,
  LimitVerdict,
  RemainingRates,
} from '../ledger/call-record.types.js';
import { limitHeaders } from './limit.errors.js';

const MAX = 10_000;

interface Seen {
  readonly rates: RemainingRates;
  readonly at: number;
}

/** The last known balances, for the headers of replies that do not query the database. */
export class Standings {
  private readonly seen = new LRUCache<string, Seen>({ max: MAX });

  note({ balances }: AdmissionRequest, remaining: Admission['remaining']): void {
    const at = performance.now();
    for (const { id } of balances) {
      const rates = remaining[id];
      if (rates) this.seen.set(id, { rates, at });
    }
  }

  /** Unknown balances count as full. */
  headersOf(request: AdmissionRequest): Record<string, string> {
    const now = performance.now();
    const remaining = request.balances.map(({ id, values: { requestsPerMinute, tokensPerMinute } }) => {
      const { rates, at } = this.seen.get(id) ?? { rates: null, at: now };
      const minutes = (now - at) / 60_000;
      const refilled = (left: number | null | undefined, limit: number | null) =>
        limit === null ? null : Math.min(limit, (left ?? limit) + minutes * limit);
      const requests = refilled(rates?.requests, requestsPerMinute);
      return [id, { requests, tokens: refilled(rates?.tokens, tokensPerMinute) }] as const;
    });
    return limitHeaders(request, Object.fromEntries(remaining));
  }
}

interface Taken {
  readonly refusal: LimitVerdict | null;
  readonly remaining: Admission['remaining'];
}

/** Takes one request from every balance, or from none, for a replay, which opens no row in the ledger. */
export async function takeFromRates(dataSource: DataSource, balances: readonly LimitedBalance[]): Promise<Taken> {
  const [taken]: Taken[] = await dataSource.query(
    `SELECT to_json(refusal) AS refusal, remaining
     FROM limit_take_request($1::uuid[], $2::text[], $3::bigint[], $4::bigint[])`,
    [
      balances.map(({ id }) => id),
      balances.map(({ kind }) => kind),
      balances.map(({ values }) => values.requestsPerMinute),
      balances.map(({ values }) => values.tokensPerMinute),
    ],
  );
  return taken ?? { refusal: null, remaining: {} };
}
