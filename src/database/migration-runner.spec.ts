import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { eventually } from '../../test/support/eventually.js';
import { createBaseline, LATER_MIGRATIONS } from '../../test/support/later-migrations.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { createServices } from '../../test/support/test-services.js';
import { DatabaseServer } from './database.server.js';
import { MigrationRunner } from './migration-runner.js';
import { MIGRATIONS, namesOf } from './migrations/migrations.js';

const ALL = [...MIGRATIONS.slice(0, 1), ...LATER_MIGRATIONS];

describe('migrations of a database in use', () => {
  let database: TestDatabase;
  let services: INestApplicationContext;
  let session: pg.Client;
  let backup: pg.Client;
  const warnings: string[] = [];
  const retries = { isStopping: () => false, limitMs: Number.POSITIVE_INFINITY };

  beforeEach(async () => {
    warnings.length = 0;
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message) => void warnings.push(String(message)));
    database = await createTestDatabase();
    await createBaseline(database.url);
    services = await createServices(database.url);
    session = await connected();
    backup = await connected('pg_dump');
    await backup.query('BEGIN; LOCK TABLE usage_calls, migrations IN ACCESS SHARE MODE');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await backup?.end();
    await session?.end();
    await services?.close();
    await database?.drop();
  });

  const connected = async (name = 'session') => {
    const client = new pg.Client({ connectionString: database.url, application_name: name });
    await client.connect();
    return client;
  };
  const runner = async (given = retries) =>
    new MigrationRunner(session, await services.get(DatabaseServer).migrationOptions(), given, ALL);
  const missing = async () => {
    const rows = await database.query<{ name: string }>('SELECT name FROM migrations');
    return namesOf(ALL).filter((required) => !rows.some(({ name }) => name === required));
  };

  it('wait for a backup, log it, and delay no call by two seconds', async () => {
    const running = (await runner()).run();
    let slowest = 0;
    while (warnings.length < 2) {
      const from = performance.now();
      await database.query("UPDATE usage_calls SET status = 'open' WHERE false");
      slowest = Math.max(slowest, performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await backup.query('COMMIT');
    expect(await running).toBe(true);
    expect(await missing()).toEqual([]);
    expect(slowest).toBeLessThan(2000);
    expect(warnings[0]).toMatch(
      /^The migration waits for a table that is in use by process \d+ \(pg_dump, for \d+ s\); next try in 1 s\.$/,
    );
  });

  it('fail with the reason when they may not wait for long', async () => {
    await expect((await runner({ ...retries, limitMs: 0 })).run()).rejects.toThrow(
      /^a migration of the database failed: a table is in use by process \d+ \(pg_dump, for \d+ s\)$/,
    );
  });

  it('stop when the gateway stops', async () => {
    let isStopping = false;
    const running = (await runner({ ...retries, isStopping: () => isStopping })).run();
    await eventually(() => warnings.length > 0);
    isStopping = true;
    expect(await running).toBe(false);
    expect(await missing()).not.toEqual([]);
  });

  it('have no time limit except for locks', async () => {
    const options = await services.get(DatabaseServer).migrationOptions();
    const dataSource = await new DataSource(options).initialize();
    expect(await dataSource.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '0' }]);
    expect(await dataSource.query('SHOW lock_timeout')).toEqual([{ lock_timeout: '1200ms' }]);
    await dataSource.destroy();
  });
});
