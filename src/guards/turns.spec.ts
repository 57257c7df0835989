import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../test/support/core-time.js';
import { longestTurnHere, slownessHere } from '../../test/support/longest-turn.js';
import { CallGuards } from './call-guards.js';
import { TextGuard, type TextGuardSettings } from './detection/text.guard.js';

const MEGABYTE = 1_000_000;
const TURN = { times: 30, enough: 10 };

const guardOf = (settings: Partial<TextGuardSettings>) =>
  new TextGuard({
    ...{ name: 'personal', detect: [], patterns: {}, words: {}, on: ['request'], do: 'mask', restore: true },
    media: 'ignore',
    ...settings,
  });
const personal = guardOf({
  detect: ['credentials', 'email', 'iban', 'ip_address', 'payment_card', 'phone', 'us_ssn'],
});
const call = { id: 'chatcmpl-1', api: 'chat.completions', model: 'm', userId: 'u', project: null, keyId: 'k' };
const checked = (body: unknown) =>
  new CallGuards([personal], call).checkRequest(body).then(
    (sent) => sent,
    (error: { body: { code: string } }) => error.body.code,
  );

const filled = (piece: string, size = 2 * MEGABYTE) => piece.repeat(Math.ceil(size / piece.length));
const list = <Item>(length: number, item: (at: number) => Item) => Array.from({ length }, (_, at) => item(at));
const requesting = (content: unknown) => ({ model: 'm', messages: [{ role: 'user', content }] });
const calling = (json: string) => ({
  messages: [{ role: 'assistant', tool_calls: [{ function: { arguments: json } }] }],
});

const BODIES: readonly (readonly [what: string, body: () => unknown])[] = [
  ...['ordinary words ', 'a@a.', '5 4', 'a://b:', 'DE89 ', '[A_', '[EMAIL_1]', '-----BEGIN PRIVATE KEY-----'].map(
    (piece) => [`${JSON.stringify(piece)} again and again`, () => requesting(filled(piece))] as const,
  ),
  ['80,000 addresses', () => requesting(list(80_000, (at) => `address.${at}@example.org`).join(' '))],
  [
    '35,000 parts with an address',
    () => requesting(list(35_000, (at) => ({ type: 'text', text: `To a${at}@ab.co, OK.` }))),
  ],
  ['32,000 messages with one', () => ({ messages: list(32_000, (at) => ({ role: 'user', content: `a${at}@ab.co` })) })],
  ['98,000 numbers', () => ({ input: list(98_000, (at) => 1_000_000_000 + at) })],
  ['20,000 names', () => ({ metadata: Object.fromEntries(list(20_000, (at) => [`name ${at}`, `a${at}@ab.co`])) })],
  ['a tool with 90,000 words', () => ({ tools: [{ parameters: { enum: list(90_000, (at) => `word ${at}`) } }] })],
  ['long arguments', () => calling(JSON.stringify({ to: 'ab@example.com', text: filled('words and\n') }))],
  ['a million names in arguments', () => calling(`{${list(150_000, (at) => `"name${at}":1`).join(',')}}`)],
  ['an inline text file', () => ({ file: { file_data: `data:text/plain;base64,${btoa(filled('a@ab.co '))}` } })],
];

describe('A request of 2 MB', () => {
  it.each(BODIES)('is checked and masked in turns of at most 10 ms: %s', async (_what, body) => {
    const given = body();
    expect(await longestTurnHere(TURN, () => checked(given))).toBeLessThan(TURN.enough);
  });

  it('is checked as a short one is', async () => {
    const words = filled('words and\n');
    expect(await checked(calling(JSON.stringify({ to: 'ab@example.com', words })))).toEqual(
      calling(JSON.stringify({ to: '[EMAIL_1]', words })),
    );
    const hidden = `{"to":"ab\\u0040example.com",${list(150_000, (at) => `"name${at}":1`).join(',')}}`;
    expect(await checked(calling(hidden))).toBe('content_blocked');
    const parts = (text: (at: number) => string) => list(20_000, (at) => ({ type: 'text', text: text(at) }));
    expect(await checked(requesting(parts((at) => `To a${at}@ab.co, OK.`)))).toEqual(
      requesting(parts((at) => `To [EMAIL_${at + 1}], OK.`)),
    );
  });
});

describe('A long text', () => {
  const BASE64 = 'MIIEowIBAAKCAQEAt3Yb+/kzB7Q'.repeat(110);
  const key = [
    '-----BEGIN RSA PRIVATE',
    `KEY-----\nProc-Type: 4,ENCRYPTED\n\n${BASE64}\n-----END RSA PRIVATE KEY-----`,
  ].join(' ');

  it('is searched as a short one is, wherever its matches are', async () => {
    const guard = guardOf({ detect: ['credentials', 'email'], patterns: { long: 'x[0-9]{1,500}x[0-9]{1,500}x' } });
    const digits = '7'.repeat(490);
    for (const match of [key, 'ab@example.com', `x${digits}x${digits}x`]) {
      for (let at = 8000; at < 40_000; at += 577) {
        const text = `${'a '.repeat(at / 2)}${match}${' b'.repeat(20_000)}`;
        const [found] = await guard.check([text]);
        expect(found?.map(({ start, end }) => text.slice(start, end))).toEqual([match]);
      }
    }
  });
});

describe('A slow pattern', () => {
  it('is searched in turns of at most 10 ms all the same', async () => {
    const guard = guardOf({ patterns: { slow: '(?:[a-z]{1,50}x?){2}$', mail: '[a-z.]+@[a-z.]+\\.[a-z]{2,}' } });
    const text = filled('abcde a@b.co ', MEGABYTE / 5);
    expect(await longestTurnHere(TURN, async () => guard.check([text]))).toBeLessThan(TURN.enough);
  });

  it.each([
    ['one long text', [filled('a', MEGABYTE)]],
    ['many short texts', list(1000, () => filled('a', 1000))],
  ])('makes the guard unavailable when the search takes too long: %s', async (_what, texts) => {
    const slow = guardOf({ patterns: { slow: '(?:[a-z]{1,400}x?){2}$', slower: '(?:[a-z]{1,450}x?){2}$' } });
    const guards = new CallGuards([slow], call);
    await expect(guards.checkRequest({ input: texts })).rejects.toMatchObject({
      status: 503,
      body: { code: 'guard_unavailable' },
      cause: { message: 'The search took too long. Simplify the patterns of this guard.' },
    });
    expect(guards.hits).toEqual([
      { guard: 'personal', name: 'unavailable', action: 'block', side: 'request', count: 1 },
    ]);
  });
});

describe('A pattern', () => {
  it.each([
    ['EMP-[0-9]{6}', 'EMP-12345 '],
    ['EMP-[0-9]{6}', 'EMP-123456 '],
    ['(a*)*b', 'a'],
    ['.*.*=.*', 'a'],
    ['[a-z]{1,100}[0-9]{1,100}x', 'ab1 '],
    ['\\b[A-Z]{2}[0-9]{4,8}\\b', 'AB123 '],
  ])(
    'takes less than 100 ms for a megabyte of the worst text, in turns of at most 10 ms: %s',
    async (pattern, piece) => {
      const guard = guardOf({ patterns: { pattern } });
      const text = filled(piece, MEGABYTE);
      let best = Infinity;
      for (let time = 0; time < 5 && best >= 100; time++) {
        best = Math.min(best, (await coreMsOf(() => guard.check([text]))) / slownessHere());
      }
      expect(best).toBeLessThan(100);
      expect(await longestTurnHere(TURN, async () => guard.check([text]))).toBeLessThan(TURN.enough);
    },
  );
});
