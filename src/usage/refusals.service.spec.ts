import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { eventually } from '../../test/support/eventually.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { type Refusal, RefusalsService } from './refusals.service.js';
import { UsageModule } from './usage.module.js';

describe('RefusalsService', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    services = await startServices(database.url, UsageModule);
  });
  beforeEach(() => database.query('TRUNCATE refused_calls, recent_errors'));

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
    for (let i = 0; i < 2; i++) refuse({ keyId, model: 'gpt-6-luna', status: 400, code: 'invalid_value' });
    refuse({ keyId, model: 'gpt-6-luna', status: 400, code: 'invalid_value' }, other);
    refuse({}, other);
    await other.close();
    await eventually(isCounted(7));
    const [first, second, ...rest] = (await counted()) as { hour: Date; calls: number }[];
    expect(first).toMatchObject({ key_id: keyId, model: 'gpt-6-luna', status: 400, code: 'invalid_value', calls: 3 });
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
    const stored = await database.query<{ key_id: string; request_id: string }>(
      'SELECT key_id, request_id FROM recent_errors ORDER BY id',
    );
    expect(stored.filter(({ key_id }) => key_id === quiet)).toMatchObject([{ request_id: 'req_quiet' }]);
    const ofLoud = stored.filter(({ key_id }) => key_id === loud).map(({ request_id }) => request_id);
    expect(ofLoud).toHaveLength(100);
    expect([ofLoud.at(0), ofLoud.at(-1)]).toEqual(['req_1401', 'req_last']);
  });

  it('stores requested model names without keys and without characters that the database rejects', async () => {
    const reported = { requestedModel: `a\0b svc_${'k'.repeat(40)}`, message: 'There is no a\0b.' };
    refuse({ keyId: randomUUID(), ...reported });
    await eventually(isCounted(1));
    expect(await database.query('SELECT asked_model, message FROM recent_errors')).toEqual([
      { asked_model: 'ab svc_…', message: 'There is no ab.' },
    ]);
  });

  it('counts separately by user and API', async () => {
    const [keyId, userId] = [randomUUID(), randomUUID()];
    refuse({ keyId, userId, api: 'responses' });
    refuse({ keyId, userId, api: 'embeddings' });
    await eventually(isCounted(2));
    const rows = await database.query('SELECT user_id, api FROM refused_calls ORDER BY api');
    expect(rows).toEqual([
      { user_id: userId, api: 'embeddings' },
      { user_id: userId, api: 'responses' },
    ]);
  });

  it('stores few requests of each unknown key, so that a flood of requests displaces no others', async () => {
    const keyId = randomUUID();
    refuse({ keyId });
    refuse({ keyDisplay: 'svc_aaaa…aaaa' });
    for (let i = 0; i < 2000; i++) refuse({ keyDisplay: 'svc_bbbb…bbbb' });
    for (let i = 0; i < 2000; i++) refuse({ keyDisplay: `svc_c${i}…cccc` });
    await eventually(isCounted(4002));
    const rows = await database.query<{ key_display: string | null; stored: number }>(
      'SELECT key_id, key_display, count(*)::int AS stored FROM recent_errors GROUP BY 1, 2 ORDER BY 1 NULLS LAST, 2',
    );
    expect(rows.slice(0, 3)).toEqual([
      { key_id: keyId, key_display: null, stored: 1 },
      { key_id: null, key_display: 'svc_aaaa…aaaa', stored: 1 },
      { key_id: null, key_display: 'svc_bbbb…bbbb', stored: 10 },
    ]);
    expect(rows.length).toBeLessThan(100);
  });

  it('stores at most 300 requests of unknown keys', async () => {
    await database.query(
      `INSERT INTO recent_errors (at, request_id, key_display, status, code)
       SELECT now(), 'req_old', 'svc_' || i || '…9xYz', 401, 'invalid_api_key' FROM generate_series(1, 400) AS i`,
    );
    refuse({ requestId: 'req_new' });
    await eventually(isCounted(1));
    const stored = await database.query<{ request_id: string }>(
      'SELECT request_id FROM recent_errors ORDER BY id DESC',
    );
    expect([stored.length, stored[0]?.request_id]).toEqual([300, 'req_new']);
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
