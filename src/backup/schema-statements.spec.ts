import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { createServices, startServices } from '../../test/support/test-services.js';
import { DatabaseService } from '../database/database.service.js';
import { BackupModule } from './backup.module.js';
import { BackupService } from './backup.service.js';
import { RestoreService } from './restore.service.js';

const ANSWER = Buffer.from('What somebody was answered.');
const KEEP_ANSWER = `
  INSERT INTO idempotent_calls (key_id, key_hash, request_hash, call_id, instance_id, status, answer, expires_at)
  VALUES ($1, 'k', 'r', 'c', 1, 'kept', $2, now() + interval '1 day')`;

const userId = randomUUID();
const keyId = randomUUID();

let target: TestDatabase;
let targetServices: TestingModule;

const source = await createTestDatabase();
const sourceServices = await startServices(source.url, BackupModule);
await source.query("INSERT INTO users (id, email) VALUES ($1, 'ada@example.com')", [userId]);
await source.query(
  "INSERT INTO api_keys (id, user_id, name, key_hash, display) VALUES ($1, $2, 'one', sha256('x'), 'svc')",
  [keyId, userId],
);
await source.query(KEEP_ANSWER, [keyId, ANSWER]);
await source.query(
  `INSERT INTO call_contents (call_id, at, key_id, user_id, secret_id, content)
   VALUES ('chatcmpl-1', now(), $1, $2, 'first', $3)`,
  [keyId, userId, ANSWER],
);
await source.query(
  `INSERT INTO remembered_responses (owner_id, response_id, item_ids, secret_id, bytes, content)
   VALUES ($1, 'resp_1', '{msg_1}', 'first', 1, $2)`,
  [userId, ANSWER],
);
const backup: string = await backUp();
beforeEach(async () => {
  target = await createTestDatabase();
  targetServices = await createServices(target.url, BackupModule);
});
afterEach(async () => {
  await targetServices?.close();
  await target?.drop();
});

async function backUp(withContent?: boolean): Promise<string> {
  const parts: Buffer[] = [];
  await sourceServices.get(BackupService).backUp(async ({ content }) => {
    for await (const part of content) parts.push(Buffer.from(part));
  }, withContent);
  return Buffer.concat(parts).toString();
}

const restore = (text: string) =>
  targetServices.get(RestoreService).restore(Readable.from([Buffer.from(text)]), { replace: false });

/** A backup from when kept answers were included: one row, counted in its header and in its check. */
function withStoredAnswer(text: string): string {
  const columns = 'key_id, key_hash, request_hash, call_id, instance_id, status, answer, expires_at';
  const row = [keyId, '\\\\x01', '\\\\x02', 'c', '1', 'kept', `\\\\x${ANSWER.toString('hex')}`, '2099-01-01'].join(
    '\t',
  );
  const copied = `COPY idempotent_calls (${columns}) FROM stdin;\n${row}\n\\.\n`;
  const check = `  IF (SELECT count(*)::text FROM idempotent_calls) <> '1' THEN RAISE EXCEPTION 'the backup is incomplete'; END IF;\n`;
  return text
    .replace('"tables":{', '"tables":{"idempotent_calls":1,')
    .replace(/^COPY migrations /m, (next) => copied + next)
    .replace('DO $check$ BEGIN\n', (begin) => begin + check);
}

describe('answers kept for an Idempotency-Key', () => {
  it('are not in a backup, but their table is', async () => {
    for (const form of ['utf8', 'hex'] as const) expect(backup).not.toContain(ANSWER.toString(form));
    expect((await restore(backup)).tables).not.toHaveProperty('idempotent_calls');
    expect(await target.query('SELECT FROM idempotent_calls')).toEqual([]);
    await targetServices.get(DatabaseService).start();
    await target.query(KEEP_ANSWER, [keyId, ANSWER]);
  });

  it('are skipped in a backup that contains them, and its other rows are restored', async () => {
    const old = withStoredAnswer(backup);
    expect(old).toContain(ANSWER.toString('hex'));
    expect((await restore(old)).tables).toMatchObject({ users: 1, api_keys: 1 });
    expect(await target.query('SELECT FROM idempotent_calls')).toEqual([]);
  });

  it('are skipped without skipping the other checks', async () => {
    const cut = withStoredAnswer(backup).replace(new RegExp(`^${keyId}\t${userId}.*\n`, 'm'), '');
    await expect(restore(cut)).rejects.toThrow(/incomplete: api_keys/);
  });
});

describe('the content log', () => {
  it('is in a backup only on request', async () => {
    expect((await restore(backup)).tables).not.toHaveProperty('call_contents');
    expect(await target.query('SELECT FROM call_contents')).toEqual([]);
  });

  it('is restored with remembered responses, which are in a backup only on request, too', async () => {
    expect(backup).not.toContain('resp_1');
    expect((await restore(await backUp(true))).tables).toMatchObject({ remembered_responses: 1 });
    expect(await target.query('SELECT response_id AS id, content FROM remembered_responses')).toEqual([
      { id: 'resp_1', content: ANSWER },
    ]);
  });

  it('is restored from a backup that contains it', async () => {
    expect((await restore(await backUp(true))).tables).toMatchObject({ call_contents: 1, users: 1 });
    expect(await target.query('SELECT call_id AS id, content FROM call_contents')).toEqual([
      { id: 'chatcmpl-1', content: ANSWER },
    ]);
  });
});
