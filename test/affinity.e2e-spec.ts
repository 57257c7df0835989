import { beforeAll, describe, expect, it } from '@jest/globals';
import { completion, refusal } from './support/chat-answers.js';
import { RoutingTest } from './support/routing-test.js';

const three = (a: string, b: string, c: string) =>
  `targets: [{ upstream: ${a}, model: m }, { upstream: ${b}, model: m }, { upstream: ${c}, model: m }]`;

const hello = (text: string) => ({ role: 'user', content: text });
const turn = (first: string, number: number) => ({
  messages: [
    hello(first),
    ...Array.from({ length: number - 1 }, (_, index) => [
      { role: 'assistant', content: `Answer ${index}.` },
      hello(`Question ${index}.`),
    ]).flat(),
  ],
});

describe('a conversation', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 1 }\nrouting: { consecutiveFailures: 2, asideFor: 50ms }',
      models: {
        remembered: three('a', 'b', 'c'),
        moved: three('a-moved', 'b-moved', 'c-moved'),
        spread: `${three('a', 'b', 'c')}, affinity: off`,
        openai: 'targets: [{ upstream: a, model: m }]',
        'openai-off': 'targets: [{ upstream: a, model: m }], affinity: off',
        strict: 'targets: [{ upstream: strict, model: m }]',
      },
      upstreams: {
        a: ['a'],
        b: ['b'],
        c: ['c'],
        'a-moved': ['a'],
        'b-moved': ['b'],
        'c-moved': ['c'],
        strict: ['b', 'protocol: azure'],
      },
      env: { AZURE_API_KEY: 'azure-key' },
    });
    for (const server of [chat.a, chat.b, chat.c]) server.always(() => completion());
  });

  const servedBy = async (model: string, fields: object, headers: Record<string, string> = {}) => {
    const response = await chat.gateway.complete(
      chat.user,
      { model, messages: [hello('Hello')], ...fields },
      { headers },
    );
    expect(response.status).toBe(200);
    return (await chat.row(response)).upstream;
  };
  const all = <Result>(count: number, one: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => one(index)));
  const eachOf = async (count: number, one: (index: number) => Promise<unknown>) => new Set(await all(count, one));

  it.each(['session-id', 'x-session-id', 'x-claude-code-session-id'])('stays on one target by its %s', async (name) => {
    const sessions = await all(12, (session) =>
      eachOf(3, () => servedBy('remembered', {}, { [name]: `session ${session}` })),
    );
    for (const targets of sessions) expect(targets.size).toBe(1);
    expect(new Set(sessions.flatMap((targets) => [...targets])).size).toBeGreaterThan(1);
  });

  it('stays on one target from its second turn on', async () => {
    const conversations = await all(12, (one) =>
      eachOf(4, (index) => servedBy('remembered', turn(`First ${one}`, index + 2))),
    );
    for (const targets of conversations) expect(targets.size).toBe(1);
    expect(new Set(conversations.flatMap((targets) => [...targets])).size).toBeGreaterThan(1);
  });

  it('does not exist for single calls and models without affinity, which are spread', async () => {
    expect((await eachOf(40, () => servedBy('remembered', {}))).size).toBe(3);
    expect((await eachOf(40, () => servedBy('spread', turn('First', 2), { 'session-id': 's' }))).size).toBe(3);
  });

  it('moves when its target fails, alone, and then stays', async () => {
    const ask = (session: number) => servedBy('moved', {}, { 'session-id': `session ${session}` });
    const before = await all(40, ask);
    const left = before.indexOf('a-moved');
    expect(left).toBeGreaterThanOrEqual(0);
    chat.a.always(() => refusal(503));
    const during = await all(40, ask);
    chat.a.always(() => completion());
    expect(during).not.toContain('a-moved');
    for (const [session, target] of before.entries()) {
      if (target !== 'a-moved') expect(during[session]).toBe(target);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await all(40, ask)).toEqual(during);
  });

  const sentKey = async (model: string, fields: object, server = chat.a) => {
    await servedBy(model, fields);
    return Object(server.requests.at(-1)?.json()).prompt_cache_key as string | undefined;
  };

  it('sends a hash of its id to a provider that accepts a cache key', async () => {
    expect(await sentKey('openai', {})).toBeUndefined();
    const key = await sentKey('openai', turn('First', 2));
    expect(key).toMatch(/^[\w-]{32}$/);
    expect(await sentKey('openai', turn('First', 3))).toBe(key);
    expect(await sentKey('openai', turn('Other', 2))).not.toBe(key);
    expect(await sentKey('openai', { ...turn('First', 2), prompt_cache_key: 'own' })).toBe('own');
    expect(await sentKey('openai-off', turn('First', 2))).toBeUndefined();
  });

  it('sends no cache key to other providers', async () => {
    expect(await sentKey('strict', turn('First', 2), chat.b)).toBeUndefined();
  });
});
