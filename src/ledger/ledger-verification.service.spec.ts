import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { createPartitions } from '../../test/support/ledger-partitions.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { WHOLE_LEDGER_CHECKS } from '../../test/support/whole-ledger-checks.js';
import { COMMAND_LINE } from '../audit/audit.types.js';
import { LedgerRepairService } from './ledger-repair.service.js';
import { LedgerVerificationModule } from './ledger-verification.module.js';
import { LedgerVerificationService, type VerificationProgress } from './ledger-verification.service.js';
import { duplicateIds } from './verification/checks.js';

const DAY_MS = 86_400_000;
const FIRST = new Date('2026-01-10T00:00:00Z');
const CALLS = 3000;

/** A constant number from 0 to 1 for each call. */
const chance = (of: string) => `((hashtext(n || '${of}') & 1048575) / 1048576.0)`;

/** Calls of 70 days, each limited by two of seven balances; some exceed their reservation, some last for hours. */
const SEED = `
  INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status, price_version,
    token_source, limited_by, admitted_at, reserved_nanodollars, cost_nanodollars, total_ms)
  SELECT 'call-' || n, at, 1, 'r', gen_random_uuid(), gen_random_uuid(), 'free', 'm', false,
    CASE WHEN n % 41 = 0 THEN 'open' ELSE 'settled' END, 'p', CASE WHEN n % 41 > 0 THEN 'reported' END,
    CASE WHEN n % 9 > 0 THEN ARRAY[md5((n % 4)::text)::uuid, md5('s' || n % 3)::uuid] END,
    CASE WHEN n % 9 > 0 AND n % 77 > 0 THEN at + (${chance('admitted')} * 4 - 2) * interval '1 s' END,
    CASE WHEN n % 9 > 0 THEN (${chance('reserved')} * 1000)::bigint ELSE 0 END,
    CASE WHEN n % 41 > 0 THEN (${chance('cost')} * 1100)::bigint ELSE 0 END,
    CASE WHEN n % 5 = 0 THEN 50000000 * ${chance('total')} ELSE 900 END
  FROM (
    SELECT n, $1::timestamptz + 70 * ${chance('begin')} * interval '1 day' AS at FROM generate_series(1, $2::int) AS n
  ) AS calls`;

describe('LedgerVerificationService', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let verification: LedgerVerificationService;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, LedgerVerificationModule);
    verification = services.get(LedgerVerificationService);
    dataSource = services.get<DataSource>(getDataSourceToken());
    await createPartitions(database, FIRST, new Date('2026-03-31'));
  });
  beforeEach(async () => {
    await database.query('TRUNCATE usage_calls, limit_balances, limit_caps');
    await database.query(SEED, [FIRST, CALLS]);
    await database.query(
      `INSERT INTO limit_balances (id, kind, at, running, day, month, spent_day, spent_month, spent_total, reserved_total)
       SELECT b.id, 'user', now(), count(*) FILTER (WHERE u.status = 'open'), '2026-02-11', '2026-02-01',
         coalesce(sum(cost_nanodollars) FILTER (WHERE u.status <> 'open' AND (admitted_at AT TIME ZONE 'UTC')::date = '2026-02-11'), 0),
         coalesce(sum(cost_nanodollars) FILTER (WHERE u.status <> 'open'
           AND date_trunc('month', admitted_at AT TIME ZONE 'UTC') = '2026-02-01'), 0),
         sum(cost_nanodollars) FILTER (WHERE u.status <> 'open'), coalesce(sum(reserved_nanodollars) FILTER (WHERE u.status = 'open'), 0)
       FROM usage_calls AS u CROSS JOIN unnest(u.limited_by) AS b (id) GROUP BY b.id`,
    );
    await database.query(
      `UPDATE limit_balances AS b SET
         reserved_day = (SELECT coalesce(sum(reserved_nanodollars), 0) FROM usage_calls WHERE status = 'open'
           AND b.id = ANY(limited_by) AND (admitted_at AT TIME ZONE 'UTC')::date = b.day),
         reserved_month = (SELECT coalesce(sum(reserved_nanodollars), 0) FROM usage_calls WHERE status = 'open'
           AND b.id = ANY(limited_by) AND date_trunc('month', admitted_at AT TIME ZONE 'UTC') = b.month)
       `,
    );
  });

  /** By balance, from the given day on; null: none. */
  const cap = (since: string, day: number | null, month: number | null, total: number | null) =>
    database.query('INSERT INTO limit_caps SELECT id, $1, $2, $3, $4 FROM limit_balances', [since, day, month, total]);
  const faultsOfWhole = async () => {
    const faults: string[] = [];
    for (const check of WHOLE_LEDGER_CHECKS) {
      faults.push(...(await database.query<{ fault: string }>(check)).map(({ fault }) => fault));
    }
    return faults.sort();
  };
  const faults = async () => [...(await verification.verify()).faults].sort();

  it('finds no faults in a ledger of many days, and reports progress', async () => {
    await cap('2026-01-01', 100_000_000, null, 1_000_000_000);
    const reported: VerificationProgress[] = [];
    expect(await verification.verify((progress) => reported.push(progress))).toEqual({
      ok: true,
      calls: CALLS,
      waiting: 0,
      faults: [],
    });
    expect(reported).toContainEqual({ step: 'rows and balances', reached: '2026-02-11' });
    expect(reported).toContainEqual({ step: 'budgets', reached: '2026-03-02' });
    expect(reported.at(-1)).toEqual({ step: 'ids', reached: `${CALLS} of ${CALLS}` });
  });

  it('counts estimates that were too low by kind, which are no faults', async () => {
    for (const [note, ...ids] of [
      [{ overReserved: 5, underestimated: 'file' }, 'call-8', 'call-1502'],
      [{ overReserved: 5, underestimated: 'web_search' }, 'call-9'],
      [{ overReserved: 5 }, 'call-10'],
      [{ basis: 'time' }, 'call-11'],
    ] as const) {
      await database.query('UPDATE usage_calls SET charge = $1 WHERE id = ANY($2)', [JSON.stringify(note), ids]);
    }
    const { ok, underestimates } = await verification.verify();
    expect({ ok, underestimates }).toEqual({ ok: true, underestimates: { file: 2, web_search: 1, unknown: 1 } });
  });

  it('finds the same faults as a check of the whole ledger, across slices, days and months', async () => {
    const [worst] = await database.query<{ day: number; month: number; total: number }>(
      `SELECT max(day)::int AS day, max(month)::int AS month, max(total)::int AS total FROM (
         SELECT sum(cost_nanodollars) OVER (PARTITION BY b.id, started_at::date) AS day,
           sum(cost_nanodollars) OVER (PARTITION BY b.id, date_trunc('month', started_at)) AS month,
           sum(cost_nanodollars) OVER (PARTITION BY b.id) AS total
         FROM usage_calls CROSS JOIN unnest(limited_by) AS b (id)
       ) AS sums`,
    );
    const { day, month, total } = worst ?? { day: 0, month: 0, total: 0 };
    await cap('2026-01-01', Math.round(day * 0.72), null, Math.round(total * 0.999));
    await cap('2026-02-20', null, Math.round(month * 0.995), Math.round(total * 0.997));
    await database.query('UPDATE limit_balances SET spent_month = spent_month + 1, running = running - 1');
    const required = await faultsOfWhole();
    expect(required.some((fault) => fault.endsWith('(day)'))).toBe(true);
    expect(required.some((fault) => fault.endsWith('(total)'))).toBe(true);
    expect(required.length).toBeLessThan(100);
    expect(await faults()).toEqual(required);
  });

  it('finds no more faults after a repair, which is exact, reported, recorded and done once', async () => {
    await database.query(`
      UPDATE limit_balances SET spent_day = 0, reserved_month = reserved_month + 7, running = running - 1
      WHERE id = md5('1')::uuid`);
    const repair = () => services.get(LedgerRepairService).repair(COMMAND_LINE);
    const attempts = await Promise.allSettled([repair(), repair()]);
    const repaired = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? attempt.value : []));
    expect(repaired.map(({ value, before, after }) => [value, before < after]).sort()).toEqual([
      ['calls in progress', true],
      ['reserved (month)', false],
      ['spent (day)', true],
    ]);
    expect(await faults()).toEqual([]);
    expect(await repair()).toEqual([]);
    const entries = await database.query<{ before: object; after: object }>(
      "SELECT before, after FROM audit_log WHERE action = 'ledger.repair'",
    );
    const valuesOf = (name: 'before' | 'after') => Object.fromEntries(repaired.map((one) => [one.value, one[name]]));
    expect(entries).toEqual([{ before: valuesOf('before'), after: valuesOf('after') }]);
  });

  it('finds a fault in the middle, and an id reused a month later', async () => {
    const [row] = await database.query<{ id: string }>(
      "UPDATE usage_calls SET token_source = NULL WHERE id = 'call-1501' RETURNING id",
    );
    await database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
         price_version, token_source)
       SELECT 'call-7', started_at + interval '30 days', 1, 'r', key_id, user_id, 'free', 'm', false, 'failed', 'p', 'reported'
       FROM usage_calls WHERE id = 'call-7' AND started_at < '2026-02-20'
       UNION ALL SELECT 'call-7', '2026-01-11', 1, 'r', key_id, user_id, 'free', 'm', false, 'failed', 'p', 'reported'
       FROM usage_calls WHERE id = 'call-7' AND started_at >= '2026-02-20'`,
    );
    expect(await faults()).toEqual(['call call-7 has 2 rows', `call ${row?.id} is settled and has no tokens`].sort());
  });

  it('finds an estimate above its reservation, unless a reported prompt explains it', async () => {
    const [row] = await database.query<{ id: string; cost: string }>(
      `UPDATE usage_calls SET status = 'aborted', token_source = 'estimated' WHERE id = (
         SELECT id FROM usage_calls WHERE status = 'settled' AND limited_by IS NOT NULL AND admitted_at IS NOT NULL
           AND cost_nanodollars > reserved_nanodollars ORDER BY id LIMIT 1)
       RETURNING id, cost_nanodollars AS cost`,
    );
    const { id, cost } = row ?? { id: '', cost: '0' };
    const chargeFor = (prompt: number) =>
      database.query("UPDATE usage_calls SET charge = jsonb_build_object('reportedPrompt', $2::bigint) WHERE id = $1", [
        id,
        prompt,
      ]);
    const fault = expect.stringContaining(`call ${id} is aborted and was charged ${cost} of`);
    expect(await faults()).toEqual([fault]);
    await chargeFor(Number(cost) - 1);
    expect(await faults()).toEqual([fault]);
    await chargeFor(Number(cost));
    expect(await faults()).toEqual([]);
  });

  it.each([2, 3, 5, 5000])('finds duplicate ids across two pages of %s', async (size) => {
    await database.query('TRUNCATE usage_calls');
    for (const [id, rows] of Object.entries({ a: 1, b: 2, c: 1, d: 3, e: 1, f: 2 })) {
      await database.query(
        `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status, price_version)
         SELECT $1, $2::timestamptz + n * interval '20 days', 1, 'r', gen_random_uuid(), gen_random_uuid(), 'free', 'm', false,
           'failed', 'p' FROM generate_series(1, $3::int) AS n`,
        [id, FIRST, rows],
      );
    }
    const found = await duplicateIds(dataSource.manager, () => undefined, size);
    expect(new Set(found.map((fault) => fault.slice(0, 6)))).toEqual(new Set(['call b', 'call d', 'call f']));
  });

  it('reads at most a day or a page of ids in one statement', async () => {
    const read: { sql: string; values: unknown[] }[] = [];
    const { logger } = dataSource;
    dataSource.logger = Object.assign(Object.create(logger), {
      logQuery: (sql: string, values: unknown[]) => read.push({ sql, values }),
    });
    await verification.verify();
    dataSource.logger = logger;
    const ofLedger = read.filter(({ sql }) => /FROM usage_calls/.test(sql) && !/LIMIT 1$/.test(sql));
    expect(ofLedger.length).toBeGreaterThan(300);
    for (const { sql, values } of ofLedger) {
      const [from, to] = values;
      if (from instanceof Date && to instanceof Date) {
        expect(sql).toContain('started_at >= $1 AND started_at < $2');
        expect(to.getTime() - from.getTime()).toBeLessThanOrEqual(DAY_MS);
      } else {
        expect(sql).toContain('ORDER BY id LIMIT $2');
      }
    }
  });
});
