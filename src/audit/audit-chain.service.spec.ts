import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { createMigratedDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { AuditModule } from './audit.module.js';
import { AuditService } from './audit.service.js';
import { COMMAND_LINE } from './audit.types.js';
import { AuditChainService } from './audit-chain.service.js';

let database: TestDatabase;
let services: TestingModule;
let chain: AuditChainService;
let dataSource: DataSource;

beforeEach(async () => {
  database = await createMigratedDatabase();
  services = await startServices(database.url, AuditModule);
  chain = services.get(AuditChainService);
  dataSource = services.get<DataSource>(getDataSourceToken());
});
afterEach(async () => {
  await services?.close();
  await database?.drop();
});

const record = (manager: EntityManager, name: string) =>
  services.get(AuditService).record(manager, COMMAND_LINE, {
    action: 'user.update',
    target: { kind: 'user', id: null, name },
    before: { name: 'é "1"\n' },
    after: { name, number: 1.5, none: null },
  });
const write = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => dataSource.transaction((manager) => record(manager, `n${i}`))));

/** What an owner of the tables can do: with the triggers switched off. */
async function tamper(sql: string): Promise<void> {
  const tables = ['audit_log', 'audit_chain'];
  const set = (state: string) => tables.map((table) => `ALTER TABLE ${table} ${state} TRIGGER ALL`).join(';');
  await database.query(`${set('DISABLE')}; ${sql}; ${set('ENABLE')}`);
}

describe('the chain of the audit log', () => {
  it('proves a log that many processes wrote simultaneously, in any time zone', async () => {
    expect(await chain.verify(null)).toEqual({ head: { entries: 0, hash: '' }, fault: null });
    await write(40);
    const proof = await chain.verify(null);
    expect(proof).toEqual({ head: { entries: 40, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }, fault: null });
    await dataSource.query("SET TIME ZONE 'Asia/Kathmandu'");
    await write(3);
    expect(await chain.verify(proof.head)).toMatchObject({ head: { entries: 43 }, fault: null });
  });

  it('has entries in commit order, and none of a failed change', async () => {
    await dataSource.transaction(async (outer) => {
      await record(outer, 'first begun');
      await dataSource.transaction((inner) => record(inner, 'first committed'));
    });
    await dataSource
      .transaction(async (manager) => {
        await record(manager, 'failed');
        throw new Error('changed my mind');
      })
      .catch(() => undefined);
    const rows = await database.query(
      'SELECT target_name FROM audit_chain JOIN audit_log ON id = entry_id ORDER BY position',
    );
    expect(rows.map(({ target_name: name }) => name)).toEqual(['first committed', 'first begun']);
    expect(await chain.verify(null)).toMatchObject({ head: { entries: 2 }, fault: null });
  });

  it('cannot be changed in the database, like the log', async () => {
    await write(2);
    for (const sql of ['UPDATE audit_chain SET position = 9', 'DELETE FROM audit_chain', 'TRUNCATE audit_chain']) {
      await expect(database.query(sql)).rejects.toThrow('append-only');
    }
  });

  it.each([
    ['a changed entry', "UPDATE audit_log SET actor_name = 'somebody else' WHERE id = 3", 'entry 3 was changed'],
    ['a changed time', "UPDATE audit_log SET at = at - interval '1 us' WHERE id = 2", 'entry 2 was changed'],
    ['a changed detail', `UPDATE audit_log SET after = '{"name": "x"}' WHERE id = 5`, 'entry 5 was changed'],
    ['a removed entry', 'DELETE FROM audit_log WHERE id = 4', 'entry 4 is missing'],
    [
      'an entry removed with its link',
      'DELETE FROM audit_log WHERE id = 4; DELETE FROM audit_chain WHERE entry_id = 4',
      'is missing',
    ],
    [
      'an entry slipped in',
      "INSERT INTO audit_log (actor_kind, actor_name, action, target_kind) VALUES ('nobody', 'x', 'x', 'user')",
      'entry 7 was added without its hash',
    ],
    [
      'entries that changed places',
      'UPDATE audit_chain SET entry_id = -entry_id; UPDATE audit_chain SET entry_id = 7 + entry_id',
      'was changed',
    ],
  ])('detects %s', async (_, sql, fault) => {
    for (let i = 0; i < 6; i++) await write(1);
    await tamper(sql);
    expect((await chain.verify(null)).fault).toContain(fault);
  });

  it('detects with an earlier head that the end was cut off or all entries were rewritten', async () => {
    for (let i = 0; i < 3; i++) await write(1);
    const { head } = await chain.verify(null);
    await tamper('DELETE FROM audit_log WHERE id = 3; DELETE FROM audit_chain WHERE entry_id = 3');
    expect((await chain.verify(null)).fault).toBeNull();
    expect((await chain.verify(head)).fault).toContain('there are 2 entries, but there were 3');
    await write(1);
    expect((await chain.verify(null)).fault).toBeNull();
    expect((await chain.verify(head)).fault).toContain('do not match the given head');
  });

  it('is part of a copy of the log', async () => {
    await write(5);
    const { head } = await chain.verify(null);
    const copy = await createMigratedDatabase();
    const target = await startServices(copy.url, AuditModule);
    const [{ log, links } = { log: '', links: '' }] = await database.query(
      `SELECT (SELECT json_agg(l)::text FROM audit_log l) AS log, (SELECT json_agg(c)::text FROM audit_chain c) AS links`,
    );
    await target.get<DataSource>(getDataSourceToken()).transaction(async (manager) => {
      const insert = (table: string, rows: unknown) =>
        manager.query(
          `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`,
          [rows],
        );
      await insert('audit_log', log);
      await insert('audit_chain', links);
    });
    expect(await target.get(AuditChainService).verify(head)).toEqual({ head, fault: null });
    await target.close();
    await copy.drop();
  });
});
