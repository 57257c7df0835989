import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TargetHealthService } from '../src/upstreams/target-health.service.js';
import { completion, refusal } from './support/chat-answers.js';
import { expectError } from './support/error-reply.js';
import { RoutingTest } from './support/routing-test.js';

const FILE = { type: 'file', file: { file_data: 'data:text/plain;base64,AAAA', filename: 'a.txt' } };
const AUDIO = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
const content = (...parts: object[]) => ({ messages: [{ role: 'user', content: parts }] });

/** A model whose first target's protocol supports less than its second's. */
const model = (second = 'b') =>
  `targets: [{ upstream: less, model: m }, { upstream: ${second}, model: m, priority: 2 }]`;

async function start(settings: string): Promise<RoutingTest> {
  const chat = await RoutingTest.start({
    settings,
    models: {
      mixed: model(),
      poor: model('less-too'),
      gemini: 'targets: [{ upstream: gemini, model: m }, { upstream: b, model: m, priority: 2 }]',
      'gemini-alone': 'targets: [{ upstream: gemini, model: m }]',
      standby: `${model('less-too')}, fallback: [rich]`,
      rich: 'targets: [{ upstream: b, model: m }]',
      plain: 'capabilities: [tools], targets: [{ upstream: b, model: m }]',
    },
    upstreams: {
      less: ['a', 'protocol: cohere, clocks: {}'],
      'less-too': ['a', 'protocol: cohere, clocks: {}'],
      gemini: ['a', 'protocol: gemini'],
      b: ['b'],
    },
  });
  chat.a.always(() => refusal(503));
  chat.b.always(() => completion());
  return chat;
}

describe('a call that only the second target of a model can serve', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await start('');
  });
  let before: number;
  beforeEach(() => {
    before = chat.a.requests.length;
  });

  it.each<[string, object]>([
    ['more than one choice', { n: 2 }],
    ['a logit bias', { logit_bias: { 5: 1 } }],
    ['audio', content(AUDIO)],
    ['a file', content(FILE)],
    ['a value that only some providers support', { reasoning_effort: 'default' }],
    ['more choices than the first target supports', { model: 'gemini', n: 9 }],
    ['a custom tool', { tools: [{ type: 'custom', custom: { name: 'x' } }] }],
  ])('goes there directly: with %s', async (_what, fields) => {
    const response = await chat.ask('mixed', fields);
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 200 });
    expect(response.headers.get('x-gateway-attempts')).toBe('1');
    const { model: _, ...requested } = { model: '', ...fields };
    expect(chat.b.requests.at(-1)?.json()).toMatchObject(requested);
    expect((await chat.row(response)).attempts).toHaveLength(1);
    expect(chat.a.requests).toHaveLength(before);
  });

  it.each(['poor', 'standby'])(
    'is refused if no target of the model can serve it, even if a fallback could: %s',
    async (requested) => {
      const response = await chat.ask(requested, { n: 2 });
      await expectError(response, { status: 400, code: 'unsupported_value', param: 'n' });
      expect(response.headers.get('x-gateway-attempts')).toBe('0');
    },
  );
});

it('a reasoning effort is a 400 for a model that does not reason, without a call', async () => {
  const chat = await start('');
  const response = await chat.ask('plain', { reasoning_effort: 'low' });
  await expectError(response, { status: 400, code: 'unsupported_value', param: 'reasoning_effort' });
  expect(chat.b.requests).toEqual([]);
});

describe("a request that the gateway's own adapter refuses", () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await start('');
  });

  it('is neither an attempt nor a failure of the upstream', async () => {
    for (let i = 0; i < 6; i++) {
      const response = await chat.ask('gemini-alone', { n: 9 });
      await expectError(response, { status: 400, code: 'unsupported_value', param: 'n' });
      expect(response.headers.get('x-gateway-attempts')).toBe('0');
      expect(await chat.row(response)).toMatchObject({ status: 'failed', upstream: null, attempts: [] });
    }
    expect(chat.gateway.services.get(TargetHealthService).list()).toMatchObject([{ standing: 'free', underWay: 0 }]);
  });
});

describe('a call that only the second target can serve completely', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await start('unsupported: ignore\nretry: { attempts: 1 }');
  });

  it('goes there, and without the field to the first if that fails', async () => {
    const whole = await chat.ask('mixed', { n: 2 });
    expect(whole.headers.get('x-gateway-ignored-parameters')).toBeNull();
    expect(chat.b.requests.at(-1)?.json()).toMatchObject({ n: 2 });
    chat.b.enqueue(refusal(503));
    const response = await chat.ask('mixed', { n: 2 });
    expect(response.headers.get('x-gateway-attempts')).toBe('2');
    expect(chat.a.requests.at(-1)?.json()).not.toHaveProperty('n');
    expect(await chat.row(response)).toMatchObject({ attempts: [{ upstream: 'b' }, { upstream: 'less' }] });
  });
});
