import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { eventually } from '../../../test/support/eventually.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { UsageModule } from '../usage.module.js';
import { type Refusal, RefusalsService } from './refusals.service.js';

describe('RefusalsService', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
  });
  beforeEach(() => database.query('TRUNCATE refused_calls, recent_errors'));
  afterAll(async () => {
    await services?.close();
    await database?.drop();
  });

  const refuse = (refusal: Partial<Refusal> = {}, by = services) =>
    by.get(RefusalsService).record({
      requestId: 'req_1',
      keyId: null,
      userId: null,
      model: null,
      status: 401,
      code: 'invalid_api_key',
      ...refusal,
    });
  const counted = () =>
    database.query('SELECT hour, key_id, model, status, code, calls::int FROM refused_calls ORDER BY calls');
  const isCounted = (calls: number) => async () => {
    const rows = (await counted()) as { calls: number }[];
    return rows.reduce((sum, row) => sum + row.calls, 0) === calls;
  };

  it('counts by hour, key, model and error, across processes', async () => {
    const keyId = randomUUID();
    const other = await startServices(database.url, UsageModule);
    for (let i = 0; i < 3; i++) refuse();
    for (let i = 0; i < 2; i++) refuse({ keyId, model: 'gpt-5.4-nano', status: 400, code: 'invalid_value' });
    refuse({ keyId, model: 'gpt-5.4-nano', status: 400, code: 'invalid_value' }, other);
    refuse({}, other);
    await other.close();
    await eventually(isCounted(7));
    const [first, second, ...rest] = (await counted()) as { hour: Date; calls: number }[];
    expect(first).toMatchObject({ key_id: keyId, model: 'gpt-5.4-nano', status: 400, code: 'invalid_value', calls: 3 });
    expect(second).toMatchObject({ key_id: null, model: null, status: 401, code: 'invalid_api_key', calls: 4 });
    expect(rest).toEqual([]);
    expect(Number(first?.hour) % 3_600_000).toBe(0);
    expect(Date.now() - Number(first?.hour)).toBeLessThan(2 * 3_600_000);
  });

  it('stores the last 100 errors of each key, independently of other keys', async () => {
    const [quiet, loud] = [randomUUID(), randomUUID()];
    refuse({ keyId: quiet, requestId: 'req_quiet' });
    for (let i = 0; i < 1500; i++) refuse({ keyId: loud, requestId: `req_${i}` });
    await eventually(isCounted(1501));
    refuse({ keyId: loud, requestId: 'req_last' });
    await eventually(isCounted(1502));
    const kept = await database.query<{ key_id: string; request_id: string }>(
      'SELECT key_id, request_id FROM recent_errors ORDER BY id',
    );
    expect(kept.filter(({ key_id }) => key_id === quiet)).toMatchObject([{ request_id: 'req_quiet' }]);
    const ofLoud = kept.filter(({ key_id }) => key_id === loud).map(({ request_id }) => request_id);
    expect(ofLoud).toHaveLength(100);
    expect([ofLoud.at(0), ofLoud.at(-1)]).toEqual(['req_1401', 'req_last']);
  });

  it('stores requested names without keys and without characters that the database rejects', async () => {
    const told = { askedModel: `a\0b svc_${'k'.repeat(40)}`, message: 'There is no a\0b.' };
    refuse({ keyId: randomUUID(), ...told });
    await eventually(isCounted(1));
    expect(await database.query('SELECT asked_model, message FROM recent_errors')).toEqual([
      { asked_model: 'ab svc_…', message: 'There is no ab.' },
    ]);
  });

  it('only counts requests without a known key', async () => {
    const keyId = randomUUID();
    for (let i = 0; i < 2000; i++) refuse();
    refuse({ keyId });
    await eventually(isCounted(2001));
    expect(await database.query('SELECT key_id FROM recent_errors')).toEqual([{ key_id: keyId }]);
  });

  it('loses nothing while it cannot write', async () => {
    await database.query('ALTER TABLE recent_errors RENAME TO away');
    const keyId = randomUUID();
    for (let i = 0; i < 4; i++) refuse({ keyId });
    await new Promise((wait) => setTimeout(wait, 2500));
    expect(await counted()).toEqual([]);
    refuse({ keyId });
    await database.query('ALTER TABLE away RENAME TO recent_errors');
    await eventually(isCounted(5));
    expect(await database.query('SELECT 1 FROM recent_errors')).toHaveLength(5);
  });

  it('has written everything when the application has closed', async () => {
    const other = await startServices(database.url, UsageModule);
    refuse({}, other);
    await other.close();
    expect(await isCounted(1)()).toBe(true);
  });
});
