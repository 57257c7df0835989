import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { DatabaseProxy } from '../../test/support/database-proxy.js';
import { schemaFingerprint } from '../../test/support/schema-fingerprint.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { createServices } from '../../test/support/test-services.js';
import { createPassableFolder } from '../../test/support/test-settings.js';
import { GATEWAY_VERSION } from '../config/environment.js';
import { DatabaseService } from './database.service.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { MIGRATIONS, namesOf } from './migrations/migrations.js';
import { signSchema } from './schema/schema-version.js';

describe('DatabaseService', () => {
  let database: TestDatabase;
  const started: INestApplicationContext[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const services of started.splice(0)) await services.close();
    await database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  });

  const create = async (url = database.url) => {
    const services = await createServices(url);
    started.push(services);
    return services.get(DatabaseService);
  };
  const migrated = async () => (await database.query('SELECT name FROM migrations')).length;

  it('migrates once when many processes start together', async () => {
    const all = await Promise.all([create(), create(), create(), create()]);
    await Promise.all(all.map((service) => service.start()));
    expect(all.every(({ isStarted }) => isStarted)).toBe(true);
    expect(await migrated()).toBe(MIGRATIONS.length);
  });

  it('fails the start with the reason when a migration fails, and rolls it back', async () => {
    await database.query('CREATE TABLE plan_grants (id int)');
    const service = await create();
    await expect(service.start()).rejects.toThrow(
      'a migration of the database failed: relation "plan_grants" already exists',
    );
    expect(service.isStarted).toBe(false);
    expect(await database.query("SELECT to_regclass('users') AS users")).toEqual([{ users: null }]);
  });

  it('rejects a schema that is newer than the program, names its writer, and changes nothing', async () => {
    await (await create()).start();
    await database.query("INSERT INTO migrations (timestamp, name, program) VALUES (2000000000000, 'Later2', '9.8.7')");
    const service = await create();
    await expect(service.start()).rejects.toThrow(
      `the database was written by version 9.8.7 of the gateway and has migrations that this one (${GATEWAY_VERSION}) does not know ` +
        '(Later2): start that version or a later one, or restore a backup from before the upgrade',
    );
    expect(service.isStarted).toBe(false);
    expect(await migrated()).toBe(MIGRATIONS.length + 1);
  });

  it('accepts a database with the migrations that the baseline replaced, and changes nothing', async () => {
    await (await create()).start();
    await database.query(
      "INSERT INTO migrations (timestamp, name) VALUES (1795219200000, 'Foundation1795219200000'), (1796930000000, 'FurthestDays1796930000000')",
    );
    const before = await schemaFingerprint(database);
    const service = await create();
    await service.start();
    expect(service.isStarted).toBe(true);
    expect(await migrated()).toBe(MIGRATIONS.length + 2);
    expect(await schemaFingerprint(database)).toEqual(before);
  });

  it('rejects a schema from before the baseline, names the version to start first, and changes nothing', async () => {
    await (await create()).start();
    await database.query(
      "DELETE FROM migrations; INSERT INTO migrations (timestamp, name) VALUES (1, 'Alerts1795621000000')",
    );
    const before = await schemaFingerprint(database);
    const service = await create();
    await expect(service.start()).rejects.toThrow(
      `the database is from before the first release (its last migration is Alerts1795621000000), and this version (${GATEWAY_VERSION}) ` +
        'cannot upgrade it: start version 0.1.0+7a4ddf7bb325 first, then this one',
    );
    expect(service.isStarted).toBe(false);
    expect(await schemaFingerprint(database)).toEqual(before);
  });

  it('records its version with its migrations', async () => {
    await (await create()).start();
    const signed = 'SELECT name FROM migrations WHERE program = $1';
    expect(await database.query(signed, [GATEWAY_VERSION])).toEqual(namesOf(MIGRATIONS).map((name) => ({ name })));
    await database.query("ALTER TABLE migrations ALTER program SET DEFAULT '0.0.1'");
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await signSchema(client);
    await client.end();
    await database.query("INSERT INTO migrations (timestamp, name) VALUES (2000000000000, 'Next')");
    expect(await database.query(signed, [GATEWAY_VERSION])).toContainEqual({ name: 'Next' });
  });

  it.each([
    ['user', (url: URL) => (url.username = 'nobody_like_this'), /nobody_like_this/],
    ['database', (url: URL) => (url.pathname = '/no_such_database'), /"no_such_database" does not exist/],
  ])('gives up after ten tries with a wrong %s, and names the problem and the setting', async (_, spoil, reason) => {
    const url = new URL(database.url);
    spoil(url);
    const service = await create(url.href);
    const refused = await service.start().catch((error: Error) => error.message);
    expect(refused).toMatch(
      /^the database refuses the gateway \(.+\), 10 times in a row: check the user, the password /,
    );
    expect(refused).toMatch(/ the name of the database in DATABASE_URL$/);
    expect(refused).toMatch(reason);
  });

  it('gives up after ten tries with a wrong password, without logging it', async () => {
    const folder = await createPassableFolder('gateway-password-');
    const { host, port, stop } = await startEmbeddedPostgres(join(folder, 'postgres'));
    try {
      const service = await create(`postgres://postgres:a-wrong-secret@localhost:${port}/postgres?host=${host}`);
      const refused = await service.start().catch((error: Error) => error.message);
      expect(refused).toMatch(/\(password authentication failed for user "postgres"\), 10 times in a row/);
      expect(refused).not.toContain('a-wrong-secret');
    } finally {
      await stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('waits for a database that is not up yet, and then runs the registered work', async () => {
    const proxy = await DatabaseProxy.create(database.url);
    const service = await create(proxy.url);
    const ran: string[] = [];
    service.beforeReady(async () => void ran.push(`first, started: ${service.isStarted}`));
    service.beforeReady(async () => void ran.push('second'));
    const starting = service.start();
    await new Promise((wait) => setTimeout(wait, 700));
    expect(service.isStarted).toBe(false);
    await proxy.open();
    await starting;
    expect(service.isStarted).toBe(true);
    expect(ran).toEqual(['first, started: false', 'second']);
    await started.pop()?.close();
    await proxy.close();
  });

  it('can be closed while it waits for the database', async () => {
    const proxy = await DatabaseProxy.create(database.url);
    const service = await create(proxy.url);
    const starting = service.start();
    await started.pop()?.close();
    await starting;
    expect(service.isStarted).toBe(false);
  });
});
