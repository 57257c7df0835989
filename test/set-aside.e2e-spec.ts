import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TargetHealthService } from '../src/upstreams/target-health.service.js';
import { completion, refusal } from './support/chat-answers.js';
import { eventually } from './support/eventually.js';
import { RoutingTest } from './support/routing-test.js';
import { hang } from './support/script.js';

const one = (server: string) => `targets: [{ upstream: ${server}, model: m }]`;
const two = (first: string, second: string) =>
  `targets: [{ upstream: ${first}, model: m }, { upstream: ${second}, model: m, priority: 2 }]`;

describe('a target that is set aside', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 1 }\nrouting: { asideFor: 4s }',
      models: {
        probed: two('a', 'b'),
        refused: two('a-refused', 'b'),
        'refused-too': 'targets: [{ upstream: a-refused, model: other }, { upstream: b, model: m, priority: 2 }]',
        limited: two('a-limited', 'b'),
        falling: `${two('a-falling', 'a-falling-too')}, fallback: [standby]`,
        standby: one('c'),
        last: `${one('a-last')}, fallback: [last-standby]`,
        'last-standby': one('c-last'),
      },
      upstreams: {
        a: ['a'],
        'a-refused': ['a'],
        'a-limited': ['a'],
        'a-falling': ['a'],
        'a-falling-too': ['a'],
        'a-last': ['a'],
        b: ['b'],
        c: ['c'],
        'c-last': ['c'],
      },
    });
    chat.b.always(() => completion());
    chat.c.always(() => completion());
  });

  const upstreamsOf = async (model: string) =>
    ((await chat.row(await chat.ask(model))).attempts as { upstream: string }[]).map(({ upstream }) => upstream);
  const standing = (upstream: string) =>
    chat.gateway.services
      .get(TargetHealthService)
      .list()
      .find((one) => one.upstream === upstream)?.standing;

  it('is not used until its time is over, then by one call, and by all after its success', async () => {
    chat.a.always(() => refusal(503));
    for (let i = 0; i < 5; i++) expect(await upstreamsOf('probed')).toEqual(['a', 'b']);
    expect(await upstreamsOf('probed')).toEqual(['b']);
    expect(chat.gateway.log).toContainEqual(
      expect.objectContaining({ msg: expect.stringContaining('set aside'), upstream: 'a', upstreamModel: 'm' }),
    );
    await eventually(() => standing('a') === 'probe');
    const requested = chat.a.requests.length;
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    chat.a.always(() => [async () => opened, completion()]);
    const probe = chat.ask('probed');
    await eventually(() => chat.a.requests.length === requested + 1);
    expect(await upstreamsOf('probed')).toEqual(['b']);
    open();
    expect((await probe).status).toBe(200);
    expect(await upstreamsOf('probed')).toEqual(['a']);
  });

  it("is a whole upstream if it refuses the gateway's credential, for every model, and logged as an error", async () => {
    chat.a.always(() => refusal(401));
    expect(await upstreamsOf('refused')).toEqual(['a-refused', 'b']);
    expect(await upstreamsOf('refused')).toEqual(['b']);
    expect(await upstreamsOf('refused-too')).toEqual(['b']);
    const reported = chat.gateway.log.filter(({ upstream, level }) => upstream === 'a-refused' && level === 50);
    expect(reported).toHaveLength(1);
  });

  it('can be one that limits its rate, until its Retry-After', async () => {
    chat.a.always(() => refusal(429, 'x', { 'retry-after': '3' }));
    expect(await upstreamsOf('limited')).toEqual(['a-limited', 'b']);
    chat.a.always(() => completion());
    expect(await upstreamsOf('limited')).toEqual(['b']);
    await eventually(() => standing('a-limited') === 'free');
    expect(await upstreamsOf('limited')).toEqual(['a-limited']);
  });

  it('comes after the fallbacks if all targets of its model are set aside', async () => {
    chat.a.always(() => refusal(500));
    for (let i = 0; i < 5; i++) expect(await upstreamsOf('falling')).toEqual(['a-falling', 'a-falling-too', 'c']);
    expect(await upstreamsOf('falling')).toEqual(['c']);
  });

  it('is still used if all targets and fallbacks are', async () => {
    chat.a.always(() => refusal(500));
    chat.c.always(() => refusal(500));
    for (let i = 0; i < 6; i++) expect(await upstreamsOf('last')).toEqual(['a-last', 'c-last']);
    expect([standing('a-last'), standing('c-last')]).toEqual(['failing', 'failing']);
    chat.a.always(() => completion());
    expect(await upstreamsOf('last')).toEqual(['a-last']);
    expect(standing('a-last')).toBe('free');
  });

  it('is none whose clients disconnect', async () => {
    chat.a.always(() => hang());
    const before = chat.a.requests.length;
    const leaving = new AbortController();
    const body = JSON.stringify({ model: 'probed', messages: [{ role: 'user', content: 'x' }] });
    const init = { method: 'POST', headers: { ...chat.user.headers, 'content-type': 'application/json' }, body };
    const calls = Array.from({ length: 6 }, () =>
      fetch(`${chat.gateway.url}/v1/chat/completions`, { ...init, signal: leaving.signal }).catch(() => null),
    );
    await chat.a.received(before + 6);
    leaving.abort();
    await Promise.all(calls);
    await eventually(() =>
      chat.gateway.services
        .get(TargetHealthService)
        .list()
        .every(({ underWay }) => underWay === 0),
    );
    expect(standing('a')).toBe('free');
  });
});

describe('while a target answers 503 to 50 calls a second', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      models: { alone: one('a'), helped: two('a-helped', 'b') },
      upstreams: { a: ['a'], 'a-helped': ['a'], b: ['b'] },
    });
    chat.a.always(() => refusal(503));
    chat.b.always(() => completion());
  });

  const CALLS = 150;
  async function statuses(model: string): Promise<number[]> {
    const calls: Promise<Response>[] = [];
    for (let i = 0; i < CALLS; i++) {
      calls.push(chat.ask(model));
      await sleep(20);
    }
    return Promise.all(calls.map(async (call) => (await call).status));
  }

  it('it gets at most 1.2 upstream calls for each client call if it is the only one', async () => {
    expect(new Set(await statuses('alone'))).toEqual(new Set([503]));
    expect(chat.a.requests.length).toBeGreaterThanOrEqual(CALLS);
    expect(chat.a.requests.length).toBeLessThanOrEqual(CALLS * 1.2);
  });

  it('callers see no error if another is healthy', async () => {
    const before = chat.a.requests.length;
    expect(new Set(await statuses('helped'))).toEqual(new Set([200]));
    expect(chat.a.requests.length - before).toBeLessThan(20);
  });
});
