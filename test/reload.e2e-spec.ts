import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigReloadService } from '../src/config/config-reload.service.js';
import { SETTINGS, type Settings } from '../src/config/settings.js';
import { ConfigChangedService } from '../src/database/changes.service.js';
import { completion, refusal } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { modelsFile, RoutingTest } from './support/routing-test.js';

const priced = (usd: number) => `price: { inputUsdPerMTok: ${usd}, outputUsdPerMTok: ${usd} }`;
const by = (upstream: string) => `targets: [{ upstream: ${upstream}, model: m }]`;

describe('a gateway whose files change', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    // In a terminal, the signal keeps its usual meaning.
    Object.defineProperty(process.stdout, 'isTTY', { value: false, configurable: true });
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 1 }',
      models: { m: `${by('a')}, ${priced(1)}`, gone: by('a') },
      upstreams: { a: ['a'], b: ['b'] },
    });
    for (const server of [chat.a, chat.b]) server.always(() => completion());
  });

  const reloads = () => chat.gateway.services.get(ConfigReloadService);
  const write = async (name: string, text: string) => {
    const { configDir } = chat.gateway.services.get<Settings>(SETTINGS);
    await writeFile(join(configDir, `.${name}`), text);
    await rename(join(configDir, `.${name}`), join(configDir, name));
  };
  const models = async () => (await chat.gateway.get('/v1/models', chat.user.headers)).json();

  it('reloads models, prices and targets atomically at SIGHUP; a call in progress keeps its configuration', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    chat.a.enqueue([async () => opened, completion()]);
    const underWay = chat.ask('m');
    await chat.a.received(1);
    await write('models.yaml', modelsFile({ m: `${by('b')}, ${priced(7)}`, added: by('a') }));
    process.emit('SIGHUP');
    expect(await models()).toMatchObject([{ id: 'm' }, { id: 'added' }]);
    const after = await chat.ask('m');
    open();
    const before = await underWay;
    expect([before.status, after.status]).toEqual([200, 200]);
    const [oldRow, newRow] = [await chat.row(before), await chat.row(after)];
    expect(oldRow).toMatchObject({ upstream: 'a', cost_nanodollars: '14000' });
    expect(newRow).toMatchObject({ upstream: 'b', cost_nanodollars: '98000' });
    expect(newRow.price_version).not.toBe(oldRow.price_version);
    expect((await chat.ask('gone')).status).toBe(404);
    expect(reloads().last).toMatchObject({
      cause: 'signal',
      faults: [],
      changes: [
        { file: 'models.yaml', name: 'm', change: 'changed' },
        { file: 'models.yaml', name: 'gone', change: 'removed' },
        { file: 'models.yaml', name: 'added', change: 'added' },
      ],
    });
  });

  it('changes nothing when a file has errors, and reports all of them', async () => {
    const stored = await models();
    await write('models.yaml', `${modelsFile({ other: by('a') })}- { id: broken }\n`);
    await write('gateway.yaml', 'retry: { attempts: 99 }');
    process.emit('SIGHUP');
    expect(await models()).toEqual(stored);
    const faults = reloads().last?.faults.map(({ key }) => key) ?? [];
    expect(faults).toEqual(expect.arrayContaining(['retry.attempts', 'targets']));
    expect(chat.gateway.log).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: expect.stringContaining('nothing was changed'),
        faults: expect.anything(),
      }),
    );
  });

  it('reloads upstreams, timeouts, retries and routing on request of the command line', async () => {
    await write('models.yaml', modelsFile({ m: by('a') }));
    await write(
      'gateway.yaml',
      'retry: { attempts: 2 }\nrouting: { consecutiveFailures: 50 }\nstream: { heartbeat: 1s }',
    );
    const upstreams = `a: { protocol: openai, baseUrl: "${chat.b.url}/v1", auth: none, clocks: { head: 30s } }`;
    await write('upstreams.yaml', upstreams);
    expect(await chat.gateway.services.get(ConfigChangedService).request(false)).toMatchObject({
      answers: [{ refusal: null }],
      silent: 0,
    });
    expect(reloads().last).toMatchObject({
      faults: [],
      changes: expect.arrayContaining([
        { file: 'gateway.yaml', name: 'retry', change: 'changed' },
        { file: 'upstreams.yaml', name: 'a', change: 'changed' },
        { file: 'upstreams.yaml', name: 'b', change: 'removed' },
      ]),
    });
    const requested = chat.a.requests.length;
    chat.b.enqueue(refusal(503)).enqueue(completion());
    const response = await chat.ask('m');
    expect([response.status, response.headers.get('x-gateway-attempts')]).toEqual([200, '2']);
    expect(chat.a.requests).toHaveLength(requested);
    // Settings that need a restart are not reported as applied.
    expect(reloads().last?.changes.map(({ name }) => name)).not.toContain('stream');
    expect(reloads().last?.needsRestart).toContain('stream');
    expect(reloads().last?.needsRestart).not.toContain('retry');
  });

  it('keeps the models when a file that was cut has lost most of them, unless the reload is forced', async () => {
    const ask = (isForced: boolean) => chat.gateway.services.get(ConfigChangedService).request(isForced);
    await write('models.yaml', modelsFile({ m: by('a'), n: by('a'), o: by('a') }));
    process.emit('SIGHUP');
    const stored = await models();
    for (const [text, count] of [
      ['', 3],
      [modelsFile({ m: by('a') }), 2],
    ] as const) {
      await write('models.yaml', text);
      process.emit('SIGHUP');
      const problem = `would remove ${count} of 3 models; if that is intended, run \`gateway config:reload --force\``;
      expect(reloads().last).toMatchObject({ changes: [], faults: [{ key: 'the file', problem }] });
      expect((await ask(false)).answers).toMatchObject([{ refusal: expect.stringContaining(problem) }]);
      expect(await models()).toEqual(stored);
    }
    expect((await ask(true)).answers).toMatchObject([{ refusal: null }]);
    expect(await models()).toMatchObject([{ id: 'm' }]);
  });

  it('shows all of that to an administrator', async () => {
    const admin = await ConsoleClient.as(chat.gateway, 'admin');
    const { body } = await admin.get('/api/settings/reload');
    expect(body).toEqual({ last: { ...reloads().last, at: reloads().last?.at.toISOString() } });
    await write('gateway.yaml', 'stream: { heartbeat: 0s }');
    process.emit('SIGHUP');
    const { body: faulty } = await admin.get('/api/settings/reload');
    const file = expect.stringMatching(/gateway\.yaml$/);
    const fault = { file, line: 1, model: null, key: 'stream.heartbeat', problem: expect.stringContaining('must be') };
    expect(faulty).toMatchObject({ last: { cause: 'signal', changes: [], needsRestart: [], faults: [fault] } });
  });
});

describe('a gateway that watches its files', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({ settings: 'reload: watch', models: { m: by('a') }, upstreams: { a: ['a'] } });
  });

  it('reloads them when one changes', async () => {
    const { configDir } = chat.gateway.services.get<Settings>(SETTINGS);
    await writeFile(join(configDir, 'models.yaml'), modelsFile({ m: by('a'), n: by('a') }));
    const models = async () => (await chat.gateway.get('/v1/models', chat.user.headers)).json();
    await eventually(async () => ((await models()) as unknown[]).length === 2);
    expect(chat.gateway.services.get(ConfigReloadService).last?.cause).toBe('files');
  });
});
