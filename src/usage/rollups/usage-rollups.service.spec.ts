import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { eventually } from '../../../test/support/eventually.js';
import { closedCall, openCall } from '../../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { USAGE_LOCK } from '../../database/advisory-locks.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';
import { toClosedRow, toOpenRow } from '../ledger/usage-rows.js';
import { INSERT_OPEN, UPSERT_CLOSED } from '../ledger/usage-statements.js';
import type { UsageQuestion, UsageSums } from '../reports/usage-report.types.js';
import { UsageReportsService } from '../reports/usage-reports.service.js';
import { UsageModule } from '../usage.module.js';
import type { ClosedCall, OpenCall } from '../usage.types.js';
import { KINDS } from './usage-rollup-kinds.js';
import { UsageRollupsService } from './usage-rollups.service.js';
import { ROLLUP_SIZES } from './usage-slots.js';

const FROM = new Date('2026-10-23T00:00:00Z');
const TO = new Date('2026-10-28T00:00:00Z');
const ROUNDS = 8;
const STEPS = 30;
const COLUMNS = { model: 'model', key: 'key_id', user: 'user_id', upstream: 'upstream', status: 'status' };
const DIMENSIONS = [null, 'model', 'key', 'user', 'upstream', 'status'] as const;
/** Whole, half and quarter hours away from UTC, and clocks that change on 25 October. */
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Chatham'];

const USERS = [randomUUID(), randomUUID()];
const KEYS = [0, 1, 2, 3].map((index) => ({ keyId: randomUUID(), userId: USERS[index % 2] ?? '' }));
const MODELS = ['model-a', 'model-b', 'model-c'];

describe('usage roll-ups', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;
  let rollups: UsageRollupsService;
  let reports: UsageReportsService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    ledger = services.get(UsageLedgerService);
    rollups = services.get(UsageRollupsService);
    reports = services.get(UsageReportsService);
  });
  afterAll(async () => {
    await services?.close();
    await database?.drop();
  });

  const interrupt = (id: string) =>
    database.query(
      `UPDATE usage_calls SET status = 'interrupted', error_code = 'interrupted', changed_in = DEFAULT,
         input_tokens = estimated_input_tokens, token_source = 'estimated'
       WHERE id = $1 AND status = 'open'`,
      [id],
    );

  /** The same as a report, straight from the ledger. */
  async function expected({ from, to, zone, groupBy, granularity, ...filter }: UsageQuestion) {
    const name = groupBy === null ? 'NULL' : `${COLUMNS[groupBy]}::text`;
    return database.query(
      `SELECT date_trunc('${granularity}', started_at, $3) AS start, ${name} AS id, ${EXPECTED_SUMS}
       FROM (${groupBy === 'upstream' ? CALLS_BY_UPSTREAM : WHOLE_CALLS}) AS call
       WHERE started_at >= $1 AND started_at < $2
         AND ($4::uuid[] IS NULL OR user_id = ANY($4)) AND ($5::uuid[] IS NULL OR key_id = ANY($5))
         AND ($6::text[] IS NULL OR model = ANY($6)) AND ($7::text[] IS NULL OR status = ANY($7))
       GROUP BY 1, 2`,
      [from, to, zone, filter.users, filter.keys, filter.models, filter.statuses],
    );
  }

  async function expectTruth(question: UsageQuestion): Promise<void> {
    const report = await reports.report(question);
    const rows = await expected(question);
    const found = report.series.flatMap(({ start, groups }) => groups.map((group) => ({ start, ...group })));
    const place = ({ start, id }: { start: Date; id: string | null }) => `${Math.max(+start, +question.from)} ${id}`;
    const sought = new Map(rows.map((row) => [place(row as never), row]));
    expect(found.map(place).sort()).toEqual([...sought.keys()].sort());
    for (const group of found) expectSums(group.sums, sought.get(place(group)) ?? {});
    expect(report.totals.requests).toBe(rows.reduce((sum, { requests }) => sum + Number(requests), 0));
    expect(report.groups.reduce((sum, { sums }) => sum + sums.costNanodollars, 0n)).toBe(report.totals.costNanodollars);
  }

  it('and the newest rows are the ledger, whatever happens to it in whatever order, and whenever it is rolled up', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const random = seeded(round + 1);
      const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
      const calls: OpenCall[] = [];
      const slow = await SlowWriter.connect(database.url);
      const call = () =>
        openCall({
          ...pick(KEYS),
          model: pick(MODELS),
          startedAt: new Date(+FROM + Math.floor((random() * (+TO - +FROM)) / 1000) * 1000),
        });
      const end = (open: OpenCall) =>
        closedCall(open, {
          status: pick(['settled', 'settled', 'failed', 'aborted'] as const),
          errorCode: pick(['upstream_error', 'invalid_value', null]),
          upstream: pick(['openai', 'anthropic', null]),
          tokens: {
            input: int(random, 1000),
            cached: int(random, 100),
            output: int(random, 500),
            reasoning: int(random, 50),
          },
          costNanodollars: BigInt(int(random, 1e9)),
          totalMs: Math.floor(Math.exp(random() * 12)),
          firstTokenMs: pick([null, int(random, 900)]),
        });
      const actions: [number, () => Promise<unknown>][] = [
        [6, async () => calls.push(await opened(ledger, call()))],
        [4, () => ledger.close(end(pick(calls) ?? call()))],
        [3, () => ledger.close(end(call()))],
        [2, () => interrupt(pick(calls)?.id ?? '')],
        [3, () => rollups.rollUp(pick([1, 3, 1000]))],
        [1, () => slow.write(end(pick([...calls, call()])))],
        [1, () => slow.commit()],
      ];
      const hat = actions.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));
      for (let step = 0; step < STEPS; step++) await pick(hat)();
      const question = (): UsageQuestion => ({
        from: pick([FROM, new Date('2026-10-24T10:15:00Z')]),
        to: TO,
        zone: pick(ZONES),
        granularity: 'day',
        groupBy: pick(DIMENSIONS),
        compare: false,
        ...(random() < 0.3 && { users: [pick(USERS)] }),
        ...(random() < 0.3 && { keys: [pick(KEYS).keyId] }),
        ...(random() < 0.3 && { models: [pick(MODELS)] }),
        ...(random() < 0.2 && { statuses: [pick(['open', 'settled', 'interrupted'])] }),
      });
      for (let asked = 0; asked < 6; asked++) await expectTruth(question());
      await slow.commit();
      await expectTruth(question());
      expect(await rollups.rollUp()).toBe(true);
      expect(await sumOfRollups(database)).toEqual(await sumOfClosed(database));
      for (let asked = 0; asked < 6; asked++) await expectTruth(question());
      await slow.close();
    }
  }, 120_000);

  it('are written by one process at a time, and by the next one as soon as that is gone', async () => {
    await ledger.close(closedCall(openCall({ startedAt: FROM })));
    const elected = await SlowWriter.connect(database.url);
    await elected.hold(USAGE_LOCK);
    expect(await rollups.rollUp()).toBe(false);
    expect(await sumOfRollups(database)).not.toEqual(await sumOfClosed(database));
    await elected.close();
    expect(await eventually(() => rollups.rollUp())).toBe(true);
    expect(await sumOfRollups(database)).toEqual(await sumOfClosed(database));
  });

  it('go on when the clock was set back', async () => {
    await database.query("UPDATE usage_rollup_state SET rolled_up_at = now() + interval '500 days'");
    await ledger.close(closedCall(openCall({ startedAt: FROM })));
    expect(await rollups.rollUp()).toBe(true);
    expect(await sumOfRollups(database)).toEqual(await sumOfClosed(database));
  });

  it('know of calls that were closed in the name of a process that is gone', async () => {
    const call = openCall({ startedAt: FROM });
    await database.query(INSERT_OPEN, [JSON.stringify([toOpenRow(call, '4711')])]);
    const question: UsageQuestion = {
      from: FROM,
      to: TO,
      zone: 'UTC',
      granularity: 'day',
      groupBy: null,
      compare: false,
    };
    const { errors } = (await reports.report(question)).totals;
    await rollups.rollUp();
    await eventually(async () => (await reports.report(question)).totals.errors === errors + 1, 10_000);
    await expectTruth(question);
    await rollups.rollUp();
    await ledger.close(closedCall(call));
    await expectTruth(question);
    await rollups.rollUp();
    await expectTruth(question);
  });

  it('come of themselves', async () => {
    await ledger.close(closedCall(openCall({ startedAt: FROM })));
    await eventually(
      async () => JSON.stringify(await sumOfRollups(database)) === JSON.stringify(await sumOfClosed(database)),
      25_000,
    );
  }, 40_000);
});

async function opened(ledger: UsageLedgerService, call: OpenCall): Promise<OpenCall> {
  await ledger.open(call);
  return call;
}

/** Closes calls in a transaction that stays open for long, as another gateway's may. */
class SlowWriter {
  private begun = false;

  private constructor(private readonly client: pg.Client) {}

  static async connect(url: string): Promise<SlowWriter> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return new SlowWriter(client);
  }

  /** Once a transaction, so that nobody waits for a row that it holds. */
  async write(call: ClosedCall): Promise<void> {
    await this.commit();
    await this.client.query('BEGIN');
    this.begun = true;
    const late = { ...call, id: `${call.id}-late` };
    await this.client.query(UPSERT_CLOSED, [JSON.stringify([toClosedRow(late, '1')])]);
  }

  async commit(): Promise<void> {
    if (this.begun) await this.client.query('COMMIT');
    this.begun = false;
  }

  async hold(lock: string): Promise<void> {
    await this.client.query(`SELECT pg_advisory_lock(${lock})`);
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}

const WHOLE_CALLS = "SELECT *, 1 AS calls, (status IN ('failed', 'interrupted'))::int AS errors FROM usage_calls";

/** A call that its caller is to blame for is that of its upstream, its error of none. */
const CALLS_BY_UPSTREAM = `
  WITH told AS (SELECT *, upstream IS NOT NULL AND status = 'failed' AND error_code = 'invalid_value' AS blame FROM usage_calls)
  SELECT started_at, user_id, key_id, model, upstream, status, input_tokens, cached_tokens, output_tokens,
    reasoning_tokens, cost_nanodollars, total_ms, first_token_ms, 1 AS calls,
    (status IN ('failed', 'interrupted') AND blame IS NOT TRUE)::int AS errors FROM told
  UNION ALL SELECT started_at, user_id, key_id, model, NULL, status, 0, 0, 0, 0, 0, NULL, NULL, 0, 1 FROM told WHERE blame`;

const EXPECTED_SUMS = `sum(calls) AS requests,
  count(*) FILTER (WHERE status = 'open') AS running,
  sum(errors) AS errors,
  count(*) FILTER (WHERE status = 'aborted') AS aborted,
  sum(input_tokens) AS "inputTokens", sum(cached_tokens) AS "cachedTokens",
  sum(output_tokens) AS "outputTokens", sum(reasoning_tokens) AS "reasoningTokens",
  sum(cost_nanodollars) AS "costNanodollars",
  percentile_disc(0.5) WITHIN GROUP (ORDER BY total_ms) AS "p50TotalMs",
  percentile_disc(0.95) WITHIN GROUP (ORDER BY total_ms) AS "p95TotalMs",
  percentile_disc(0.5) WITHIN GROUP (ORDER BY first_token_ms) AS "p50FirstTokenMs",
  percentile_disc(0.95) WITHIN GROUP (ORDER BY first_token_ms) AS "p95FirstTokenMs"`;

function expectSums(sums: UsageSums, row: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(sums)) {
    const wanted = row[name] === null ? null : Number(row[name]);
    if (!name.startsWith('p')) expect({ [name]: Number(value) }).toEqual({ [name]: wanted });
    else if (wanted === null || value === null) expect({ [name]: value }).toEqual({ [name]: wanted });
    else {
      expect(Number(value)).toBeGreaterThanOrEqual(wanted * 0.95 - 0.1);
      expect(Number(value)).toBeLessThanOrEqual(wanted * 1.05 + 0.1);
    }
  }
}

/** By kind and size, each of which must be the whole. */
async function sumOfRollups(database: TestDatabase) {
  const tables = KINDS.filter((kind) => kind !== 'failure').map(
    (kind) => `SELECT '${kind}' AS kind, * FROM usage_rollups_${kind}`,
  );
  const rows = await database.query<{ calls: string; cost: string }>(
    `SELECT kind, quarters, sum(calls) AS calls, sum(cost_nanodollars) AS cost
     FROM (${tables.join(' UNION ALL ')}) AS rollups GROUP BY 1, 2`,
  );
  expect(rows).toHaveLength(4 * ROLLUP_SIZES.length);
  return [...new Set(rows.map(({ calls, cost }) => `${calls} ${cost}`))];
}

async function sumOfClosed(database: TestDatabase) {
  const rows = await database.query<{ calls: string; cost: string }>(
    `SELECT count(*) AS calls, sum(cost_nanodollars) AS cost FROM usage_calls WHERE status <> 'open'`,
  );
  return rows.map(({ calls, cost }) => `${calls} ${cost}`);
}

function int(random: () => number, below: number): number {
  return Math.floor(random() * below);
}

/** The same numbers each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
