import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AuditService } from '../src/audit/audit.service.js';
import { type Actor, COMMAND_LINE } from '../src/audit/audit.types.js';
import { ConsoleClient, firstBytes } from './support/console-client.js';
import { TestGateway } from './support/test-gateway.js';

const ALICE: Actor = {
  kind: 'user',
  id: '11111111-1111-4111-8111-111111111111',
  name: 'alice@example.com',
  address: '203.0.113.7',
  requestId: 'req_alice',
};
const TARGET = '22222222-2222-4222-8222-222222222222';
const MANY = 120;

const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
const admin = await ConsoleClient.as(gateway, 'admin');
const member = await ConsoleClient.as(gateway, 'member');
const audit = gateway.services.get(AuditService);
const { manager } = gateway.services.get(DataSource);
await audit.record(manager, ALICE, {
  action: 'key.update',
  target: { kind: 'key', id: TARGET, name: '=cmd|calc, "first"' },
  before: { name: 'old', apiKey: `svc_${'x'.repeat(40)}`, password: 'hush' },
  after: { name: '100%_new' },
});
for (let i = 0; i < MANY; i++) {
  await audit.record(manager, COMMAND_LINE, {
    action: i % 2 ? 'plan.grant' : 'plan.revoke',
    target: { kind: 'user', id: ALICE.id, name: ALICE.name },
    after: { number: i },
  });
}

interface Entry {
  id: string;
  at: string;
  action: string;
  actor: { kind: string; name: string };
  after: { number: number } | null;
}

async function found(query: string): Promise<Entry[]> {
  const { status, body } = await admin.get(`/api/audit?${query}`);
  expect({ query, status }).toEqual({ query, status: 200 });
  return body.items;
}

describe('the audit log', () => {
  it('cannot be changed: the database refuses', async () => {
    for (const sql of ["UPDATE audit_log SET action = 'x'", 'DELETE FROM audit_log', 'TRUNCATE audit_log']) {
      await expect(gateway.database.query(sql)).rejects.toThrow('the audit log is append-only');
    }
  });

  it('shows who changed what, the old and new values, the address and the time; secrets are masked', async () => {
    const [entry] = await found(`target=key:${TARGET}`);
    const { name, address, requestId, ...actor } = ALICE;
    expect(entry).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: expect.stringMatching(/Z$/),
      actor: { ...actor, name },
      action: 'key.update',
      target: { kind: 'key', id: TARGET, name: '=cmd|calc, "first"' },
      before: { name: 'old', apiKey: 'svc_…', password: '…' },
      after: { name: '100%_new' },
      address,
      requestId,
    });
  });

  it('comes in pages, newest first, without gaps or duplicates', async () => {
    const numbers: (number | undefined)[] = [];
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const { body } = await admin.get(
        `/api/audit?target=user:${ALICE.id}&action=plan${cursor && `&cursor=${cursor}`}`,
      );
      numbers.push(...body.items.map(({ after }: Entry) => after?.number));
      cursor = body.next;
      pages++;
    }
    expect(numbers).toEqual(Array.from({ length: MANY }, (_, i) => MANY - 1 - i));
    expect(pages).toBe(3);
  });

  it('is filtered by actor, action, target, time and text', async () => {
    expect((await found('action=plan.grant')).every(({ action }) => action === 'plan.grant')).toBe(true);
    expect((await found('action=plan')).length).toBe(50);
    expect(await found('action=pla')).toEqual([]);
    expect((await found(`actor=${ALICE.id}`)).map(({ action }) => action)).toEqual(['key.update']);
    expect((await found('actor=LICE@')).map(({ action }) => action)).toEqual(['key.update']);
    expect((await found('actor=command')).every(({ actor }) => actor.kind === 'command_line')).toBe(true);
    expect((await found('q=req_alice')).map(({ action }) => action)).toEqual(['key.update']);
    expect((await found('q=203.0.113.7')).map(({ action }) => action)).toEqual(['key.update']);
    expect(await found('q=100%25')).toEqual([]);
    expect(await found(`target=key&q=${encodeURIComponent('calc, "first"')}`)).toHaveLength(1);
    const [oldest] = await found(`target=key:${TARGET}`);
    const at = new Date(oldest?.at ?? '').getTime();
    expect((await found(`to=${new Date(at).toISOString()}`)).map(({ action }) => action)).not.toContain('key.update');
    expect(await found(`target=key&from=${new Date(at).toISOString()}`)).toHaveLength(1);
    expect(await found(`from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
  });

  it('lists its actions', async () => {
    const { body } = await admin.get('/api/audit/actions');
    expect(body).toEqual(expect.arrayContaining(['key.update', 'plan.grant', 'plan.revoke', 'user.create']));
    expect(body).toEqual([...body].sort());
  });

  it('refuses invalid filters', async () => {
    for (const [query, param] of [
      ['from=yesterday', 'from'],
      ['to=2026-02-31T99:00:00Z', 'to'],
      ['cursor=%00', 'cursor'],
      ['cursor=bm90aGluZw', 'cursor'],
      ['q=a%00b', 'q'],
      ['everything=1', 'everything'],
      ['actor=a&actor=b', 'actor'],
    ]) {
      const { status, body } = await admin.get(`/api/audit?${query}`);
      expect([query, status, body.error?.param]).toEqual([query, 400, param]);
    }
  });

  it('is for admins', async () => {
    for (const path of ['/api/audit', '/api/audit/actions', '/api/audit/export']) {
      expect((await member.get(path)).status).toBe(403);
      expect((await ConsoleClient.of(gateway).get(path)).status).toBe(401);
    }
  });
});

describe('the export of the audit log', () => {
  it('contains every matching entry as CSV, without formulas for a spreadsheet', async () => {
    const { status, headers, body } = await admin.get('/api/audit/export?format=csv&target=key');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await firstBytes(admin, '/api/audit/export?format=csv&target=key')).toBe('efbbbf');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="?audit-\d{4}-\d\d-\d\d\.csv"?$/);
    expect(headers.get('cache-control')).toContain('no-store');
    const [head, row, ...rest] = (body as string).split('\r\n');
    expect(head).toBe(
      'at,actor,actor_kind,actor_id,action,target_kind,target_id,target,before,after,address,request_id,id',
    );
    expect(row).toContain(`alice@example.com,user,${ALICE.id},key.update,key,${TARGET},"'=cmd|calc, ""first""",`);
    expect(rest).toEqual(['']);
  });

  it('contains every entry as JSON, and is recorded in the log', async () => {
    const { body } = await admin.get(`/api/audit/export?format=json&target=user:${ALICE.id}`);
    expect(body.map(({ after }: Entry) => after?.number)).toEqual(Array.from({ length: MANY }, (_, i) => MANY - 1 - i));
    expect((await admin.get('/api/audit/export?format=json&q=there-is-none')).body).toEqual([]);
    const [latest, previous] = await found('action=audit.export');
    expect(latest).toMatchObject({
      actor: { name: admin.user.email },
      target: { kind: 'export' },
      after: { format: 'json', filter: { q: 'there-is-none' } },
    });
    expect(previous).toMatchObject({ after: { format: 'json', filter: { target: `user:${ALICE.id}` } } });
  });

  it('continues after one batch of the database', async () => {
    await gateway.database.query(
      `INSERT INTO audit_log (actor_kind, actor_name, action, target_kind, target_name)
       SELECT 'gateway', 'gateway', 'bulk.test', 'user', i::text FROM generate_series(1, 1203) AS i`,
    );
    const { body } = await admin.get('/api/audit/export?format=csv&action=bulk');
    expect((body as string).trim().split('\r\n')).toHaveLength(1204);
  });
});
