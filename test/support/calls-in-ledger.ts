import { expect } from '@jest/globals';
import type { CallPosition, UsageCallFilter } from '../../src/usage/usage.types.js';
import type { UsageCallsService } from '../../src/usage/usage-calls.service.js';
import type { TestDatabase } from './test-database.js';

/** Compares a list of calls, read page by page, with the ledger. */
export async function expectTrueList(
  database: TestDatabase,
  calls: UsageCallsService,
  filter: UsageCallFilter,
  limit: number,
): Promise<void> {
  const found: string[] = [];
  for (let behind: CallPosition | null = null; ; ) {
    const { calls: page } = await calls.newest(filter, behind, limit);
    found.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (!last || page.length < limit) break;
    behind = [last.position, last.id];
  }
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM usage_calls WHERE started_at >= $1 AND started_at < $2
       AND ($3::uuid[] IS NULL OR user_id = ANY($3)) AND ($4::uuid[] IS NULL OR key_id = ANY($4))
       AND ($5::text[] IS NULL OR model = ANY($5)) AND ($6::text[] IS NULL OR status = ANY($6))
       AND ($7::text[] IS NULL OR api = ANY($7)) AND ($8::text[] IS NULL OR upstream = ANY($8))
     ORDER BY started_at DESC, id DESC`,
    [filter.from, filter.to, filter.users, filter.keys, filter.models, filter.statuses, filter.apis, filter.upstreams],
  );
  expect(found).toEqual(rows.map(({ id }) => id));
}
