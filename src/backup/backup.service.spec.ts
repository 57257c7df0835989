import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { createBaseline } from '../../test/support/later-migrations.js';
import { createPartitions } from '../../test/support/ledger-partitions.js';
import { schemaFingerprint } from '../../test/support/schema-fingerprint.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { createServices, startServices } from '../../test/support/test-services.js';
import { GATEWAY_VERSION } from '../config/environment.js';
import { DatabaseService } from '../database/database.service.js';
import { MIGRATIONS } from '../database/migrations/migrations.js';
import { BackupModule } from './backup.module.js';
import { BackupService } from './backup.service.js';
import { RestoreService } from './restore.service.js';

/** Text that could be confused with the file's format. */
const NASTY = 'a\\b\n\\.\n--;\nCOPY users (id) FROM stdin;\n\t"\'$$ \u{1f600} é\r\n-- COMMIT;';

let target: TestDatabase;
let targetServices: TestingModule;

const userId = randomUUID();
const keys = [randomUUID(), randomUUID()];

const source = await createTestDatabase();
const sourceServices = await startServices(source.url, BackupModule);
await fillLedger(source);
await fillProjects(source);
const file = await backup();
beforeEach(async () => {
  target = await createTestDatabase();
  targetServices = await createServices(target.url, BackupModule);
});
afterEach(async () => {
  await targetServices?.close();
  await target?.drop();
});

/** A user with two keys, their calls in several months, and roll-up settings. */
async function fillLedger(database: TestDatabase): Promise<void> {
  await database.query('INSERT INTO users (id, email, name) VALUES ($1, $2, $3)', [userId, 'ada@example.com', NASTY]);
  for (const key of keys) {
    await database.query(
      `INSERT INTO api_keys (id, user_id, name, key_hash, display, models) VALUES ($1, $2, $3, sha256($4), 'svc', $5)`,
      [key, userId, NASTY, Buffer.from(key), ['a,b', NASTY, '{}', 'NULL']],
    );
  }
  await createPartitions(database, new Date('2026-01-01'), new Date('2026-04-30'));
  await createPartitions(database, new Date());
  await database.query(
    `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
       input_tokens, output_tokens, price_version, cost_nanodollars, attempts)
     SELECT 'call-' || n, '2026-01-30T00:00Z'::timestamptz + n * interval '1 hour', n, $3, ($1::uuid[])[1 + n % 2], $2, 'free',
       'm', n % 3 = 0, 'settled', n, 7, 'p', 9007199254740993 + n, jsonb_build_array(n, $3::text)
     FROM generate_series(1, 2000) AS n`,
    [keys, userId, NASTY],
  );
  await database.query(
    `INSERT INTO audit_log (actor_kind, actor_name, action, target_kind) VALUES ('nobody', '', 'x', 'y')`,
  );
}

/** A project with a service account and a manager. */
async function fillProjects(database: TestDatabase): Promise<void> {
  const [project] = await database.query('INSERT INTO projects (name) VALUES ($1) RETURNING id', [NASTY]);
  await database.query("INSERT INTO users (name, kind, project_id) VALUES ('p', 'project', $1), ('s', 'service', $1)", [
    project?.id,
  ]);
  await database.query(
    "INSERT INTO project_members (project_id, user_id, role, source) VALUES ($1, $2, 'manager', 'local')",
    [project?.id, userId],
  );
}

async function backup(services = sourceServices): Promise<Buffer> {
  const parts: Buffer[] = [];
  await services.get(BackupService).backUp(async ({ content }) => {
    for await (const part of content) parts.push(Buffer.from(part));
  });
  return Buffer.concat(parts);
}

const restore = (content: Buffer | Buffer[] = file, options = { replace: false }) =>
  targetServices.get(RestoreService).restore(Readable.from(Array.isArray(content) ? content : [content]), options);

const rowsOf = async (database: TestDatabase, table: string) =>
  (await database.query(`SELECT row_to_json(t)::text AS row FROM ${table} AS t ORDER BY 1`)).map(({ row }) => row);

const tablesOf = (database: TestDatabase) =>
  database.query("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace");

describe('a backup', () => {
  it('restores every row of every table, the schema, and the sequences', async () => {
    const { tables, balances, head, replaced } = await restore();
    expect(await schemaFingerprint(target)).toEqual(await schemaFingerprint(source));
    for (const table of Object.keys(tables)) {
      expect({ table, rows: await rowsOf(target, table) }).toEqual({ table, rows: await rowsOf(source, table) });
    }
    expect(tables).toMatchObject({ users: 3, api_keys: 2, usage_calls: 2000, audit_log: 1, plans: 2 });
    expect(tables).toMatchObject({ projects: 1, project_members: 1 });
    expect(tables.migrations).toBe(MIGRATIONS.length);
    expect([...balances].map(({ keyId }) => keyId)).toEqual([...keys].sort());
    expect(balances.map(({ email, calls }) => [email, calls])).toEqual([
      ['ada@example.com', 1000],
      ['ada@example.com', 1000],
    ]);
    const cost = balances.reduce((sum, { costNanodollars }) => sum + BigInt(costNanodollars), 0n);
    expect(cost).toBe(2000n * 9007199254740993n + 2001000n);
    expect(replaced).toBe(false);
    expect(head).toMatchObject({ program: GATEWAY_VERSION, tables, balances });
    const [{ partition }] = (await target.query<{ partition: string }>(
      "SELECT tableoid::regclass::text AS partition FROM usage_calls WHERE id = 'call-100'",
    )) as [{ partition: string }];
    expect(partition).toBe('usage_calls_2026_02');
    await expect(target.query('DELETE FROM audit_log')).rejects.toThrow('append-only');
    const insert =
      "INSERT INTO audit_log (actor_kind, actor_name, action, target_kind) VALUES ('nobody', '', 'x', 'y')";
    expect(await target.query(`${insert} RETURNING id`)).toEqual([{ id: '2' }]);
  });

  it('is restored from pieces of any size, compressed or not, and a gateway starts on it', async () => {
    const size = 7;
    const pieces = Array.from({ length: Math.ceil(file.length / size) }, (_, n) =>
      file.subarray(n * size, (n + 1) * size),
    );
    await restore(pieces);
    await targetServices.get(DatabaseService).start();
    await targetServices.close();
    targetServices = await createServices(target.url, BackupModule);
    expect((await restore(gzipSync(file), { replace: true })).replaced).toBe(true);
    expect(await rowsOf(target, 'usage_calls')).toEqual(await rowsOf(source, 'usage_calls'));
  });

  it('is a snapshot of one moment, while the ledger changes', async () => {
    const first = 'call-during';
    const parts: Buffer[] = [];
    const { calls, head } = await sourceServices.get(BackupService).backUp(async ({ content, head }) => {
      await source.query(
        `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status, price_version)
         VALUES ($1, now(), 1, 'r', $2, $3, 'free', 'm', false, 'settled', 'p')`,
        [first, keys[0], userId],
      );
      for await (const part of content) parts.push(Buffer.from(part));
      return { calls: await source.query('SELECT id FROM usage_calls WHERE id = $1', [first]), head };
    });
    await source.query('DELETE FROM usage_calls WHERE id = $1', [first]);
    expect(calls).toHaveLength(1);
    expect(head.tables.usage_calls).toBe(2000);
    expect((await restore(Buffer.concat(parts))).tables.usage_calls).toBe(2000);
  });

  it('a backup of an older version is restored as it was, and the next start migrates it', async () => {
    const older = await createTestDatabase();
    await createBaseline(older.url);
    await older.query('DROP INDEX usage_calls_errors');
    await fillLedger(older);
    const services = await createServices(older.url, BackupModule);
    await restore(await backup(services));
    expect(await schemaFingerprint(target)).toEqual(await schemaFingerprint(older));
    await services.close();
    await older.drop();
    await targetServices.get(DatabaseService).start();
    expect(await target.query('SELECT name FROM migrations')).toHaveLength(MIGRATIONS.length);
    expect(await target.query('SELECT FROM sql_functions')).not.toEqual([]);
    expect(await target.query('SELECT count(*)::int AS calls FROM usage_calls')).toEqual([{ calls: 2000 }]);
  });

  it('restores rights on its tables for the roles that exist', async () => {
    const [auditor, other, gone] = ['auditor', "o'her role", 'gone'].map((name) => `${name} ${randomUUID()}`);
    const rights = `SELECT relname, attname, pg_get_userbyid(grantee) AS role, privilege_type AS may, is_grantable
      FROM pg_class
      JOIN (SELECT oid, NULL, relacl FROM pg_class UNION ALL SELECT attrelid, attname, attacl FROM pg_attribute)
        AS objects (oid, attname, acl) USING (oid)
      CROSS JOIN aclexplode(acl)
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND grantee <> relowner
      ORDER BY 1, 2, 3, 4`;
    for (const role of [auditor, other, gone]) await source.query(`CREATE ROLE "${role}"`);
    try {
      await source.query(`GRANT SELECT ON audit_log, audit_chain, usage_calls_2026_02, users TO "${gone}"`);
      const before = await backup();
      await source.query(`DROP OWNED BY "${gone}"`);
      await source.query(`DROP ROLE "${gone}"`);
      await restore(before);
      expect(await target.query(rights)).toEqual([]);
      await source.query(`GRANT SELECT ON audit_log, audit_chain, usage_calls_2026_02 TO "${auditor}"`);
      await source.query(`GRANT SELECT, UPDATE ON users TO "${other}" WITH GRANT OPTION`);
      await source.query(`GRANT SELECT (id, email) ON users TO "${auditor}"`);
      await source.query('GRANT SELECT ON plans TO PUBLIC');
      await restore(await backup(), { replace: true });
      const expected = await source.query(rights);
      expect(expected).toHaveLength(8);
      expect(await target.query(rights)).toEqual(expected);
    } finally {
      await source.query('REVOKE SELECT ON plans FROM PUBLIC');
      for (const role of [auditor, other]) {
        for (const database of [source, target]) await database.query(`DROP OWNED BY "${role}"`);
        await source.query(`DROP ROLE "${role}"`);
      }
    }
  });

  it('a backup of an empty database is refused', async () => {
    await expect(backup(targetServices)).rejects.toThrow(
      'There is nothing to back up: no gateway has used this database.',
    );
  });
});

describe('a restore is refused, and changes nothing,', () => {
  it('a restore is refused, and changes nothing when the file ends early', async () => {
    const cuts: [Buffer, number][] = [0.001, 0.1, 0.5, 0.999].map((share) => [file, share]);
    cuts.push([gzipSync(file), 0.001], [gzipSync(file), 0.9]);
    for (const [whole, share] of cuts) {
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      await expect(restore(cut)).rejects.toThrow('The backup is truncated');
    }
    expect(await tablesOf(target)).toEqual([]);
  });

  it('a restore is refused, and changes nothing when rows or sums differ', async () => {
    const text = file.toString();
    const [row] = /^call-1000\t.*\n/m.exec(text) ?? [];
    await expect(restore(Buffer.from(text.replace(String(row), '')))).rejects.toThrow(
      /the backup is incomplete: usage_calls/,
    );
    const [cost] = /\t9007199254741993\t/.exec(text) ?? [];
    await expect(restore(Buffer.from(text.replace(String(cost), '\t1\t')))).rejects.toThrow(/incomplete: usage_calls/);
    const unchecked = (given: string) => Buffer.from(given.replace(/^DO \$check\$[\s\S]*?END \$check\$;\n--;\n/m, ''));
    await expect(restore(unchecked(text.replace(String(row), '')))).rejects.toThrow(
      /^the backup is incomplete, so nothing was changed: table usage_calls: 1999 rows instead of 2000; the balance of key /,
    );
    expect(await tablesOf(target)).toEqual([]);
  });

  it('a restore is refused, and changes nothing when the backup is of a newer version', async () => {
    const newer = file.toString().replace('"migrations":[', '"migrations":[{"name":"Later3","program":"9.1.0"},');
    await expect(restore(Buffer.from(newer))).rejects.toThrow(
      /^the backup was written by version 9\.1\.0 of the gateway/,
    );
    const format = file.toString().replace('"format":1', '"format":2');
    await expect(restore(Buffer.from(format))).rejects.toThrow(/in a newer format/);
  });

  it('a restore is refused, and changes nothing when the backup is from before the first release', async () => {
    const older = file
      .toString()
      .replace(/"migrations":\[.*?\]/, '"migrations":[{"name":"Alerts1795621000000","program":null}]');
    await expect(restore(Buffer.from(older))).rejects.toThrow(
      /^the backup is from before the first release .*: restore it with, and start, version 0\.1\.0\+\w{12} first, then this one$/,
    );
  });

  it('a restore is refused, and changes nothing when the file is not a backup', async () => {
    const files = [Buffer.from(''), Buffer.from('SELECT 1;\n'), gzipSync('x'), Buffer.alloc(1_000_000)];
    for (const content of files)
      await expect(restore(content)).rejects.toThrow('This file is not a backup of the gateway.');
  });

  it('a restore is refused, and changes nothing when the database has users or calls, without --replace', async () => {
    await targetServices.get(DatabaseService).start();
    await target.query("INSERT INTO users (email) VALUES ('eve@example.com')");
    await targetServices.close();
    targetServices = await createServices(target.url, BackupModule);
    await expect(restore()).rejects.toThrow(
      'The database is not empty: it has 1 users and 0 calls. Restore to another database, or add --replace',
    );
    expect(await target.query('SELECT email FROM users')).toEqual([{ email: 'eve@example.com' }]);
    const cut = file.subarray(0, file.length / 2);
    await expect(restore(cut, { replace: true })).rejects.toThrow('The backup is truncated');
    expect(await target.query('SELECT email FROM users')).toEqual([{ email: 'eve@example.com' }]);
    expect((await restore(file, { replace: true })).replaced).toBe(true);
    expect(await target.query("SELECT email FROM users WHERE kind = 'person'")).toEqual([{ email: 'ada@example.com' }]);
  });

  it('a restore is refused, and changes nothing while a gateway runs on the database, even with --replace', async () => {
    await targetServices.get(DatabaseService).start();
    await expect(restore(file, { replace: true })).rejects.toThrow('A gateway is running on this database');
  });

  it('a restore is refused, and changes nothing when the database contains tables that are not a gateway’s', async () => {
    await target.query('CREATE TABLE orders (id int)');
    await expect(restore(file, { replace: true })).rejects.toThrow(
      'The database contains tables that are not the gateway’s',
    );
    expect(await tablesOf(target)).toEqual([{ relname: 'orders' }]);
  });
});
