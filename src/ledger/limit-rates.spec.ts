import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Random } from '../../test/support/random.js';
import { openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { balance, requestOf } from '../../test/support/test-limits.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageModule } from '../usage/usage.module.js';
import { UsageLedgerService } from './usage-ledger.service.js';

describe('a rate that is changed', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
    ledger = services.get(UsageLedgerService);
  });

  const pass = (id: string, minutes: number) =>
    database.query("UPDATE limit_balances SET at = at - $2 * interval '1 minute' WHERE id = $1", [id, minutes]);

  /** The retry-after in seconds; 0: the call was admitted. */
  async function wait(id: string, requestsPerMinute: number | null, tokensPerMinute: number | null = null) {
    const limited = balance(id, { requestsPerMinute, tokensPerMinute, concurrentCalls: 100_000 });
    const admission = await ledger.open(openCall({ admissionRequest: requestOf([limited], { tokens: 10 }) }));
    if (admission?.isAdmitted) return 0;
    return admission?.refusal.seconds ?? 0;
  }

  it('counts time before the change at the old rate: 240 a minute used up, idle for 40 minutes, 2 a minute', async () => {
    const id = randomUUID();
    await wait(id, 240);
    await database.query('UPDATE limit_balances SET requests_used = 240 WHERE id = $1', [id]);
    await pass(id, 40);
    expect(await wait(id, 2)).toBe(0);
  });

  it('drains while there is no limit: 600 a minute used up, no limit for 30 minutes, 10 a minute', async () => {
    const id = randomUUID();
    await wait(id, 600);
    await database.query('UPDATE limit_balances SET requests_used = 600 WHERE id = $1', [id]);
    await pass(id, 30);
    expect(await wait(id, 10)).toBe(0);
  });

  it('never needs a longer wait than filling the new bucket from empty', async () => {
    const id = randomUUID();
    await wait(id, 6000);
    await database.query('UPDATE limit_balances SET requests_used = 6000 WHERE id = $1', [id]);
    const seconds = await wait(id, 2);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(30);
    expect(await wait(id, 2)).toBeLessThanOrEqual(30);
  });

  it('is consistent at random times and rates, with random calls in between', async () => {
    for (let round = 0; round < 4; round++) {
      const random = new Random(round + 1);
      const id = randomUUID();
      let requests: number | null = 100;
      let tokens: number | null = 10_000;
      for (let step = 0; step < 60; step++) {
        const chance = random.next();
        if (chance < 0.2) requests = random.next() < 0.2 ? null : Math.ceil(10 ** (3 * random.next()));
        else if (chance < 0.3) tokens = random.next() < 0.2 ? null : Math.ceil(10 ** (1 + 3 * random.next()));
        else if (chance < 0.4) await pass(id, 5 * random.next());
        else {
          const seconds = await wait(id, requests, tokens);
          // A bucket fills within a minute, and one admitted call may be missing from it.
          expect(seconds).toBeLessThanOrEqual(60 * (1 + 1e-6));
        }
      }
    }
  });
});
