import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DatabaseProxy } from '../../../test/support/database-proxy.js';
import { TemporaryFolder } from '../../../test/support/embedded-postgres.process.js';
import { eventually } from '../../../test/support/eventually.js';
import { closedCall, openCall } from '../../../test/support/test-calls.js';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { balance, money, requestOf } from '../../../test/support/test-limits.js';
import { startServicesIn } from '../../../test/support/test-services.js';
import { UsageModule } from '../../usage/usage.module.js';
import type { OpenCall } from '../call-record.types.js';
import { LedgerVerificationModule } from '../ledger-verification.module.js';
import { LedgerVerificationService } from '../ledger-verification.service.js';
import { UsageLedgerService } from '../usage-ledger.service.js';
import { CallJournal, JournalFolder } from './call-journal.js';

describe('calls that end while the database is unavailable', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let folder: TemporaryFolder;
  const started: INestApplicationContext[] = [];

  beforeEach(async () => {
    database = await createMigratedDatabase();
    proxy = await DatabaseProxy.create(database.url);
    await proxy.open();
    folder = new TemporaryFolder();
  });
  afterEach(async () => {
    // Without their database they close late.
    await proxy.open();
    for (const services of started.splice(0)) await services.close();
    await proxy.close();
    await database.drop();
    folder.remove();
  });

  const start = async (url: string) => {
    const services = await startServicesIn(folder.path, url, UsageModule, LedgerVerificationModule);
    started.push(services);
    return services;
  };
  const ledgerOf = (services: INestApplicationContext) => services.get(UsageLedgerService);
  const journalFiles = () => readdirSync(path.join(folder.path, 'journal'));
  const statuses = async () => {
    const rows = await database.query<{ status: string; error_code: string | null; calls: number }>(
      'SELECT status, error_code, count(*)::int AS calls FROM usage_calls GROUP BY 1, 2',
    );
    return Object.fromEntries(rows.map(({ status, error_code: code, calls }) => [`${status} ${code}`, calls]));
  };
  const verdict = (services: INestApplicationContext) => services.get(LedgerVerificationService).verify();
  const budget = () => balance(randomUUID(), { budgetMonthNanodollars: 1_000_000n, concurrentCalls: 100 });
  const limitedBy = (user: ReturnType<typeof budget>, count: number) =>
    Array.from({ length: count }, () => openCall({ admissionRequest: requestOf([user], { money: money(1000n) }) }));
  const unlimited = (count: number) => Array.from({ length: count }, () => openCall());
  const close = (ledger: UsageLedgerService, calls: readonly OpenCall[]) =>
    Promise.all(calls.map((call) => ledger.close(closedCall(call, { costNanodollars: 700n }))));
  const balanceOf = async (id: string) => {
    const [row] = await database.query('SELECT * FROM limit_balances WHERE id = $1', [id]);
    return { running: row?.running, spent: Number(row?.spent_month), reserved: Number(row?.reserved_month) };
  };

  it('end within seconds, and are closed with their cost after the outage', async () => {
    const services = await start(proxy.url);
    const ledger = ledgerOf(services);
    const user = budget();
    const calls = [...limitedBy(user, 20), ...unlimited(600)];
    await Promise.all(calls.map((call) => ledger.open(call)));
    await proxy.close();
    await close(ledger, calls.slice(0, 400));
    const beganAt = performance.now();
    await close(ledger, calls.slice(400));
    // The outage is known by now, so no call waits.
    expect(performance.now() - beganAt).toBeLessThan(5000);
    expect(await statuses()).toEqual({ 'open null': 620 });
    expect(journalFiles()).toHaveLength(1);
    await proxy.open();
    await eventually(() => journalFiles().length === 0);
    expect(await statuses()).toEqual({ 'settled null': 620 });
    expect(await balanceOf(user.id)).toEqual({ running: 0, spent: 14_000, reserved: 0 });
    expect(await verdict(services)).toEqual({ ok: true, calls: 620, waiting: 0, faults: [] });
  });

  it('are counted by ledger:verify, and are not faults', async () => {
    const ledger = ledgerOf(await start(proxy.url));
    const calls = limitedBy(budget(), 7);
    await Promise.all(calls.map((call) => ledger.open(call)));
    await proxy.close();
    await close(ledger, calls);
    const tool = await startServicesIn(folder.path, database.url, LedgerVerificationModule);
    started.push(tool);
    expect(await verdict(tool)).toEqual({ ok: true, calls: 7, waiting: 7, faults: [] });
  });

  it('are closed by another process with the same data folder, even if it marked them as interrupted', async () => {
    const ledger = ledgerOf(await start(proxy.url));
    const user = budget();
    const calls = limitedBy(user, 30).map((call) => ({ ...call, promptNanodollars: 50 }));
    await Promise.all(calls.map((call) => ledger.open(call)));
    await proxy.close();
    const other = await start(database.url);
    await eventually(async () => (await statuses())['interrupted interrupted'] === 30);
    expect(await balanceOf(user.id)).toEqual({ running: 0, spent: 1500, reserved: 0 });
    await close(ledger, calls);
    await eventually(() => journalFiles().length === 0);
    expect(await statuses()).toEqual({ 'settled null': 30 });
    expect(await balanceOf(user.id)).toEqual({ running: 0, spent: 21_000, reserved: 0 });
    expect(await verdict(other)).toEqual({ ok: true, calls: 30, waiting: 0, faults: [] });
  });

  it('are written by the next process after a shutdown during the outage', async () => {
    const services = await start(proxy.url);
    const [stored, waiting] = [unlimited(5), unlimited(5)];
    await Promise.all([...stored, ...waiting].map((call) => ledgerOf(services).open(call)));
    await proxy.close();
    await close(ledgerOf(services), stored);
    const left = waiting.map((call) => closedCall(call, { costNanodollars: 700n }));
    for (const call of left) ledgerOf(services).keepUndelivered(call);
    await services.close();
    started.length = 0;
    expect(journalFiles()).toHaveLength(1);
    const other = await start(database.url);
    await eventually(() => journalFiles().length === 0);
    expect(await statuses()).toEqual({ 'settled null': 5, 'settled undelivered': 5 });
    expect(await verdict(other)).toEqual({ ok: true, calls: 10, waiting: 0, faults: [] });
  });

  it('are written during a shutdown if the database comes back', async () => {
    const services = await start(proxy.url);
    const calls = unlimited(5);
    await Promise.all(calls.map((call) => ledgerOf(services).open(call)));
    await proxy.close();
    await close(ledgerOf(services), calls);
    started.length = 0;
    const closing = services.close();
    await sleep(3000);
    await proxy.open();
    await closing;
    expect(await statuses()).toEqual({ 'settled null': 5 });
    expect(journalFiles()).toEqual([]);
  });

  it('change nothing when they are replayed twice, as after a kill before the file was removed', async () => {
    const services = await start(database.url);
    const user = budget();
    const calls = limitedBy(user, 10);
    await Promise.all(calls.map((call) => ledgerOf(services).open(call)));
    const folderOfJournal = new JournalFolder(folder.path);
    const [{ id: ledgerId }] = (await database.query('SELECT ledger_id AS id FROM usage_rollup_state')) as [
      { id: string },
    ];
    for (const instance of ['7', '8']) {
      const journal = new CallJournal(folderOfJournal, instance, ledgerId);
      await Promise.all(calls.map((call) => journal.append(closedCall(call, { costNanodollars: 700n }))));
      await journal.seal();
    }
    await eventually(() => journalFiles().length === 0);
    expect(await statuses()).toEqual({ 'settled null': 10 });
    expect(await balanceOf(user.id)).toEqual({ running: 0, spent: 7000, reserved: 0 });
    await eventually(async () => (await verdict(services)).ok);
  });

  it('stay in the journal of another ledger', async () => {
    const journal = new JournalFolder(folder.path);
    await journal.open();
    const foreign = new CallJournal(journal, '7', randomUUID());
    await foreign.append(closedCall(openCall()));
    await foreign.seal();
    writeFileSync(path.join(journal.path, '8-1.calls'), 'cut off');
    const services = await start(database.url);
    expect(await statuses()).toEqual({});
    expect(journalFiles()).toEqual(['7-1.calls', '8-1.calls']);
    expect((await verdict(services)).waiting).toBe(0);
  });

  it('fail if the journal cannot be written either, after the same time as without a journal', async () => {
    const ledger = ledgerOf(await start(proxy.url));
    const calls = unlimited(3);
    await Promise.all(calls.map((call) => ledger.open(call)));
    await proxy.close();
    rmSync(path.join(folder.path, 'journal'), { recursive: true });
    const beganAt = performance.now();
    await expect(close(ledger, calls)).rejects.toMatchObject({ status: 503 });
    expect(performance.now() - beganAt).toBeGreaterThanOrEqual(9900);
    await proxy.open();
    await eventually(async () => (await statuses())['settled undelivered'] === 3);
  });
});
