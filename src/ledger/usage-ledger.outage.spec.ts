import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { DatabaseProxy } from '../../test/support/database-proxy.js';
import { eventually } from '../../test/support/eventually.js';
import { LostTime } from '../../test/support/lost-time.js';
import { closedCall, openCall } from '../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageModule } from '../usage/usage.module.js';
import type { OpenCall } from './call-record.types.js';
import { UsageLedgerService } from './usage-ledger.service.js';

describe('UsageLedgerService, while the database is unavailable', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let services: INestApplicationContext;
  let ledger: UsageLedgerService;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    proxy = await DatabaseProxy.create(database.url);
    await proxy.open();
    services = await startServices(proxy.url, UsageModule);
    ledger = services.get(UsageLedgerService);
  });

  const rowsOf = (id: string) => database.query('SELECT * FROM usage_calls WHERE id = $1', [id]);

  const calls = (count: number) => Array.from({ length: count }, () => openCall());
  /** Status and error code of each call, in order. */
  const statusesOf = async (of: readonly OpenCall[]) => {
    const rows = await database.query<{ id: string; status: string; error_code: string | null }>(
      'SELECT id, status, error_code FROM usage_calls',
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return of.map(({ id }) => `${found.get(id)?.status} ${found.get(id)?.error_code}`);
  };

  it('loses nothing and duplicates nothing if the outage is short', async () => {
    const [running, started] = [calls(600), calls(100)];
    await Promise.all(running.map((call) => ledger.open(call)));
    await proxy.close();
    const written = Promise.all([
      ...running.map((call) => ledger.close(closedCall(call))),
      ...started.map((call) => ledger.open(call)),
    ]);
    await eventually(() => !ledger.isWritable);
    await proxy.open();
    await written;
    expect(await statusesOf(running)).toEqual(Array(600).fill('settled null'));
    expect(await statusesOf(started)).toEqual(Array(100).fill('open null'));
    await eventually(() => ledger.isWritable);
  });

  it('lets new calls wait two seconds and ended calls ten, and writes kept rows afterwards', async () => {
    const [answered, failed, refused] = [calls(1200), openCall(), openCall()];
    await proxy.close();
    const beganAt = performance.now();
    const closing = Promise.allSettled([
      ...answered.map((call) => ledger.close(closedCall(call))),
      ledger.close(closedCall(failed, { status: 'failed', errorCode: 'upstream_error' })),
    ]);
    await expect(ledger.open(refused)).rejects.toMatchObject({ status: 503 });
    expect(performance.now() - beganAt).toBeGreaterThanOrEqual(1990);
    for (const result of await closing) expect(result).toMatchObject({ status: 'rejected', reason: { status: 503 } });
    expect(performance.now() - beganAt).toBeGreaterThanOrEqual(9990);
    await proxy.open();
    await eventually(async () => !(await statusesOf([...answered, failed])).includes('undefined undefined'));
    expect(await statusesOf(answered)).toEqual(Array(1200).fill('settled undelivered'));
    expect(await statusesOf([failed])).toEqual(['failed upstream_error']);
    expect(await rowsOf(refused.id)).toEqual([]);
  });

  it('rejects after a while when the database does not respond, and deletes an unacknowledged open row', async () => {
    const [refused, closed] = [openCall(), openCall()];
    await ledger.open(openCall());
    proxy.silence();
    const [beganAt, lost] = [performance.now(), new LostTime()];
    const closing = Promise.allSettled([ledger.close(closedCall(closed))]);
    await expect(ledger.open(refused)).rejects.toMatchObject({ status: 503 });
    expect(await statusesOf([refused])).toEqual(['open null']);
    expect(await closing).toMatchObject([{ status: 'rejected', reason: { status: 503 } }]);
    expect(performance.now() - beganAt).toBeLessThan(15_000 + lost.stop());
    expect(await statusesOf([closed])).toEqual(['settled null']);
    await proxy.close();
    await proxy.open();
    await eventually(async () => (await rowsOf(refused.id)).length === 0);
    await eventually(async () => (await statusesOf([closed]))[0] === 'settled undelivered');
    await eventually(() => ledger.isWritable);
  });

  it('logs the outage at most once a second', async () => {
    const logged = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const beganAt = performance.now();
    await proxy.close();
    await Promise.allSettled(calls(500).map((call) => ledger.open(call)));
    await proxy.open();
    await eventually(() => ledger.isWritable);
    const seconds = (performance.now() - beganAt) / 1000;
    expect(errors).not.toHaveBeenCalled();
    const lines = logged.mock.calls.filter(([message]) => String(message).includes('the database is unavailable'));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    logged.mockRestore();
    errors.mockRestore();
  });
});
