import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { completion, stream } from './support/chat-answers.js';
import { eventsIn, toClient } from './support/native-checks.js';
import { API_CASES, answersOf, eventOf, NativeTest, streamOf, textEvents } from './support/native-test.js';
import { json, reply } from './support/script.js';

const native = await NativeTest.start({ settings: 'retry: { attempts: 3 }' });

const CHAT = '/v1/chat/completions';
const HOSTED = {
  responses: { type: 'code_interpreter', container: { type: 'auto' } },
  messages: { type: 'code_execution_20250825', name: 'code_execution' },
};
const SMELL = { type: 'smell', smell: 'of coffee' };
/** Requests with content that the gateway does not know, and its path. */
const UNKNOWN = {
  responses: [
    [{ input: [{ role: 'user', content: 'Hello.' }, SMELL] }, 'input[1].type'],
    [{ input: [{ role: 'user', content: [SMELL] }] }, 'input[0].content[0].type'],
  ],
  messages: [[{ messages: [{ role: 'user', content: [SMELL] }] }, 'messages[0].content[0].type']],
} as const;
/** Tools of the API that the client runs. */
const CLIENTS = {
  responses: ['local_shell', 'computer_use_preview', 'computer', 'apply_patch'].map((type) => ({ type })),
  messages: ['bash_20250124', 'text_editor_20250728', 'memory_20250818'].map((type) => ({ type, name: 'a' })),
};
/** A conversation whose last answer has reasoning that the upstream cannot verify. */
const THOUGHTFUL = {
  responses: [
    { role: 'user', content: 'Hello.' },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'of-another-account' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] },
    { role: 'user', content: 'And now?' },
  ],
  messages: [
    { role: 'user', content: 'Hello.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'of-another-account' },
        { type: 'text', text: 'Hi.' },
      ],
    },
    { role: 'user', content: 'And now?' },
  ],
};
/** A field within a list that the upstream does not know, as the API names it in an error and as the gateway does. */
const REFUSED_FIELDS = {
  responses: {
    fields: { input: [{ role: 'user', content: 'Hello.', future_leaf: 1 }] },
    path: 'input[0].future_leaf',
    named: 'input[0].future_leaf',
  },
  messages: {
    fields: { system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', future_leaf: 'x' } }] },
    path: 'system.0.cache_control.ephemeral.future_leaf',
    named: 'system[0].cache_control.future_leaf',
  },
};
const UNVERIFIED = {
  responses: {
    code: 'invalid_encrypted_content',
    message: 'The encrypted content for item rs_1 could not be verified.',
  },
  messages: { type: 'invalid_request_error', message: 'messages.1.content.0: Invalid `signature` in `thinking` block' },
};

describe.each(API_CASES)('a call of the %s API', (api, one) => {
  const answer = () => json(200, answersOf(one, false)[0]?.body);

  /** Asks with these scripts for the upstream, and returns the requests that it got. */
  async function requested(fields: object, ...scripts: Parameters<NativeTest['upstream']['enqueue']>[0][]) {
    const before = native.upstream.requests.length;
    for (const script of scripts) native.upstream.enqueue(script);
    const response = await native.ask(one, fields);
    const text = await response.text();
    return { response, text, requests: native.upstream.requests.slice(before) };
  }

  it('a call that fails at its native target is answered by another one, translated', async () => {
    const { response, text, requests } = await requested(
      { model: `${one.model}-first` },
      json(500, {}),
      completion('Hi.'),
    );
    expect(response.status).toBe(200);
    expect(requests.map(({ path }) => path)).toEqual([one.upstreamPath, CHAT]);
    expect(response.headers.get('x-gateway-attempts')).toBe('2');
    expect(one.textOf(JSON.parse(text))).toBe('Hi.');
  });

  it('a call that fails at another target is answered natively, unchanged', async () => {
    const body = JSON.stringify(answersOf(one, false)[0]?.body, null, 1);
    const whole = reply(200, { 'content-type': 'application/json' }, body);
    const { text, requests } = await requested({ model: `${one.model}-last` }, json(503, {}), whole);
    expect(requests.map(({ path }) => path)).toEqual([CHAT, one.upstreamPath]);
    expect(text).toBe(toClient(body, JSON.parse(body).model, `${one.model}-last`));
  });

  it('a call with tools that the client runs passes unchanged, also where the model has prices', async () => {
    const tools = CLIENTS[api];
    const { response, requests } = await requested({ model: `${one.model}-priced`, tools }, answer());
    expect(response.status).toBe(200);
    expect(requests[0]?.json()).toMatchObject({ tools });
  });

  it('a call that fails at the start of a native stream goes to another target', async () => {
    const response = { id: 'resp_1', model: one.upstreamModel, status: 'in_progress', output: [] };
    const preamble = api === 'responses' ? [eventOf('response.created', { response })] : [eventOf('ping')];
    const refusal = eventOf('error', { error: { type: 'overloaded_error', message: 'Busy.' }, code: 'overloaded' });
    const fields = { model: `${one.model}-first`, stream: true };
    const { text, requests } = await requested(fields, streamOf([...preamble, refusal]), stream(['Hi.']));
    expect(requests.map(({ path }) => path)).toEqual([one.upstreamPath, CHAT]);
    const events = eventsIn(text);
    expect(events.at(-1)?.event).toBe(one.lastEvent);
    expect(text).not.toContain('Busy.');
    expect(new Set(events.map(({ event }) => event)).size).toBeGreaterThan(4);
  });

  it('is retried natively without a sampling field that the model refuses', async () => {
    const message = "Unsupported parameter: 'temperature' is not supported with this model.";
    const refusal = json(400, { type: 'error', error: { message, param: 'temperature' } });
    const { response, requests } = await requested({ temperature: 0.5, top_p: 0.5 }, refusal, answer());
    expect(response.status).toBe(200);
    expect(requests.map((request) => request.json())).toEqual([
      expect.objectContaining({ temperature: 0.5, top_p: 0.5 }),
      expect.not.objectContaining({ temperature: 0.5 }),
    ]);
    expect(requests[1]?.json()).toMatchObject({ top_p: 0.5, model: one.upstreamModel });
    expect(response.headers.get('x-gateway-ignored-parameters')).toBe('temperature');
  });

  it('is retried once without earlier reasoning that the upstream cannot verify', async () => {
    const refusal = () => json(400, { type: 'error', error: UNVERIFIED[api] });
    const name = api === 'messages' ? 'messages' : 'input';
    const { response, requests } = await requested({ [name]: THOUGHTFUL[api] }, refusal(), answer());
    expect(response.status).toBe(200);
    expect(requests.map(({ body }) => body.includes('of-another-account'))).toEqual([true, false]);
    expect(requests.map(({ body }) => body.includes('And now?'))).toEqual([true, true]);
    expect(response.headers.get('x-gateway-ignored-parameters')).toBe(
      api === 'messages' ? 'messages[1].content[0]' : 'input[1]',
    );
    const again = await requested({ [name]: THOUGHTFUL[api] }, refusal(), refusal());
    expect([again.response.status, again.requests.length]).toEqual([400, 2]);
  });

  it('is repeated without optional fields that the upstream refuses, and later calls go without them', async () => {
    const [first, second] = [REFUSED_FIELDS[api], 'future_field'];
    const refusal = (message: string) =>
      json(400, { type: 'error', error: { type: 'invalid_request_error', message } });
    const [known, unknown] = [
      refusal(`${first.path}: Extra inputs are not permitted`),
      refusal(`${second}: Extra inputs are not permitted`),
    ];
    const fields = { ...first.fields, [second]: { a: 1 } };
    const { response, requests } = await requested(fields, known, unknown, answer());
    const named = `${first.named}, ${second}`;
    expect([response.status, requests.length, response.headers.get('x-gateway-ignored-parameters')]).toEqual([
      200,
      3,
      named,
    ]);
    expect(requests.map(({ body }) => [body.includes('future_leaf'), body.includes(second)])).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
    const later = await requested(fields, answer());
    expect([later.requests.length, later.response.headers.get('x-gateway-ignored-parameters')]).toEqual([1, named]);
    expect(later.requests[0]?.body).not.toMatch(/future/);
    const headers = { 'anthropic-beta': 'with-future-2026-01-01' };
    native.upstream.enqueue(answer());
    await (await native.ask(one, fields, { headers })).text();
    expect(native.sent.body.includes('future_leaf')).toBe(api === 'messages');
  });

  it('a call that quotes a refusal does not change later calls', async () => {
    const message = 'quoted_field: Extra inputs are not permitted';
    const refusal = json(400, { type: 'error', error: { type: 'invalid_request_error', message } });
    const fields = { quoted_field: 1, metadata: { note: message } };
    expect((await requested(fields, refusal, answer())).requests).toHaveLength(2);
    const later = await requested({ quoted_field: 1 }, answer());
    expect(later.requests[0]?.json()).toMatchObject({ quoted_field: 1 });
  });

  it('is repeated a bounded number of times', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `extra${at}`);
    const refusals = names.map((name) =>
      json(400, {
        type: 'error',
        error: { type: 'invalid_request_error', message: `${name}: Extra inputs are not permitted` },
      }),
    );
    const user = await native.gateway.createUser();
    const before = native.upstream.requests.length;
    native.upstream.always(() => refusals[native.upstream.requests.length - before - 1] ?? answer());
    const response = await native.ask(one, Object.fromEntries(names.map((name) => [name, 1])), {
      headers: user.headers,
    });
    expect([response.status, native.upstream.requests.length - before]).toEqual([400, 9]);
    native.upstream.always(() => answer());
  });

  it('a call with a hosted tool goes to native targets only', async () => {
    const tools = [HOSTED[api]];
    const { response, requests } = await requested({ model: `${one.model}-last`, tools }, answer());
    expect([response.status, requests.map(({ path }) => path)]).toEqual([200, [one.upstreamPath]]);
    expect(requests[0]?.json()).toMatchObject({ tools });
    const refused = await requested({ model: 'chat-only', tools });
    expect([refused.response.status, refused.requests.length]).toEqual([400, 0]);
    expect(refused.text).toContain('tools[0]');
  });

  it('a call with an item, block or part of an unknown type goes to native targets only, unchanged', async () => {
    for (const [fields, path] of UNKNOWN[api]) {
      const { response, requests } = await requested({ ...fields, model: `${one.model}-last` }, answer());
      expect(response.status).toBe(200);
      expect(requests.map((request) => request.path)).toEqual([one.upstreamPath]);
      expect(requests[0]?.json()).toMatchObject(fields);
      const refused = await requested({ ...fields, model: 'chat-only' });
      expect(refused.response.status).toBe(400);
      expect(refused.text).toContain(path);
      expect(refused.requests).toEqual([]);
    }
  });

  it('has its output limit lowered to what a budget can pay', async () => {
    const user = await native.gateway.createUser();
    const limits = native.gateway.services.get(UserLimitsService);
    await limits.set(user.id, { budgetTotalNanodollars: 200_000_000n }, GATEWAY);
    native.upstream.enqueue(answer());
    const fields = { model: `${one.model}-priced`, [one.limit]: 50_000 };
    const response = await native.ask(one, fields, { headers: user.headers });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    const ceiling = Number(response.headers.get('x-gateway-output-ceiling'));
    expect(ceiling).toBeGreaterThan(1000);
    expect(ceiling).toBeLessThan(50_000);
    expect(native.sent.json()).toMatchObject({ [one.limit]: ceiling });
  });
});

describe('a Responses request without `store`', () => {
  const [, responses] = API_CASES[0] ?? [];
  if (!responses) throw new Error('There is no case of the Responses API.');
  const TOOL = { type: 'function', name: 'look', parameters: { type: 'object' } };
  const answer = () => json(200, answersOf(responses, false)[0]?.body);
  const notFound = (status: number) => () =>
    json(status, {
      error: {
        message: "Item with id 'rs_7' not found. Items are not persisted when `store` is set to false.",
        type: 'invalid_request_error',
        param: 'input',
      },
    });
  /** What a client sends in its second turn: the output of the first, as it came. */
  const SECOND_TURN = [
    { role: 'user', content: 'How warm is it?' },
    { type: 'reasoning', id: 'rs_7', summary: [] },
    { type: 'message', id: 'msg_8', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
    { type: 'function_call', id: 'fc_9', call_id: 'c9', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c9', output: '21' },
  ];

  const withoutId = (item: object = {}) => Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'id'));

  it('gets reasoning that its next turn can return', async () => {
    native.upstream.enqueue(answer());
    expect((await native.ask(responses)).status).toBe(200);
    expect(native.sent.json()).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
  });

  it.each([
    [404, false],
    [404, true],
    [400, false],
    [400, true],
  ])(
    'is repeated once without unknown items after a %i (streamed: %p), at the same target',
    async (status, streamed) => {
      const before = native.upstream.requests.length;
      native.upstream.enqueue(notFound(status)());
      native.upstream.enqueue(streamed ? streamOf(textEvents(responses)) : answer());
      const fields = { model: 'gpt-first', input: SECOND_TURN, tools: [TOOL], stream: streamed };
      const response = await native.ask(responses, fields);
      expect([response.status, (await response.text()).includes('response.completed')]).toEqual([200, streamed]);
      const sent = native.upstream.requests.slice(before);
      expect(sent.map(({ path }) => path)).toEqual([responses.upstreamPath, responses.upstreamPath]);
      const [user, , message, called, output] = SECOND_TURN;
      expect(sent[1]?.json()).toMatchObject({ input: [user, withoutId(message), withoutId(called), output] });
      expect(sent[1]?.body).not.toMatch(/rs_7|msg_8|fc_9/);
      expect(response.headers.get('x-gateway-ignored-parameters')).toBe('input[1], input[2].id, input[3].id');
    },
  );

  it('a Responses request without `store` that stays refused for an item is a 400 that names the item, and sets no target aside', async () => {
    const before = native.upstream.requests.length;
    for (let call = 0; call < 6; call++) {
      native.upstream.enqueue(notFound(404)()).enqueue(notFound(404)());
      const response = await native.ask(responses, { model: 'gpt-first', input: SECOND_TURN, tools: [TOOL] });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: { message: expect.stringContaining("'rs_7'"), param: 'input' },
      });
    }
    const paths = native.upstream.requests.slice(before).map(({ path }) => path);
    expect(paths).toEqual(Array(12).fill(responses.upstreamPath));
  });

  it('is repeated without encrypted reasoning for a model that has none', async () => {
    const message = 'Encrypted content is not supported with this model.';
    native.upstream.enqueue(json(400, { error: { message, type: 'invalid_request_error', param: 'include' } }));
    native.upstream.enqueue(answer());
    const response = await native.ask(responses);
    expect([response.status, response.headers.get('x-gateway-ignored-parameters')]).toEqual([200, null]);
    expect(native.sent.json()).not.toHaveProperty('include');
  });
});
