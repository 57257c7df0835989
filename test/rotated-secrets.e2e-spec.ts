import { createHmac, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigReloadService } from '../src/config/config-reload.service.js';
import { AlertReceiver } from './support/alert-receiver.js';
import { answerTo } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';
import { createWorkFolder } from './support/test-settings.js';

let folder: Awaited<ReturnType<typeof createWorkFolder>>;
beforeAll(async () => {
  folder = await createWorkFolder();
});

async function fileWith(name: string, text: string): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, text);
  return path;
}

const role = (database: TestDatabase) => `rotated_${new URL(database.url).pathname.slice(-12)}`;

function urlOf(database: TestDatabase, password: string): string {
  const url = new URL(database.url);
  url.username = role(database);
  url.password = password;
  return url.href;
}

/** `name` is the variable that names the file; the file's text for a password. */
const PLACES: readonly [name: string, textOf: (database: TestDatabase, password: string) => string][] = [
  ['DATABASE_URL_FILE', urlOf],
  ['DATABASE_PASSWORD_FILE', (_, password) => `${password}\n`],
  ['PGPASSFILE', (database, password) => `# a comment\n*:*:other:*:wrong\n*:*:*:${role(database)}:${password}\n`],
];

describe('a password of the database', () => {
  it.each(PLACES)('is read from %s for each new connection', async (name, textOf) => {
    const database = await createMigratedDatabase();
    await database.query(`CREATE ROLE ${role(database)} LOGIN SUPERUSER PASSWORD 'first:pass'`);
    const quoted = (password: string) => (name === 'PGPASSFILE' ? password.replace(':', '\\:') : password);
    const write = (password: string) => fileWith(name, textOf(database, quoted(password)));
    const url = name === 'DATABASE_URL_FILE' ? '' : urlOf(database, '');
    const env = { [name]: await write('first:pass'), DATABASE_URL: url, SIMULATOR: 'on' };
    const gateway = await TestGateway.start({ database, env });
    const user = await gateway.createUser();
    const ask = async () =>
      (await gateway.complete(user, { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hi' }] })).status;
    expect(await ask()).toBe(200);
    await database.query(`ALTER ROLE ${role(database)} PASSWORD 'second'`);
    await database.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role(database)]);
    await eventually(async () => (await ask()) === 503);
    await write('second');
    await eventually(async () => (await ask()) === 200);
  });
});

describe('secrets in files', () => {
  let gateway: TestGateway;
  let receiver: AlertReceiver;
  let admin: ConsoleClient;
  const keys = ['old', 'new'].map(() => randomBytes(32).toString('base64'));
  beforeAll(async () => {
    receiver = await AlertReceiver.start();
    const env = {
      SIMULATOR: 'on',
      CONTENT_LOG_KEY_FILE: await fileWith('content-key', keys[0] ?? ''),
      ALERT_WEBHOOK_URL: receiver.url,
      ALERT_WEBHOOK_SECRET_FILE: await fileWith('alert-secret', 'first'),
    };
    gateway = await TestGateway.start({ env });
    admin = await ConsoleClient.as(gateway, 'admin');
  });

  const reload = () => gateway.services.get(ConfigReloadService).reload('command');

  it('encrypt the content log with the new key after a reload, and still show what the old one encrypted', async () => {
    const { body: key } = await admin.post('/api/keys', { name: 'logged' });
    expect((await admin.put(`/api/keys/${key.id}/content-log`, { on: true })).status).toBe(204);
    const logged = () =>
      eventually(async () => {
        const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] }),
        });
        await reply.text();
        return reply.headers.get('x-gateway-content-log') === 'on' && reply.headers.get('x-request-id');
      });
    const content = (id: string) =>
      eventually(async () => {
        const { status, body } = await admin.get(`/api/usage/calls/${id}/content`);
        return status === 200 && JSON.stringify(body);
      });
    const before = await logged();
    expect(await content(before)).toContain('Hello');
    await fileWith('content-key', `${keys[1]},${keys[0]}`);
    expect(reload()).toMatchObject({ changes: [{ file: 'environment', name: 'CONTENT_LOG_KEY', change: 'changed' }] });
    const after = await logged();
    expect(await content(after)).toContain('Hello');
    expect(await content(before)).toContain('Hello');
    expect(await gateway.database.query('SELECT DISTINCT secret_id FROM call_contents')).toHaveLength(2);
  });

  it('sign alerts with the new secret after a reload', async () => {
    const signer = async () => {
      receiver.received = [];
      expect((await admin.post('/api/alerts/test')).status).toBeLessThan(300);
      const [{ signature = '', body = '' } = {}] = receiver.received;
      const [, seconds = '', digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
      return ['first', 'second'].find(
        (secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex') === digest,
      );
    };
    expect(await signer()).toBe('first');
    await fileWith('alert-secret', 'second');
    reload();
    expect(await signer()).toBe('second');
  });
});

describe("an upstream's API key in a file", () => {
  it('is used within ten seconds of a change, without a reload', async () => {
    const upstream = await ScriptedUpstream.start();
    upstream.always(answerTo);
    const OPENAI_API_KEY_FILE = await fileWith('upstream-key', 'sk-first\n');
    const gateway = await TestGateway.start({
      env: { OPENAI_API_KEY_FILE, OPENAI_BASE_URL: `${upstream.url}/v1`, SIMULATOR: 'off' },
    });
    const user = await gateway.createUser();
    const keyOf = async () => {
      await gateway.complete(user, { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hi' }] });
      return upstream.requests.at(-1)?.headers.authorization;
    };
    expect(await keyOf()).toBe('Bearer sk-first');
    await fileWith('upstream-key', 'two words\n');
    const logged = (text: string) => gateway.log.some(({ msg }) => String(msg).includes(text));
    await eventually(() => logged('The changed secrets of upstreams cannot be used'), 10_000);
    expect(await keyOf()).toBe('Bearer sk-first');
    await fileWith('upstream-key', 'sk-second\n');
    await eventually(async () => (await keyOf()) === 'Bearer sk-second', 10_000);
    expect(gateway.services.get(ConfigReloadService).last).toBeNull();
    expect(logged('The secrets of upstreams were read again: openai.')).toBe(true);
    expect(JSON.stringify(gateway.log)).not.toMatch(/sk-(first|second)|two words/);
  });
});
