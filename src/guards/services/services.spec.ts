import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { eventually } from '../../../test/support/eventually.js';
import { createOutboundHttp, type OutboundHttp } from '../../common/outbound-http.js';
import { type GuardSettings, guardsSection } from '../../config/guard.settings.js';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import type { Guard, GuardedCall } from '../guard.js';
import { ModerationGuard } from './moderation.guard.js';
import { PresidioGuard } from './presidio.guard.js';
import { WebhookGuard } from './webhook.guard.js';

let http: OutboundHttp;
let server: Server;
let url: string;
let requests: { path: string; body: string; headers: NodeJS.Dict<string | string[]> }[];
/** Requests whose client left. */
let closed: number;
let answer: { status: number; body: unknown; afterMs: number };

beforeEach(async () => {
  http = createOutboundHttp({});
  requests = [];
  closed = 0;
  answer = { status: 200, body: {}, afterMs: 0 };
  server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    requests.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString(), headers: request.headers });
    const { status, body, afterMs } = answer;
    response.on('close', () => {
      if (!response.writableFinished) closed++;
    });
    setTimeout(() => response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body)), afterMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function settingsOf(guard: object, secret: string | null = null): GuardSettings {
  const own = guardsSection.parse({ own: guard }).own as NonNullable<z.output<typeof guardsSection>[string]>;
  return { ...own, name: 'own', words: {}, secret, line: 1 };
}

const call: GuardedCall = {
  id: 'chatcmpl-1',
  api: 'messages',
  model: 'm',
  userId: 'u',
  project: 'p',
  keyId: 'k',
  side: 'request',
  paths: ['a', 'b'],
};
const upstream = () => ({ baseUrl: `${url}/v1`, apiKey: 'sk-upstream' }) as UpstreamSettings;
const webhook = (options: object = {}, secret: string | null = null) =>
  new WebhookGuard(settingsOf({ webhook: { url: `${url}/check`, timeout: '10s', ...options } }, secret), http);

describe('A webhook', () => {
  it('gets the texts with their paths and the call, signed', async () => {
    answer.body = { action: 'pass' };
    expect(await webhook({}, 'shared').check(['x', 'y'], call)).toEqual([[], []]);
    const [{ path = '', body = '', headers = {} } = {}] = requests;
    expect([path, JSON.parse(body)]).toEqual([
      '/check',
      {
        type: 'request',
        call: 'chatcmpl-1',
        api: 'messages',
        model: 'm',
        user: 'u',
        project: 'p',
        key: 'k',
        texts: [
          { path: 'a', text: 'x' },
          { path: 'b', text: 'y' },
        ],
      },
    ]);
    const [, seconds, digest] = /^t=(\d+),v1=(.+)$/.exec(String(headers['x-gateway-signature'])) ?? [];
    expect(digest).toBe(createHmac('sha256', 'shared').update(`${seconds}.${body}`).digest('hex'));
  });

  it('blocks with its own words', async () => {
    answer.body = { action: 'block', kind: 'a customer number' };
    expect((await webhook().check(['x'], call))[0]).toMatchObject([{ action: 'block', kind: 'a customer number' }]);
  });

  it('replaces texts, and leaves those that it does not return', async () => {
    answer.body = { action: 'mask', texts: [{ path: 'b', text: 'z' }] };
    expect(await webhook().check(['x', 'y'], call)).toMatchObject([[], [{ start: 0, end: 1, replacement: 'z' }]]);
  });

  it.each<[string, Partial<typeof answer>]>([
    ['an error', { status: 500 }],
    ['a redirect', { status: 302 }],
    ['no JSON', { body: 'hello' }],
    ['an unknown action', { body: { action: 'maybe' } }],
    ['a text that was not sent', { body: { action: 'mask', texts: [{ path: 'c', text: '' }] } }],
    ['no texts to mask', { body: { action: 'mask' } }],
    ['nothing in time', { body: { action: 'pass' }, afterMs: 1000 }],
  ])('cannot check a call if it answers %s', async (_what, given) => {
    Object.assign(answer, given);
    await expect(webhook({ timeout: '300ms' }).check(['x', 'y'], call)).rejects.toThrow();
  });

  it('lets calls pass when it is away, and says so, only if that is set', async () => {
    answer.status = 503;
    expect(await webhook({ whenAway: 'pass' }).check(['x', 'y'], call)).toMatchObject([
      [{ name: 'away', action: 'report' }],
      [],
    ]);
  });

  it('is asked again if a kept connection broke', async () => {
    answer.body = { action: 'pass' };
    const guard = webhook();
    await guard.check(['x'], call);
    server.closeAllConnections();
    expect(await guard.check(['x'], call)).toEqual([[]]);
  });

  it('is asked at most 64 times at once', async () => {
    Object.assign(answer, { body: { action: 'pass' }, afterMs: 50 });
    const guard = webhook({ timeout: '5s' });
    const checks = Promise.all(Array.from({ length: 100 }, () => guard.check(['x'], call)));
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(requests.length).toBeLessThanOrEqual(64);
    await checks;
    expect(requests).toHaveLength(100);
  });

  it('A webhook that is slow refuses the calls that waited for their turn as long', async () => {
    Object.assign(answer, { body: { action: 'pass' }, afterMs: 10_000 });
    const guard = webhook({ timeout: '1s' });
    const began = performance.now();
    const checks = await Promise.allSettled(Array.from({ length: 130 }, () => guard.check(['x'], call)));
    expect(checks.every(({ status }) => status === 'rejected')).toBe(true);
    expect(performance.now() - began).toBeLessThan(8000);
    answer.afterMs = 0;
    expect(await guard.check(['x'], call)).toEqual([[]]);
  });
});

describe.each<[string, () => Guard, unknown]>([
  ['a webhook', () => webhook(), { action: 'pass' }],
  ['Presidio', () => new PresidioGuard(settingsOf({ presidio: { url, timeout: '10s' } }), http), []],
  [
    'a moderation API',
    () => new ModerationGuard(settingsOf({ moderation: { upstream: 'openai', timeout: '10s' } }), http, upstream),
    { results: [{ category_scores: {} }] },
  ],
])('A request to %s', (_name, guardOf, passes) => {
  it('is aborted when the client leaves, and the next one takes its place', async () => {
    Object.assign(answer, { body: passes, afterMs: 10_000 });
    const guard = guardOf();
    const leaving = new AbortController();
    const checks = Promise.allSettled(
      Array.from({ length: 70 }, async () => guard.check(['x'], { ...call, signal: leaving.signal })),
    );
    await eventually(async () => requests.length === 64);
    leaving.abort('the client has left');
    expect((await checks).map(({ status }) => status)).toEqual(Array(70).fill('rejected'));
    await eventually(async () => closed === 64);
    answer.afterMs = 0;
    expect(await guard.check(['x'], call)).toEqual([[]]);
    expect(requests).toHaveLength(65);
  });
});

describe('Presidio', () => {
  it('finds entities by code points, above the threshold', async () => {
    answer.body = [
      { start: 2, end: 5, entity_type: 'PERSON', score: 0.9 },
      { start: 0, end: 1, entity_type: 'LOCATION', score: 0.2 },
    ];
    const guard = new PresidioGuard(settingsOf({ presidio: { url, entities: ['PERSON'] }, do: 'mask' }), http);
    expect(await guard.check(['😀 Ada'], call)).toMatchObject([[{ start: 3, end: 6, name: 'person' }]]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      text: '😀 Ada',
      language: 'en',
      score_threshold: 0.5,
      entities: ['PERSON'],
    });
  });
});

describe('A moderation API', () => {
  it('finds texts with a category above the limit', async () => {
    answer.body = {
      results: [{ category_scores: { violence: 0.7, hate: 0.1 } }, { category_scores: { violence: 0.4 } }],
    };
    const guard = new ModerationGuard(settingsOf({ moderation: { upstream: 'openai' } }), http, upstream);
    expect(await guard.check(['x', 'y'], call)).toMatchObject([[{ kind: 'content of the category violence' }], []]);
    expect(requests[0]).toMatchObject({ path: '/v1/moderations', headers: { authorization: 'Bearer sk-upstream' } });
  });
});

describe('The definition of a guard', () => {
  const faultsOf = (guard: object): string[] =>
    (guardsSection.safeParse({ own: guard }).error?.issues ?? []).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );

  it.each<[object, string]>([
    [{}, 'own: must have one of'],
    [{ detect: ['email'], webhook: { url: 'http://guard' } }, 'own: must have one of'],
    [{ detect: ['mail'] }, 'own.detect.0: '],
    [{ patterns: { a: '(' } }, 'own.patterns.a: must be a valid RE2 expression'],
    [{ patterns: { a: 'x*' } }, 'own.patterns.a: must be a valid RE2 expression'],
    [{ patterns: { a: '(?=x)' } }, 'own.patterns.a: must be a valid RE2 expression'],
    [{ webhook: { url: 'guard:8080' } }, 'own.webhook.url: must be a URL'],
    [{ moderation: { upstream: 'openai' }, do: 'mask' }, 'own.do: cannot be mask'],
    [{ words: { a: [] } }, 'own.words.a: '],
    [{ detect: ['email'], when: 'x' }, 'own: '],
  ])('is refused: %j', (guard, fault) => {
    expect(faultsOf(guard).some((one) => one.startsWith(fault))).toBe(true);
  });

  it('needs no more than what it looks for', () => {
    expect(faultsOf({ detect: ['email'] })).toEqual([]);
  });
});
