import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { expectTrueList } from '../../../test/support/calls-in-ledger.js';
import { eventually } from '../../../test/support/eventually.js';
import { Random } from '../../../test/support/random.js';
import { SlowWriter } from '../../../test/support/slow-writer.js';
import { closedCall, openCall } from '../../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { expectMatchesLedger } from '../../../test/support/usage-in-ledger.js';
import { USAGE_LOCK } from '../../database/advisory-locks.js';
import type { OpenCall } from '../../ledger/call-record.types.js';
import { UsageLedgerService } from '../../ledger/usage-ledger.service.js';
import { UsageModule } from '../usage.module.js';
import type { UsageQuestion } from '../usage.types.js';
import { UsageCallsService } from '../usage-calls.service.js';
import { UsageReportsService } from '../usage-reports.service.js';
import { ROLLUP_SIZES, slotOf } from './usage-pieces.js';
import { OLD_KINDS, SHARED_KINDS } from './usage-rollup-kinds.js';
import { UsageRollupsService } from './usage-rollups.service.js';

const FROM = new Date('2026-10-23T00:00:00Z');
const TO = new Date('2026-10-28T00:00:00Z');
/** The first days, of which the first two are too old to have hours. */
const LATER = new Date('2027-02-01T12:00:00Z');
const EVEN_LATER = new Date('2027-02-02T12:00:00Z');
const ROUNDS = 8;
const STEPS = 30;
const DIMENSIONS = [null, 'model', 'key', 'user', 'upstream', 'status', 'api'] as const;
/** Offsets of whole, half and quarter hours, and clock changes on 25 October. */
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Chatham'];

const USERS = [randomUUID(), randomUUID()];
const KEYS = [0, 1, 2, 3].map((index) => ({ keyId: randomUUID(), userId: USERS[index % 2] ?? '' }));
const APIS = ['chat.completions', 'responses', 'messages'];
const MODELS = ['model-a', 'model-b', 'model-c'];

/** New installations keep all sums in hours; older ones have earlier sums in other tables. */
describe.each([
  ['usage roll-ups', new Date(0)],
  ['usage roll-ups of an older installation', new Date('2026-10-25T07:00:00Z')],
])('%s', (_, hoursBegin) => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;
  let rollups: UsageRollupsService;
  let reports: UsageReportsService;
  let lists: UsageCallsService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    ledger = services.get(UsageLedgerService);
    rollups = services.get(UsageRollupsService);
    reports = services.get(UsageReportsService);
    lists = services.get(UsageCallsService);
    await beginHoursAt(database, slotOf(hoursBegin));
    await nameSomeKeys(database);
  });

  const interrupt = (id: string) =>
    database.query(
      `UPDATE usage_calls SET status = 'interrupted', error_code = 'interrupted', changed_in = DEFAULT,
         input_tokens = estimated_input_tokens, token_source = 'estimated'
       WHERE id = $1 AND status = 'open'`,
      [id],
    );

  it('roll-ups and the newest rows add up to the ledger, for any events in any order, whenever they are rolled up', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const random = new Random(round + 1);
      const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
      const calls: OpenCall[] = [];
      const slow = await SlowWriter.connect(database.url);
      const call = () =>
        openCall({
          ...pick(KEYS),
          model: pick(MODELS),
          api: pick(APIS),
          stream: pick([true, false]),
          simulated: pick([true, false, false]),
          startedAt: new Date(+FROM + Math.floor((random.next() * (+TO - +FROM)) / 1000) * 1000),
        });
      // A settled call may get an error code later, with the same figures.
      const end = (open: OpenCall) => {
        const status = pick(['settled', 'settled', 'failed', 'aborted'] as const);
        return closedCall(open, {
          status,
          errorCode: status === 'settled' ? null : pick(['upstream_error', 'invalid_value', null]),
          upstream: pick(['openai', 'anthropic', null]),
          tokens: {
            input: random.below(1000),
            cached: random.below(100),
            output: random.below(500),
            reasoning: random.below(50),
          },
          costNanodollars: BigInt(random.below(1e9)),
          totalMs: Math.floor(Math.exp(random.next() * 12)),
          firstTokenMs: pick([null, random.below(900)]),
        });
      };
      const actions: [number, () => Promise<unknown>][] = [
        [6, async () => calls.push(await opened(ledger, call()))],
        [4, () => ledger.close(end(pick(calls) ?? call()))],
        [3, () => ledger.close(end(call()))],
        [2, () => interrupt(pick(calls)?.id ?? '')],
        [3, () => rollups.rollUp(pick([1, 3, 1000]))],
        [2, () => rollups.makeDays(pick([new Date('2026-10-25T13:00:00Z'), TO]))],
        [1, () => rollups.dropOldHours(pick([LATER, EVEN_LATER]))],
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
        ...(random.next() < 0.3 && { users: [pick(USERS)] }),
        ...(random.next() < 0.3 && { keys: [pick(KEYS).keyId] }),
        ...(random.next() < 0.3 && { models: [pick(MODELS)] }),
        ...(random.next() < 0.2 && { apis: [pick(APIS)] }),
        ...(random.next() < 0.2 && { upstreams: [pick(['openai', 'anthropic'])] }),
        ...(random.next() < 0.2 && { statuses: [pick(['open', 'settled', 'interrupted'])] }),
      });
      for (let requested = 0; requested < 6; requested++) await expectMatchesLedger(database, reports, question());
      for (let requested = 0; requested < 3; requested++)
        await expectTrueList(database, lists, question(), pick([2, 7, 100]));
      await slow.commit();
      await expectMatchesLedger(database, reports, question());
      // The timer of the gateway itself may be rolling up.
      expect(await eventually(() => rollups.rollUp())).toBe(true);
      expect(await sumOfRollups(database)).toEqual(await sumOfClosed(database));
      for (let requested = 0; requested < 6; requested++) await expectMatchesLedger(database, reports, question());
      await expectTrueList(database, lists, question(), pick([2, 7, 100]));
      await slow.close();
    }
  }, 120_000);

  it('are written by one process at a time, and by another process when that one has ended', async () => {
    await ledger.close(closedCall(openCall({ startedAt: FROM })));
    const elected = await SlowWriter.connect(database.url);
    await elected.hold(USAGE_LOCK);
    expect(await rollups.rollUp()).toBe(false);
    expect(await sumOfRollups(database)).not.toEqual(await sumOfClosed(database));
    await elected.close();
    expect(await eventually(() => rollups.rollUp())).toBe(true);
    expect(await sumOfRollups(database)).toEqual(await sumOfClosed(database));
  });

  it('continue after the clock was set back', async () => {
    await database.query("UPDATE usage_rollup_state SET rolled_up_at = now() + interval '500 days'");
    await ledger.close(closedCall(openCall({ startedAt: FROM })));
    expect(await rollups.rollUp()).toBe(true);
    expect(await sumOfRollups(database)).toEqual(await sumOfClosed(database));
  });

  it('include calls that were closed for a process that is gone', async () => {
    const call = openCall({ startedAt: FROM });
    const gone = await SlowWriter.connect(database.url);
    await gone.open(call, '4711');
    await gone.close();
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
    await eventually(async () => (await reports.report(question)).totals.errors === errors + 1);
    await expectMatchesLedger(database, reports, question);
    await rollups.rollUp();
    await ledger.close(closedCall(call));
    await expectMatchesLedger(database, reports, question);
    await rollups.rollUp();
    await expectMatchesLedger(database, reports, question);
  });

  it('run by themselves', async () => {
    await ledger.close(closedCall(openCall({ startedAt: FROM })));
    await eventually(
      async () => JSON.stringify(await sumOfRollups(database)) === JSON.stringify(await sumOfClosed(database)),
      60_000,
    );
  });
});

async function beginHoursAt(database: TestDatabase, slot: number): Promise<void> {
  await database.query('UPDATE usage_rollup_state SET hours_begin = $1, hours_kept_from = $1, days_up_to = $1', [slot]);
  for (const kind of OLD_KINDS) {
    const constraint = `usage_rollups_${kind}_ended`;
    await database.query(
      `ALTER TABLE usage_rollups_${kind} DROP CONSTRAINT ${constraint}, ADD CONSTRAINT ${constraint} CHECK (slot < ${slot})`,
    );
  }
}

/** Users of the others are in no table. */
async function nameSomeKeys(database: TestDatabase): Promise<void> {
  for (const { keyId, userId } of KEYS.slice(0, 2)) {
    await database.query('INSERT INTO users (id, email) VALUES ($1, $2)', [userId, `${userId}@localhost`]);
    await database.query(
      `INSERT INTO api_keys (id, user_id, name, key_hash, display) VALUES ($1, $2, 'named', sha256($3), 'svc_')`,
      [keyId, userId, Buffer.from(keyId)],
    );
  }
}

async function opened(ledger: UsageLedgerService, call: OpenCall): Promise<OpenCall> {
  await ledger.open(call);
  return call;
}

/** By table and size; each must be complete. */
async function sumOfRollups(database: TestDatabase) {
  const tables = SHARED_KINDS.map(
    (kind) => `SELECT '${kind}' AS kind, quarters, calls, cost_nanodollars FROM usage_rollups_${kind}`,
  );
  const rows = await database.query<{ calls: string; cost: string }>(
    `SELECT kind, quarters, sum(calls) AS calls, sum(cost_nanodollars) AS cost
     FROM (${tables.join(' UNION ALL ')}) AS rollups GROUP BY 1, 2`,
  );
  expect(rows).toHaveLength(SHARED_KINDS.length * ROLLUP_SIZES.length);
  return [...new Set(rows.map(({ calls, cost }) => `${calls} ${cost}`))];
}

async function sumOfClosed(database: TestDatabase) {
  const rows = await database.query<{ calls: string; cost: string }>(
    `SELECT count(*) AS calls, sum(cost_nanodollars) AS cost FROM usage_calls WHERE status <> 'open'`,
  );
  return rows.map(({ calls, cost }) => `${calls} ${cost}`);
}
