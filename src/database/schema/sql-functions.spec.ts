import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import pg from 'pg';
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { changedFunctions, sqlFunctions } from './sql-functions.js';

describe('SQL functions', () => {
  const databases: TestDatabase[] = [];
  const started: INestApplicationContext[] = [];

  afterEach(async () => {
    for (const services of started.splice(0)) await services.close();
    for (const database of databases.splice(0)) await database.drop();
  });

  const create = async (make: () => Promise<TestDatabase>) => {
    const database = await make();
    databases.push(database);
    return database;
  };
  /** The steps of a gateway's start. */
  const start = async ({ url }: TestDatabase) => void started.push(await startServices(url));
  /** Each version of a function's catalog row has a different number. */
  const versions = (database: TestDatabase) =>
    database.query<{ name: string; version: string }>(
      `SELECT proname AS name, xmin::text AS version FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
    );

  it('are each defined by the file of their name, without others', async () => {
    const database = await create(createMigratedDatabase);
    const files = sqlFunctions();
    expect((await versions(database)).map(({ name }) => name)).toEqual(files.map(({ name }) => name).sort());
    for (const { name, definition } of files) expect(definition).toContain(`CREATE OR REPLACE FUNCTION ${name}(`);
  });

  it('are not installed again by a start with the same files', async () => {
    const database = await create(createMigratedDatabase);
    const before = await versions(database);
    await start(database);
    expect(await versions(database)).toEqual(before);
  });

  it('are installed again if their files have changed', async () => {
    const database = await create(createMigratedDatabase);
    const before = await versions(database);
    await database.query(`CREATE OR REPLACE FUNCTION limit_now(latest timestamptz) RETURNS timestamptz LANGUAGE sql
      AS $$ SELECT '2020-01-01'::timestamptz $$`);
    await database.query("UPDATE sql_functions SET digest = 'of another file' WHERE name = 'limit_now'");
    await start(database);
    const after = await versions(database);
    const changed = after.filter(
      ({ name, version }) => !before.some((one) => one.name === name && one.version === version),
    );
    expect(changed.map(({ name }) => name)).toEqual(['limit_now']);
    const [row] = await database.query('SELECT limit_now(now()) > now() - interval $$1 hour$$ AS is_now');
    expect(row).toEqual({ is_now: true });
  });

  it('are installed all or none', async () => {
    const database = await create(createMigratedDatabase);
    await database.query('DELETE FROM sql_functions');
    // Postgres does not replace a function with another result type.
    await database.query(
      'DROP FUNCTION limit_take_back; CREATE FUNCTION limit_take_back(ids json) RETURNS int RETURN 1',
    );
    const before = await versions(database);
    await expect(start(database)).rejects.toThrow('cannot change return type of existing function');
    expect(await versions(database)).toEqual(before);
    expect(await database.query('SELECT FROM sql_functions')).toEqual([]);
  });

  it('come with a migration when changed, so that older gateways do not install theirs again', () => {
    const digests = MIGRATIONS.map((Migration) => new Migration().functions).filter((digest) => digest !== undefined);
    const functions = sqlFunctions().map(({ name, digest }) => `${name} ${digest}\n`);
    expect(digests.at(-1)).toBe(createHash('sha256').update(functions.join('')).digest('hex'));
  });

  it('SQL functions of an empty database are all missing', async () => {
    const database = await create(createTestDatabase);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    expect(await changedFunctions(client)).toEqual(sqlFunctions());
    await client.end();
  });
});
