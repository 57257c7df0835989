import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../common/gateway.error.js';
import { CallGuards } from './call-guards.js';
import { TextGuard, type TextGuardSettings } from './detection/text.guard.js';
import type { Guard, GuardAction } from './guard.js';

const guardOf = (settings: Partial<TextGuardSettings>): Guard =>
  new TextGuard({
    name: 'personal',
    detect: [],
    patterns: {},
    words: {},
    on: ['request', 'answer'],
    do: 'block',
    restore: true,
    media: 'ignore',
    ...settings,
  });
const personal = (action: GuardAction): Guard => guardOf({ detect: ['email', 'payment_card'], do: action });
const call = { id: 'chatcmpl-1', api: 'chat.completions', model: 'm', userId: 'u', project: null, keyId: 'k' };
const guardsOf = (...guards: readonly Guard[]): CallGuards => new CallGuards(guards, call);

const masked = async (body: unknown): Promise<unknown> => guardsOf(personal('mask')).checkRequest(body);
const refusal = async (body: unknown, guard = personal('block')): Promise<object> => {
  const error = await guardsOf(guard)
    .checkRequest(body)
    .then(
      () => null,
      (error: unknown) => error,
    );
  if (!(error instanceof GatewayError)) throw new Error(`It was not refused: ${JSON.stringify(error)}`);
  return { status: error.status, ...error.body };
};

const MAIL = 'ada@example.com';
const user = (content: unknown): object => ({ model: 'm', messages: [{ role: 'user', content }] });

describe('A guard that masks', () => {
  it.each<[string, object, object]>([
    ['a message', user(`To ${MAIL}!`), user('To [EMAIL_1]!')],
    ['a text part', user([{ type: 'text', text: MAIL }]), user([{ type: 'text', text: '[EMAIL_1]' }])],
    [
      'the seam of two parts',
      user([
        { type: 'text', text: 'To ada@exa' },
        { type: 'text', text: 'mple.com now' },
      ]),
      user([
        { type: 'text', text: 'To [EMAIL_1]' },
        { type: 'text', text: ' now' },
      ]),
    ],
    [
      'a part that another one touches',
      user([
        { type: 'text', text: 'x1' },
        { type: 'text', text: '4111 1111 1111 1111' },
      ]),
      user([
        { type: 'text', text: 'x1' },
        { type: 'text', text: '[PAYMENT_CARD_1]' },
      ]),
    ],
    [
      'a system text of Messages',
      { system: [{ type: 'text', text: MAIL }] },
      { system: [{ type: 'text', text: '[EMAIL_1]' }] },
    ],
    [
      'instructions',
      { instructions: MAIL, input: `${MAIL} b@c.org` },
      { instructions: '[EMAIL_1]', input: '[EMAIL_1] [EMAIL_2]' },
    ],
    ['inputs of embeddings', { input: [MAIL, 'x'] }, { input: ['[EMAIL_1]', 'x'] }],
    [
      'arguments of a tool call, escaped or not',
      { tool_calls: [{ function: { name: 'f', arguments: '{"to":"ada\\u0040example.com","n":1}' } }] },
      { tool_calls: [{ function: { name: 'f', arguments: '{"to":"[EMAIL_1]","n":1}' } }] },
    ],
    [
      'the input of a tool use',
      { content: [{ type: 'tool_use', id: 't', name: 'f', input: { to: { any: MAIL } } }] },
      { content: [{ type: 'tool_use', id: 't', name: 'f', input: { to: { any: '[EMAIL_1]' } } }] },
    ],
    ['a description in a schema', { tools: [{ description: MAIL }] }, { tools: [{ description: '[EMAIL_1]' }] }],
    ['metadata', { metadata: { who: MAIL } }, { metadata: { who: '[EMAIL_1]' } }],
    [
      'an inline text file',
      { file: { file_data: `data:text/plain;base64,${Buffer.from(MAIL).toString('base64')}` } },
      { file: { file_data: `data:text/plain;base64,${Buffer.from('[EMAIL_1]').toString('base64')}` } },
    ],
  ])('masks %s', async (_where, body, expected) => {
    const before = structuredClone(body);
    expect(await masked(body)).toEqual(expected);
    expect(body).toEqual(before);
  });

  it.each<[string, object]>([
    ['the name of a tool', { tools: [{ function: { name: MAIL } }] }],
    ['a key', { metadata: { [MAIL]: 'x' } }],
    ['a stop sequence', { stop: [MAIL] }],
    ['an id', { tool_call_id: MAIL }],
    ['an unknown field', { anything: [{ deep: MAIL }] }],
    ['a number', { messages: [{ role: 'user', content: 'x', n: 4111111111111111 }] }],
    ['a value of an enumeration', { parameters: { properties: { a: { enum: [MAIL] } } } }],
  ])('blocks a request with a match in %s, which cannot be masked', async (_where, body) => {
    expect(await refusal(body, personal('mask'))).toMatchObject({ status: 400, code: 'content_blocked' });
  });

  it('shares what it does not change, and the whole body if it finds nothing', async () => {
    const body = { messages: [{ role: 'user', content: 'Hi' }], tools: [{ name: 'f' }] };
    expect(await masked(body)).toBe(body);
    const changed = { messages: [{ role: 'user', content: MAIL }], tools: [{ name: 'f' }] };
    expect(((await masked(changed)) as typeof changed).tools).toBe(changed.tools);
  });

  it('does not look at images', async () => {
    const url = `data:image/png;base64,${Buffer.from(`xx ${MAIL} `).toString('base64')}`;
    expect(
      await refusal(
        user([
          { type: 'text', text: MAIL },
          { type: 'image_url', image_url: { url } },
        ]),
      ),
    ).toMatchObject({
      param: 'messages[0].content[0].text',
    });
    const body = user([{ type: 'image_url', image_url: { url } }]);
    expect(await masked(body)).toBe(body);
  });

  it('counts what it did', async () => {
    const guards = guardsOf(personal('mask'), Object.assign(personal('report'), { name: 'other' }));
    await guards.checkRequest(user(`${MAIL} b@c.org 4111111111111111`));
    expect(guards.header(false)).toBe('personal=mask:3');
  });
});

describe('A guard that blocks', () => {
  it('names guard, kind and place, never the text', async () => {
    const error = await refusal(user([{ type: 'text', text: `To ${MAIL}` }]));
    expect(error).toEqual({
      status: 400,
      type: 'invalid_request_error',
      code: 'content_blocked',
      param: 'messages[0].content[0].text',
      message: 'The request was blocked by the guard personal: it contains an email address. Remove it and try again.',
    });
  });

  it('refuses media if it must', async () => {
    const guard = guardOf({ detect: ['email'], media: 'refuse' });
    const body = user([{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]);
    expect(await refusal(body, guard)).toMatchObject({
      code: 'content_blocked',
      param: 'messages[0].content[0].image_url.url',
    });
  });
});

describe('A guard that breaks', () => {
  it('refuses the call with a 503 that does not say why', async () => {
    const broken = Object.assign(personal('block'), { check: () => Promise.reject(new Error('secret reason')) });
    expect(await refusal(user('x'), broken)).toMatchObject({ status: 503, code: 'guard_unavailable' });
    expect(JSON.stringify(await refusal(user('x'), broken))).not.toContain('secret');
  });
});

describe('Patterns and words', () => {
  it('are found in any case as whole words, in long texts too', async () => {
    const guard = guardOf({
      patterns: { employee: 'EMP-[0-9]{6}' },
      words: { codenames: ['bluebird', 'project atlas'] },
      do: 'mask',
    });
    const filler = 'bluebirds and EMP-12345 '.repeat(10_000);
    const body = user(`${filler}Project ATLAS, EMP-123456`);
    expect(await guardsOf(guard).checkRequest(body)).toEqual(user(`${filler}[CODENAMES_1], [EMPLOYEE_1]`));
  });
});
