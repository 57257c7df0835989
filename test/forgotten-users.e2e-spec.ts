import { beforeAll, describe, expect, it } from '@jest/globals';
import { ForgottenUsersService } from '../src/accounts/forgotten-users.service.js';
import { UsersService } from '../src/accounts/users.service.js';
import { COMMAND_LINE } from '../src/audit/audit.types.js';
import { AuditChainService } from '../src/audit/audit-chain.service.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { TestGateway } from './support/test-gateway.js';

const EMAIL = 'grace.hopper@example.com';
const NAME = 'Grace Hopper';
const PSEUDONYM = /^forgotten-[0-9a-f]{8}@forgotten\.invalid$/;

let gateway: TestGateway;
let admin: ConsoleClient;
beforeAll(async () => {
  gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
  admin = await ConsoleClient.as(gateway, 'admin');
});

/** Every text of the database that contains it, by table. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await gateway.database.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await gateway.database.query(`SELECT FROM ${name} AS t WHERE t::text ILIKE '%' || $1 || '%' LIMIT 1`, [
      text,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

const proof = () => gateway.services.get(AuditChainService).verify(null);

describe('a user who is forgotten', () => {
  let id: string;
  let key: { id: string; key: string };
  let person: ConsoleClient;
  let head: Awaited<ReturnType<typeof proof>>['head'];
  const status = async () => (await gateway.get('/v1/models', { authorization: `Bearer ${key.key}` })).status;
  beforeAll(async () => {
    const created = await gateway.createPerson({ email: EMAIL, name: NAME });
    id = created.id;
    person = await ConsoleClient.signIn(gateway, created);
    key = (await person.post('/api/keys', { name: "Grace Hopper's laptop", note: EMAIL })).body;
    await admin.patch(`/api/users/${id}`, { name: NAME.toUpperCase() });
    await admin.patch(`/api/users/${id}`, { name: NAME });
    // A longer address that contains hers.
    await gateway.services.get(UsersService).create({ email: `not.${EMAIL}` }, COMMAND_LINE);
    await gateway.database.query(
      "INSERT INTO alerts (type, subject, text, at) VALUES ('budget', $1, $2, now()), ('budget', $3, 'x', now())",
      [EMAIL, `The budget of ${EMAIL} is used up.`, `not.${EMAIL}`],
    );
    expect(await status()).toBe(200);
    expect(await tablesWith(EMAIL)).toEqual(expect.arrayContaining(['alerts', 'api_keys', 'audit_log', 'users']));
    head = (await proof()).head;
  });

  it('loses keys and sessions within a second, and has a pseudonym', async () => {
    const { status: code, body } = await admin.post(`/api/users/${id}/forget`);
    expect([code, body]).toMatchObject([
      200,
      { id, email: expect.stringMatching(PSEUDONYM), name: '', status: 'forgotten', keys: 0 },
    ]);
    await eventually(async () => (await status()) === 401, 1500);
    expect((await person.get('/api/keys')).status).toBe(401);
  });

  it('is named nowhere in the database, and others keep their names', async () => {
    await gateway.database.query('DELETE FROM alerts WHERE subject = $1', [`not.${EMAIL}`]);
    await gateway.database.query("UPDATE users SET email = 'longer@example.com' WHERE email = $1", [`not.${EMAIL}`]);
    // Only the entry about the other user is left.
    expect(await tablesWith(NAME)).toEqual([]);
    expect(await tablesWith(EMAIL)).toEqual(['audit_log']);
    const entries = await gateway.database.query<{ target_name: string }>(
      "SELECT target_name FROM audit_log AS l WHERE l::text ILIKE '%' || $1 || '%'",
      [EMAIL],
    );
    expect(entries).toEqual([{ target_name: `not.${EMAIL}` }]);
  });

  it('leaves an audit log whose chain still proves every entry', async () => {
    expect(await gateway.services.get(AuditChainService).verify(head)).toMatchObject({ fault: null });
    const [entry] = await gateway.database.query(
      "SELECT actor_name, target_id, after FROM audit_log WHERE action = 'user.forget'",
    );
    expect(entry).toMatchObject({ actor_name: admin.user.email, target_id: id, after: { keysRevoked: 1 } });
    const tampered = async (sql: string) => {
      await gateway.database.query(`BEGIN; SET LOCAL gateway.redacting = 'on'; ${sql}; COMMIT`);
      return (await proof()).fault;
    };
    const change = (name: string) =>
      `UPDATE audit_log SET actor_name = '${name}' WHERE id = (SELECT min(entry_id) FROM audit_redactions)`;
    const [{ name } = { name: '' }] = await gateway.database.query<{ name: string }>(
      'SELECT actor_name AS name FROM audit_log WHERE id = (SELECT min(entry_id) FROM audit_redactions)',
    );
    expect(await tampered(change('somebody else'))).toMatch(/entry \d+ was changed/);
    expect(await tampered(change(name))).toBeNull();
    const forged = "INSERT INTO audit_redactions SELECT gen_random_uuid(), 1, sha256('x')";
    expect(await tampered(forged)).toMatch(/no entry user.forget has its redaction/);
    await gateway.database.query("DELETE FROM audit_redactions WHERE hash = sha256('x')");
    await expect(gateway.database.query("UPDATE audit_log SET actor_name = 'x'")).rejects.toThrow('append-only');
  });

  it('cannot be changed or forgotten again, and the address is free', async () => {
    for (const change of [{ disabled: false }, { name: NAME }, { email: EMAIL }]) {
      expect((await admin.patch(`/api/users/${id}`, change)).body.error.message).toContain('is forgotten');
    }
    expect((await admin.post(`/api/users/${id}/forget`)).body.error.message).toContain('already forgotten');
    expect((await admin.post('/api/users', { email: EMAIL })).status).toBe(201);
  });

  it('is never the administrator who asks, nor the last one without force', async () => {
    expect((await admin.post(`/api/users/${admin.user.id}/forget`)).body.error.message).toContain('your own account');
    const forget = gateway.services.get(ForgottenUsersService);
    await expect(forget.forget(admin.user.id, COMMAND_LINE)).rejects.toThrow('last administrator');
  });
});

describe('an e-mail address', () => {
  it('can be changed by an administrator; taken and invalid ones are refused', async () => {
    const { id, email } = await gateway.createPerson();
    const other = await gateway.createPerson();
    const change = async (to: string) => admin.patch(`/api/users/${id}`, { email: to });
    expect((await change('New.Address@Example.com')).body).toMatchObject({ email: 'new.address@example.com' });
    expect((await change(other.email)).body.error).toMatchObject({
      param: 'email',
      message: expect.stringContaining('already'),
    });
    expect((await change('nobody')).body.error).toMatchObject({ param: 'email' });
    const [entry] = await gateway.database.query(
      "SELECT before, after FROM audit_log WHERE action = 'user.update' AND target_id = $1",
      [id],
    );
    expect(entry).toEqual({ before: { email }, after: { email: 'new.address@example.com' } });
  });
});
