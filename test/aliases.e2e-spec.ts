import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { ConfigReloadService } from '../src/config/config-reload.service.js';
import { SETTINGS, type Settings } from '../src/config/settings.js';
import { completion, refusal, stream } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { expectError } from './support/error-reply.js';
import { modelsFile, RoutingTest } from './support/routing-test.js';
import { json } from './support/script.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const MODELS = {
  'house-large': 'aliases: [gpt-4o, claude/sonnet], targets: [{ upstream: a, model: m }]',
  'house-small': 'aliases: [gpt-4o-mini], fallback: [gpt-4o], targets: [{ upstream: b, model: m }]',
  claude: 'aliases: [claude-sonnet-4-5], targets: [{ upstream: claude, model: c }]',
};

const SIMULATED = `
- { id: house, aliases: [gpt-4o], tier: free, displayName: House, description: D, contextLength: 1000,
    targets: [{ upstream: openai, model: m }] }
- { id: pro-model, aliases: [gpt-5], tier: pro, displayName: Pro, description: D, contextLength: 1000,
    targets: [{ upstream: openai, model: p }] }
`;

const MESSAGES = { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };

const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'c', stop_reason: 'end_turn' },
  content: [{ type: 'text', text: 'Hi' }],
  usage: { input_tokens: 3, output_tokens: 1 },
};

const NOT_FOUND = { status: 404, code: 'model_not_found', param: 'model' };

interface Chunk {
  model: string;
}

async function modelsOfStream(response: Response): Promise<Set<string>> {
  const data = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return new Set(data.map((line) => (JSON.parse(line.slice(6)) as Chunk).model));
}

describe('an alias of a model', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 1 }',
      models: MODELS,
      upstreams: { a: ['a'], b: ['b'], claude: ['c', 'protocol: anthropic'] },
    });
    chat.a.always((request) => ((request.json() as { stream?: boolean }).stream ? stream(['Hi']) : completion()));
    chat.b.always(() => refusal(503));
  });

  it('calls the model, and is the name in the answer, whole and streamed', async () => {
    for (const name of ['gpt-4o', 'claude/sonnet', 'house-large']) {
      const whole = await chat.ask(name);
      expect(await whole.json()).toMatchObject({ model: name });
      const streamed = await chat.ask(name, { stream: true, stream_options: { include_usage: true } });
      expect(await modelsOfStream(streamed)).toEqual(new Set([name]));
      for (const response of [whole, streamed]) {
        expect(await chat.row(response)).toMatchObject({ model: 'house-large', served_model: 'house-large' });
      }
    }
    expect(chat.a.requests.at(-1)?.json()).toMatchObject({ model: 'm' });
  });

  it('is the name in an answer that was translated', async () => {
    chat.c.always(() => json(200, MESSAGE));
    expect(await (await chat.ask('claude-sonnet-4-5')).json()).toMatchObject({ model: 'claude-sonnet-4-5' });
  });

  it.each([
    ['/v1/responses', 'gpt-4o', { input: 'Hi' }],
    ['/v1/responses', 'claude-sonnet-4-5', { input: 'Hi' }],
    ['/v1/messages', 'gpt-4o', MESSAGES],
    ['/v1/messages', 'claude-sonnet-4-5', MESSAGES],
    ['/v1/completions', 'gpt-4o', { prompt: 'Hi' }],
  ])('is the name in the answer at %s for %s, native or translated', async (path, model, fields) => {
    const output = [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] }];
    const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed', output };
    const text = { object: 'text_completion', choices: [{ text: 'Hi', index: 0, finish_reason: 'stop' }] };
    if (path === '/v1/responses' && model === 'gpt-4o') chat.a.enqueue(json(200, response));
    if (path === '/v1/completions') chat.a.enqueue(json(200, text));
    chat.c.always(() => json(200, MESSAGE));
    const reply = await fetch(chat.gateway.url + path, {
      method: 'POST',
      headers: { ...chat.user.headers, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model, ...fields }),
    });
    expect({ status: reply.status, body: await reply.json() }).toMatchObject({ status: 200, body: { model } });
    expect(await chat.row(reply)).toMatchObject({ model: model === 'gpt-4o' ? 'house-large' : 'claude' });
  });

  it('can be a fallback, which answers under its id and names the requested alias', async () => {
    const response = await chat.ask('gpt-4o-mini');
    expect(await response.json()).toMatchObject({ model: 'house-large' });
    expect(response.headers.get('x-gateway-fallback-from')).toBe('gpt-4o-mini');
    expect(await chat.row(response)).toMatchObject({ model: 'house-small', served_model: 'house-large' });
  });

  it('is not listed, but can be retrieved under its own name', async () => {
    const client = new OpenAI({ apiKey: chat.user.key.key, baseURL: `${chat.gateway.url}/v1`, maxRetries: 0 });
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual(Object.keys(MODELS));
    for (const name of ['gpt-4o', 'claude/sonnet']) {
      const reply = await chat.gateway.get(`/v1/models/${name}`, chat.user.headers);
      expect(await reply.json()).toMatchObject({ id: name, display_name: 'house-large' });
    }
  });

  it('is allowed by a key that names the model, and names it in a key', async () => {
    for (const models of [['house-large'], ['gpt-4o']]) {
      const user = await chat.gateway.createUser({ models });
      for (const name of ['house-large', 'gpt-4o', 'claude/sonnet']) {
        expect((await chat.ask(name, {}, user)).status).toBe(200);
      }
      await expectError(await chat.ask('claude', {}, user), NOT_FOUND);
      await expectError(await chat.ask('claude-sonnet-4-5', {}, user), NOT_FOUND);
      expect(await (await chat.gateway.get('/v1/models', user.headers)).json()).toMatchObject([{ id: 'house-large' }]);
    }
  });

  it('can name a model in a plan and a key of the console', async () => {
    const admin = await ConsoleClient.as(chat.gateway, 'admin');
    const plan = await admin.post('/api/plans', { id: 'by-alias', tiers: [], namedModels: ['gpt-4o'] });
    expect(plan).toMatchObject({ status: 201, body: { models: 1 } });
    expect(await admin.post('/api/plans', { id: 'none', tiers: [], namedModels: ['gpt-4'] })).toMatchObject({
      status: 400,
    });
    const user = await chat.gateway.createUser({ plan: 'by-alias' });
    expect((await chat.ask('house-large', {}, user)).status).toBe(200);
    await expectError(await chat.ask('claude', {}, user), NOT_FOUND);
    expect((await admin.post('/api/keys', { name: 'one', models: ['gpt-4o'] })).status).toBe(201);
    expect((await admin.post('/api/keys', { name: 'two', models: ['gpt-4'] })).status).toBe(400);
  });

  it('changes with models.yaml; a reload in which two models share a name changes nothing', async () => {
    const { configDir } = chat.gateway.services.get<Settings>(SETTINGS);
    const reload = async (models: Record<string, string>) => {
      await writeFile(join(configDir, '.models.yaml'), modelsFile(models));
      await rename(join(configDir, '.models.yaml'), join(configDir, 'models.yaml'));
      return chat.gateway.services.get(ConfigReloadService).reload('signal');
    };
    const { faults } = await reload({
      ...MODELS,
      claude: 'aliases: [gpt-4o], targets: [{ upstream: claude, model: c }]',
    });
    expect(faults).toMatchObject([{ key: "alias 'gpt-4o'", problem: "belongs to 'house-large'" }]);
    expect((await chat.ask('gpt-4o')).status).toBe(200);
    await reload({ claude: MODELS.claude, 'house-large': 'aliases: [newer], targets: [{ upstream: a, model: m }]' });
    expect(await (await chat.ask('newer')).json()).toMatchObject({ model: 'newer' });
    await expectError(await chat.ask('gpt-4o'), NOT_FOUND);
  });
});

describe('with server.listAliases', () => {
  let gateway: TestGateway;
  let user: TestUser;
  beforeAll(async () => {
    gateway = await TestGateway.start({
      env: { SIMULATOR: 'on' },
      config: { 'models.yaml': SIMULATED, 'gateway.yaml': 'server: { listAliases: true }' },
    });
    user = await gateway.createUser();
  });

  it('aliases of the models that the caller can call are listed, in both formats', async () => {
    const array = await (await gateway.get('/v1/models', user.headers)).json();
    expect(array).toMatchObject([
      { id: 'house', display_name: 'House' },
      { id: 'gpt-4o', display_name: 'House' },
    ]);
    const list = await (await gateway.get('/openai/v1/models', user.headers)).json();
    expect(list).toMatchObject({ data: [{ id: 'house' }, { id: 'gpt-4o', object: 'model' }] });
  });

  it('the simulator answers under the alias', async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const body = { model: 'gpt-4o', messages, max_tokens: 2 };
    expect(await (await gateway.complete(user, body)).json()).toMatchObject({ model: 'gpt-4o' });
    const streamed = await gateway.complete(user, { ...body, stream: true, stream_options: { include_usage: true } });
    expect(await modelsOfStream(streamed)).toEqual(new Set(['gpt-4o']));
  });

  it('an alias of a model that the caller cannot call is treated as an unknown name', async () => {
    const seen = async (model: string) => {
      const replies = [
        await gateway.complete(user, { model, messages: [{ role: 'user', content: 'Hi' }] }),
        await gateway.get(`/v1/models/${model}`, user.headers),
      ];
      return Promise.all(replies.map(async (reply) => [reply.status, (await reply.text()).replaceAll(model, 'X')]));
    };
    const hidden = await seen('gpt-5');
    expect(hidden).toEqual(await seen('gpt-6'));
    expect(hidden).toEqual(await seen('pro-model'));
    expect(hidden.map(([status]) => status)).toEqual([404, 404]);
  });
});
