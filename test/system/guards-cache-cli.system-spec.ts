import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { completion } from '../support/chat-answers.js';
import { ChatTest, QUESTION } from '../support/chat-test.js';
import { Commands } from '../support/commands.js';
import { eventually } from '../support/eventually.js';
import { createWorkFolder } from '../support/test-settings.js';

const SETTINGS = `
retry: { attempts: 1 }
guards:
  plans: { words: { plan: [alpha] } }
  projects: { words: { project: [beta] } }
  keys: { words: { key: [gamma] } }`;
const CONTENT_LOG_KEY = randomBytes(32).toString('base64');

let key: string;
let keyId: string;
const commands = new Commands();

const chat = await ChatTest.start({ settings: SETTINGS, env: { CONTENT_LOG_KEY } });
const folder: Awaited<ReturnType<typeof createWorkFolder>> = await createWorkFolder({ 'gateway.yaml': SETTINGS });
chat.upstream.always(() => completion('Hello.'));
await json('project:create', '--name', 'Search');
({ id: keyId, key } = await json('project:key', '--project', 'Search', '--name', 'bot'));

function run(...args: string[]) {
  const variables = { ...folder.variables, CONTENT_LOG_KEY, DATABASE_URL: chat.gateway.database.url };
  return commands.run([...args, '--json'], folder.path, variables);
}

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function failure(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' });
  return stderr;
}

/** The code of an error, or whether the answer came from the cache. */
async function ask(content: string): Promise<string | null> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...QUESTION, messages: [{ role: 'user', content }] });
  const response = await fetch(`${chat.gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
  const { error } = (await response.json()) as { error?: { code: string } };
  return error?.code ?? response.headers.get('x-gateway-cache');
}

describe('--guards', () => {
  it.each([
    ['plan:set', ['--plan', 'free'], 'plans', 'alpha'],
    ['project:set', ['--name', 'Search'], 'projects', 'beta'],
    ['key:set', ['--id', ''], 'keys', 'gamma'],
  ] as const)(
    '--guards of %s adds guards within a second, prints them, and removes them with none',
    async (command, which, guard, word) => {
      const subject = which.map((one) => one || keyId);
      expect(await ask(word)).toBeNull();
      expect(await json(command, ...subject, '--guards', guard)).toMatchObject({ guards: [guard] });
      await eventually(async () => (await ask(word)) === 'content_blocked', 1000);
      expect(await json(command, ...subject)).toMatchObject({ guards: [guard] });
      expect(await json(command, ...subject, '--guards', 'plans,projects,keys')).toMatchObject({
        guards: ['plans', 'projects', 'keys'],
      });
      expect(await failure(command, ...subject, '--guards', 'gone')).toContain("gateway.yaml has no guard 'gone'.");
      expect(await json(command, ...subject, '--guards', 'none')).toMatchObject({ guards: [] });
      await eventually(async () => (await ask(word)) === null, 1000);
    },
  );

  it('--guards of plan:create sets those of the new plan, which unknown ones do not create', async () => {
    const unknown = ['--plan', 'guarded', '--tiers', 'free', '--guards', 'gone'];
    expect(await failure('plan:create', ...unknown)).toContain("gateway.yaml has no guard 'gone'.");
    await json('plan:create', '--plan', 'guarded', '--tiers', 'free', '--guards', 'plans,keys');
    expect(await json('plan:set', '--plan', 'guarded')).toMatchObject({ guards: ['plans', 'keys'] });
  });
});

describe('--cache and cache:clear', () => {
  it('turn the cache of a project and a key on and off within a second', async () => {
    expect(await json('project:set', '--name', 'Search', '--cache', '1h')).toMatchObject({ cache: '1h' });
    await eventually(async () => (await ask('cached')) === 'hit');
    expect(await json('key:set', '--id', keyId, '--cache', 'none')).toMatchObject({ cache: 'none' });
    await eventually(async () => (await ask('cached')) === null, 1000);
    expect(await json('key:set', '--id', keyId, '--cache', 'default')).toMatchObject({ cache: 'default' });
    await eventually(async () => (await ask('cached')) === 'hit', 1000);
    expect(await failure('project:set', '--name', 'Search', '--cache', 'often')).toContain(
      'The cache must be a duration from 1s to 365d such as 1h, none, or default.',
    );
  });

  it('--cache of key:create sets that of the new key, which an invalid one does not create', async () => {
    const keys = () => chat.gateway.database.query('SELECT cache_seconds FROM api_keys WHERE name = $1', ['robot']);
    const { email } = await chat.gateway.createPerson();
    const owner = ['--email', email, '--name', 'robot'];
    expect(await failure('key:create', ...owner, '--cache', 'often')).toContain('The cache must be a duration');
    expect(await keys()).toEqual([]);
    await json('key:create', ...owner, '--cache', '1h');
    expect(await keys()).toEqual([{ cache_seconds: 3600 }]);
  });

  it('delete the stored answers of a model, of a project, or all', async () => {
    const clear = async (...args: string[]) => (await json('cache:clear', ...args)).cleared;
    const stored = async () => (await chat.gateway.database.query('SELECT FROM cached_answers')).length;
    await eventually(async () => (await ask('cached')) === 'hit');
    expect(await clear('--model', 'claude-opus-5.5')).toBe(0);
    await json('project:create', '--name', 'Other');
    expect(await clear('--project', 'Other')).toBe(0);
    expect(await ask('cached')).toBe('hit');
    for (const args of [['--model', QUESTION.model, '--project', 'Search'], ['--project', 'Search'], []]) {
      expect(await clear(...args)).toBe(1);
      await eventually(async () => (await ask('cached')) === 'miss', 1000);
      await eventually(async () => (await stored()) === 1);
    }
    expect(await failure('cache:clear', '--project', 'None')).toContain('does not exist');
    const audit = await chat.gateway.database.query<{ name: string }>(
      "SELECT target_name AS name FROM audit_log WHERE action = 'cache.clear' ORDER BY id",
    );
    expect(audit.map(({ name }) => name)).toEqual([
      'claude-opus-5.5, all projects',
      'all models, Other',
      `${QUESTION.model}, Search`,
      'all models, Search',
      'all models, all projects',
    ]);
  });
});
