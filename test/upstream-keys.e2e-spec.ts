import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SETTINGS, type Settings } from '../src/config/settings.js';
import { TargetHealthService } from '../src/upstreams/target-health.service.js';
import { completion, refusal } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { runCli } from './support/gateway-process.js';
import type { ReceivedRequest } from './support/received-request.js';
import { RoutingTest } from './support/routing-test.js';
import { json, type Script } from './support/script.js';
import { createWorkFolder } from './support/test-settings.js';

const TESTS = 14;
const names = Array.from({ length: TESTS }, (_, index) => String(index));
const keysOf = (n: string) => ({ [`A${n}_API_KEY`]: `a${n}-first`, [`A${n}_API_KEY_2`]: `a${n}-second` });

/** Set-aside targets are remembered by name, so each test has its own upstreams. */
describe('an upstream with two keys', () => {
  let chat: RoutingTest;
  let used = 0;
  const next = () => String(used++);
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 2, budgetPercent: 0, floor: 0 }',
      models: Object.fromEntries(
        names.flatMap((n) => [
          [`m${n}`, `targets: [{ upstream: a${n}, model: m }]`],
          [`two${n}`, `targets: [{ upstream: a${n}, model: m }, { upstream: b, model: m, priority: 2 }]`],
        ]),
      ),
      upstreams: {
        ...Object.fromEntries(names.map((n) => [`a${n}`, ['a'] as const])),
        named: ['a', 'keys: [reserved, batch, later]'],
        b: ['b'],
      },
      env: {
        ...Object.assign({}, ...names.map(keysOf)),
        NAMED_API_KEY_RESERVED: 'named-reserved',
        NAMED_API_KEY_BATCH: 'named-batch',
      },
    });
    chat.b.always(() => completion());
  });

  const keyOf = ({ headers }: ReceivedRequest) => headers.authorization?.replace('Bearer ', '') ?? '';
  const answerByKey = (answers: Record<string, () => Script>) =>
    chat.a.always((request) => answers[keyOf(request).replace(/^a\d+-/, '')]?.() ?? completion());
  const attemptsOf = async (model: string) => {
    const response = await chat.ask(model);
    const attempts = (await chat.row(response)).attempts as { upstream: string; key?: string; outcome: string }[];
    return {
      status: response.status,
      attempts: attempts.map(({ upstream, key, outcome }) => `${upstream}${key ? `#${key}` : ''} ${outcome}`),
    };
  };
  const standings = (upstream: string) =>
    Object.fromEntries(
      chat.gateway.services
        .get(TargetHealthService)
        .list()
        .filter((one) => one.upstream === upstream)
        .map(({ key, standing }) => [key, standing]),
    );

  it('spreads calls over them, and records the key of each attempt', async () => {
    answerByKey({});
    const n = next();
    const before = chat.a.requests.length;
    const calls = await Promise.all(Array.from({ length: 40 }, () => attemptsOf(`m${n}`)));
    const seen = chat.a.requests.slice(before).map(keyOf);
    for (const [key, secret] of [
      ['1', `a${n}-first`],
      ['2', `a${n}-second`],
    ]) {
      const count = seen.filter((one) => one === secret).length;
      expect(count).toBeGreaterThan(4);
      expect(calls.filter(({ attempts }) => attempts[0] === `a${n}#${key} ok`)).toHaveLength(count);
    }
  });

  it.each([
    [401, 'upstream_error', 'refused'],
    [402, 'upstream_error', 'refused'],
    [403, 'upstream_error', 'refused'],
    [429, 'upstream_rate_limited', 'limited'],
  ])('sets only the key aside that answers %i: the other serves, and no call fails', async (status, outcome, how) => {
    answerByKey({ second: () => refusal(status, 'No.', { 'retry-after': '30' }) });
    const n = next();
    const ends: string[][] = [];
    for (let i = 0; i < 12; i++) {
      const call = await attemptsOf(`m${n}`);
      expect(call.status).toBe(200);
      ends.push(call.attempts);
    }
    const failed = ends.filter((attempts) => attempts.length > 1);
    expect(failed.length).toBeLessThanOrEqual(1);
    for (const attempts of failed) expect(attempts).toEqual([`a${n}#2 ${outcome}`, `a${n}#1 ok`]);
    if (failed.length > 0) expect(standings(`a${n}`)).toEqual({ 1: 'free', 2: how });
  });

  it('is set aside when all of them are', async () => {
    chat.a.always(() => refusal(401));
    const n = next();
    const { status, attempts } = await attemptsOf(`two${n}`);
    expect(status).toBe(200);
    expect(attempts.toSorted()).toEqual([`a${n}#1 upstream_error`, `a${n}#2 upstream_error`, 'b ok']);
    expect(standings(`a${n}`)).toEqual({ 1: 'refused', 2: 'refused' });
    expect((await attemptsOf(`two${n}`)).attempts).toEqual(['b ok']);
    const admin = await ConsoleClient.as(chat.gateway, 'admin');
    const { models } = (await admin.get('/api/upstreams')).body as {
      models: { id: string; targets: { asideReason: string; keys: object[] }[] }[];
    };
    expect(models.find(({ id }) => id === `two${n}`)?.targets[0]).toMatchObject({
      asideReason: 'refused',
      keys: [
        { name: '1', asideReason: 'refused' },
        { name: '2', asideReason: 'refused' },
      ],
    });
  });

  it('an upstream with two keys that is down is not retried with the other key before the next target', async () => {
    chat.a.always(() => refusal(503));
    const n = next();
    const { status, attempts } = await attemptsOf(`two${n}`);
    expect(status).toBe(200);
    expect(attempts).toEqual([expect.stringMatching(/^a\d+#[12] overloaded$/), 'b ok']);
    expect((await attemptsOf(`m${n}`)).attempts).toHaveLength(1);
  });

  it('an upstream with two keys without the path of the API is not retried with the other key, as a missing model is', async () => {
    chat.a.always(() => json(404, { detail: 'Not Found' }));
    expect((await attemptsOf(`two${next()}`)).attempts).toHaveLength(2);
    chat.a.always(() => json(404, { error: { message: 'The model `m` does not exist.', code: 'model_not_found' } }));
    expect((await attemptsOf(`two${next()}`)).attempts).toHaveLength(3);
    const missing = chat.gateway.log.flatMap((line) => ('missing' in line ? [line.missing] : []));
    expect(missing).toEqual(['path', 'model', 'model']);
  });

  it('shows its secrets in no log and no metric', async () => {
    chat.a.always((request) => refusal(401, `The key ${keyOf(request)} is wrong.`));
    const n = next();
    expect((await attemptsOf(`m${n}`)).attempts).toHaveLength(2);
    const shown = `${JSON.stringify(chat.gateway.log)}${await (await chat.gateway.get('/metrics')).text()}`;
    expect(shown).toContain(`gateway_targets_aside{upstream="a${n}",key="2",model="m"} 1`);
    expect(shown).not.toMatch(/a\d+-(first|second)/);
  });

  it('has the keys that upstreams.yaml lists, and others as soon as the file is reloaded', async () => {
    answerByKey({});
    const { configDir } = chat.gateway.services.get<Settings>(SETTINGS);
    const write = async (file: string, change: (text: string) => string) => {
      const text = await readFile(join(configDir, file), 'utf8');
      await writeFile(join(configDir, `.${file}`), change(text));
      await rename(join(configDir, `.${file}`), join(configDir, file));
    };
    const keysUsed = async () => {
      const calls = await Promise.all(Array.from({ length: 30 }, () => attemptsOf('named')));
      return [...new Set(calls.flatMap(({ attempts }) => attempts))].toSorted();
    };
    const model = 'id: named, tier: free, displayName: N, description: D, contextLength: 1000';
    await write('models.yaml', (text) => `${text}- { ${model}, targets: [{ upstream: named, model: m }] }\n`);
    process.emit('SIGHUP');
    expect(await keysUsed()).toEqual(['named#batch ok', 'named#reserved ok']);
    await write('upstreams.yaml', (text) => text.replace('keys: [reserved, batch, later]', 'keys: [batch]'));
    process.emit('SIGHUP');
    expect(await keysUsed()).toEqual(['named ok']);
    expect(keyOf(chat.a.requests.at(-1) as ReceivedRequest)).toBe('named-batch');
  });
});

describe('keys that upstreams.yaml names', () => {
  it('are listed by config:check if they are not set, which is not an error', async () => {
    const folder = await createWorkFolder({
      'upstreams.yaml': 'one: { protocol: openai, baseUrl: "https://example.com", keys: [a, b-2, c] }',
      'models.yaml': '[]',
    });
    const env = { ...folder.variables, ONE_API_KEY_A: 'x' };
    const { code, stderr } = await runCli(['config:check'], folder.path, env);
    await folder.remove();
    expect([code, stderr]).toEqual([
      0,
      'Keys that upstreams.yaml names are not set: ONE_API_KEY_B_2, ONE_API_KEY_C. Their upstreams use the other keys.\n' +
        'models.yaml has no models: every call is refused. Check that the file is complete.\n',
    ]);
  });
});
