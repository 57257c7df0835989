import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CALL_TABLE } from './support/api-table.js';
import { ApiTest, expectApiError } from './support/api-test.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { chunk, hang, head, lastChunk, sse } from './support/script.js';

const rowOf = (required: string) => {
  const [, row] = CALL_TABLE.find(([name]) => name === required) as (typeof CALL_TABLE)[number];
  return row;
};
const CHAT = rowOf('chat');
const MESSAGES = rowOf('native Messages');
const RESPONSES = rowOf('native Responses');

let requested: { texts: { path: string; text: string }[]; type: string }[];
let answer: (text: string) => object | null;
/** Milliseconds before it answers. */
let delay: number;
const webhook = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as (typeof requested)[number];
  requested.push(body);
  const result = answer(body.texts.map(({ text }) => text).join(''));
  if (delay > 0) await sleep(delay);
  if (result === null) response.destroy();
  else response.end(JSON.stringify(result));
});
await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
const { port } = webhook.address() as AddressInfo;
const test = await ApiTest.start(`
guards:
  personal: { detect: [email, payment_card], on: [request, answer], do: mask }
  secrets: { words: { codenames: [bluebird] } }
  company: { webhook: { url: "http://127.0.0.1:${port}/", window: 100 }, on: [answer] }
guardsForAll: [personal, secrets, company]
retry: { attempts: 1 }`);
beforeEach(() => {
  requested = [];
  answer = () => ({ action: 'pass' });
  delay = 0;
});
afterAll(async () => {
  webhook?.closeAllConnections();
  await new Promise((resolve) => webhook?.close(resolve));
});

const typed = (events: readonly { readonly type: string }[]) => [
  head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }),
  ...events.map((event) => chunk(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)),
  lastChunk(),
];
const dataOf = (text: string) =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json as string) as Record<string, never>);
const USAGE = { input_tokens: 11, output_tokens: 3 };

/** JSON with a card as a number and with a placeholder of the request's, cut in `size` characters. */
const ARGUMENTS = '{"to":"[EMAIL_1]","card":4111111111111111,"cc":"bob@example.org"}';
const RESTORED = { to: 'ab@example.com', card: '[PAYMENT_CARD_1]', cc: '[EMAIL_2]' };
const pieces = (size: number) => ARGUMENTS.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
const QUESTION = 'Mail ab@example.com';

describe('The arguments of a streamed tool call', () => {
  it.each([1, 7, 100])('are masked, restored and valid JSON in Chat Completions, in pieces of %i', async (size) => {
    const delta = (fields: object, finish: string | null = null) => ({
      choices: [{ index: 0, delta: fields, finish_reason: finish }],
    });
    const call = (more: object) => ({ tool_calls: [{ index: 0, ...more }] });
    test.a.enqueue(
      sse([
        delta({ role: 'assistant', content: 'Sending…' }),
        delta(call({ id: 'c', type: 'function', function: { name: 'send', arguments: '' } })),
        ...pieces(size).map((text) => delta(call({ function: { arguments: text } }))),
        delta({}, 'tool_calls'),
      ]),
    );
    const response = await test.ask(CHAT, { stream: true, ...CHAT.client.question(CHAT.model, QUESTION) });
    const chunks = dataOf(await response.text()) as unknown as {
      choices: {
        delta: { content?: string; tool_calls?: { function?: { arguments?: string } }[] };
        finish_reason: string | null;
      }[];
    }[];
    const text = chunks.map(({ choices }) => choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '').join('');
    expect(JSON.parse(text)).toEqual(RESTORED);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Sending…');
    expect(chunks.findIndex(({ choices }) => choices[0]?.delta.content)).toBeLessThan(
      chunks.findIndex(({ choices }) => choices[0]?.delta.tool_calls),
    );
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it.each([1, 7, 100])('are masked, restored and valid JSON in native Messages, in pieces of %i', async (size) => {
    const block = { type: 'tool_use', id: 'toolu_1', name: 'send', input: {} };
    test.a.enqueue(
      typed([
        {
          type: 'message_start',
          message: { id: 'm', type: 'message', role: 'assistant', model: 'up', content: [], usage: USAGE },
        } as never,
        { type: 'content_block_start', index: 0, content_block: block } as never,
        ...pieces(size).map((partial_json) => ({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json },
        })),
        { type: 'content_block_stop', index: 0 } as never,
        { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: USAGE } as never,
        { type: 'message_stop' },
      ]),
    );
    const response = await test.ask(MESSAGES, { stream: true, ...MESSAGES.client.question(MESSAGES.model, QUESTION) });
    const events = dataOf(await response.text()) as unknown as { type: string; delta?: { partial_json?: string } }[];
    expect(JSON.parse(events.map(({ delta }) => delta?.partial_json ?? '').join(''))).toEqual(RESTORED);
    expect(events.map(({ type }) => type).slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
  });

  it.each([1, 7, 100])(
    'are masked, restored and equal wherever native Responses repeat them, in pieces of %i',
    async (size) => {
      const item = {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'c',
        name: 'send',
        status: 'completed',
        arguments: ARGUMENTS,
      };
      const place = { item_id: 'fc_1', output_index: 0 };
      const response = (more: object) => ({
        id: 'resp_1',
        object: 'response',
        created_at: 1,
        model: 'up',
        output: [],
        ...more,
      });
      const events = [
        { type: 'response.created', response: response({ status: 'in_progress' }) },
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { ...item, status: 'in_progress', arguments: '' },
        },
        ...pieces(size).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
        { type: 'response.function_call_arguments.done', ...place, arguments: ARGUMENTS },
        { type: 'response.output_item.done', output_index: 0, item },
        {
          type: 'response.completed',
          response: response({ status: 'completed', output: [item], usage: { ...USAGE, total_tokens: 14 } }),
        },
      ];
      test.a.enqueue(typed(events.map((event, sequence_number) => ({ ...event, sequence_number }))));
      const reply = await test.ask(RESPONSES, {
        stream: true,
        ...RESPONSES.client.question(RESPONSES.model, QUESTION),
      });
      const sent = dataOf(await reply.text()) as unknown as {
        type: string;
        sequence_number: number;
        delta?: string;
        arguments?: string;
        item?: { arguments: string };
        response?: { output: { arguments: string }[] };
      }[];
      const whole = sent.map(({ delta }) => delta ?? '').join('');
      expect(JSON.parse(whole)).toEqual(RESTORED);
      expect(sent.map(({ sequence_number }) => sequence_number)).toEqual(sent.map((_, at) => at));
      expect(sent.find(({ type }) => type.endsWith('arguments.done'))?.arguments).toBe(whole);
      expect(sent.find(({ type }) => type.endsWith('item.done'))?.item?.arguments).toBe(whole);
      expect(sent.at(-1)?.response?.output[0]?.arguments).toBe(whole);
    },
  );
});

describe('A webhook on answers', () => {
  const long = 'Words of an answer. '.repeat(20);
  const parts = long.match(/.{1,9}/g) ?? [];

  it('sees a stream in windows and the answer keeps its text', async () => {
    test.a.enqueue(CHAT.wire.stream(parts));
    const response = await test.ask(CHAT, { stream: true });
    expect(CHAT.client.readStream(await response.text())).toMatchObject({ text: long, isWhole: true });
    expect(requested.map(({ texts }) => texts.map(({ text }) => text).join('')).join('')).toBe(long);
    expect(requested.length).toBeGreaterThan(3);
    expect(
      requested.every(
        ({ type, texts }) =>
          type === 'answer' &&
          texts.every(({ text, path }) => text.length <= 100 && path === 'choices[0].message.content'),
      ),
    ).toBe(true);
  });

  it('ends a stream that it blocks', async () => {
    let count = 0;
    answer = () => (++count === 3 ? { action: 'block', kind: 'a bad word' } : { action: 'pass' });
    test.a.enqueue(CHAT.wire.stream(parts));
    const text = await (await test.ask(CHAT, { stream: true })).text();
    const read = CHAT.client.readStream(text);
    expect(long.startsWith(read.text)).toBe(true);
    expect(read.text.length).toBeLessThanOrEqual(200);
    expect(text).toContain('"content_filter"');
  });

  it.each([
    ['chat', CHAT],
    ['native Messages', MESSAGES],
    ['native Responses', RESPONSES],
  ])('A webhook on answers that is away ends a stream with an error, which its row has: %s', async (_name, row) => {
    answer = () => null;
    test.a.enqueue(row.wire.stream(['Hello', ...parts, hang()]));
    const response = await test.ask(row, { stream: true });
    const text = await response.text();
    expect(response.status === 503 || row.client.readStream(text).error !== null).toBe(true);
    expect(text).toContain('The guard company cannot check this call now');
    expect(text).not.toContain('Words of');
    expect(await test.row(response)).toMatchObject({ status: 'aborted', error_code: 'guard_unavailable' });
  });

  it.each([
    ['chat', CHAT, 503],
    ['native Messages', MESSAGES, 529],
    ['native Responses', RESPONSES, 503],
  ])('A webhook on answers that is away refuses a whole answer, as its row says: %s', async (_name, row, status) => {
    answer = () => null;
    test.a.enqueue(row.wire.answer('Hello'));
    const response = await test.ask(row);
    expect(response.headers.get('x-should-retry')).toBe('true');
    const body = await response.text();
    expect([response.status, body.includes('cannot check this call now'), body.includes('Hello')]).toEqual([
      status,
      true,
      false,
    ]);
    expect(await test.row(response)).toMatchObject({
      status: 'aborted',
      http_status: 503,
      error_code: 'guard_unavailable',
      output_tokens: '3',
    });
  });

  it('A webhook on answers that a caller does not wait for ends the call as one whose caller left', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = () => {
      resolve();
      return { action: 'pass' };
    };
    delay = 500;
    test.a.enqueue(CHAT.wire.answer('Hello'));
    const leaving = new AbortController();
    const left = test.ask(CHAT, {}, { signal: leaving.signal });
    await promise;
    leaving.abort();
    await expect(left).rejects.toThrow();
    const found = await eventually(async () => {
      const sql = 'SELECT status, error_code FROM usage_calls ORDER BY started_at DESC LIMIT 1';
      const rows = await test.gateway.database.query<{ status: string }>(sql);
      return rows[0]?.status !== 'open' && rows;
    });
    expect(found).toEqual([{ status: 'aborted', error_code: 'client_closed' }]);
  });
});

describe('What guards found', () => {
  it('is in the header, in the metrics and at the request, for administrators and the caller', async () => {
    test.a.enqueue(CHAT.wire.answer('Ask eve@example.net.'));
    const response = await test.ask(CHAT, CHAT.client.question(CHAT.model, 'Mail ab@example.com and cd@example.com'));
    await response.text();
    expect(response.headers.get('x-gateway-guards')).toBe('personal=mask:3');
    const id = response.headers.get('x-request-id') ?? '';
    const admin = await ConsoleClient.as(test.gateway, 'admin');
    const found = await eventually(async () => {
      const { body } = await admin.get(`/api/usage/calls/${id}`);
      return body.guards?.length > 0 && body.guards;
    });
    expect(found).toEqual([
      { guard: 'personal', kind: 'email', action: 'mask', side: 'request', count: 2 },
      { guard: 'personal', kind: 'email', action: 'mask', side: 'answer', count: 1 },
    ]);
  });

  it('is counted by gateway_guard_actions_total with guard, action and side', async () => {
    const actions = async () => {
      const text = await (await test.gateway.get('/metrics')).text();
      const lines = text.matchAll(/^gateway_guard_actions_total\{guard="(\w+)",action="(\w+)",on="(\w+)"\} (\d+)$/gm);
      return new Map([...lines].map(([, guard, action, on, count]) => [`${guard} ${action} ${on}`, Number(count)]));
    };
    const before = await actions();
    test.a.enqueue(CHAT.wire.answer('Ask eve@example.net.'));
    await (await test.ask(CHAT, CHAT.client.question(CHAT.model, 'Mail ab@example.com and cd@example.com'))).text();
    await (await test.ask(CHAT, CHAT.client.question(CHAT.model, 'The Bluebird files'))).text();
    const after = await actions();
    const added = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    const names = ['personal mask request', 'personal mask answer', 'secrets block request', 'personal block request'];
    expect(names.map(added)).toEqual([2, 1, 1, 0]);
  });

  it('is noted of a blocked request, too', async () => {
    const response = await test.ask(CHAT, CHAT.client.question(CHAT.model, 'The Bluebird files'));
    await expectApiError(CHAT, response, { status: 400, code: 'content_blocked' });
    const id = response.headers.get('x-request-id') ?? '';
    const rows = await eventually(async () => {
      const hits = await test.gateway.database.query(
        'SELECT guard, kind, action, side, count FROM guard_hits WHERE request_id = $1',
        [id],
      );
      return hits.length > 0 && hits;
    });
    expect(rows).toEqual([{ guard: 'secrets', kind: 'codenames', action: 'block', side: 'request', count: 1 }]);
  });
});

describe('The content log', () => {
  it('holds requests and answers after the guards', async () => {
    const file = `
guards: { personal: { detect: [email], on: [request, answer], do: mask } }
guardsForAll: [personal]
retry: { attempts: 1 }`;
    const env = { CONTENT_LOG_KEY: randomBytes(32).toString('base64') };
    const logging = await ApiTest.start(file, env);
    await logging.gateway.database.query('UPDATE api_keys SET logs_content = true');
    for (const [, row] of CALL_TABLE.filter(([, { streams }]) => streams)) {
      for (const stream of [false, true]) {
        const answered = 'As [EMAIL_1] said, ask eve@example.net.';
        logging.a.enqueue(
          stream ? row.wire.stream(['As [EMAIL', '_1] said, ask eve@exam', 'ple.net.']) : row.wire.answer(answered),
        );
        const response = await logging.ask(row, {
          ...row.client.question(row.model, QUESTION),
          ...(stream && { stream }),
        });
        const text = await response.text();
        const read = stream ? row.client.readStream(text).text : row.client.textOf(JSON.parse(text));
        expect(read).toBe('As ab@example.com said, ask [EMAIL_2].');
        const admin = await ConsoleClient.as(logging.gateway, 'admin');
        const content = await eventually(async () => {
          const found = await admin.get(`/api/usage/calls/${response.headers.get('x-request-id')}/content`);
          return found.status === 200 && JSON.stringify(found.body);
        });
        expect(content).toContain('As [EMAIL_1] said, ask [EMAIL_2].');
        expect(content).not.toMatch(/ab@example|eve@example/);
      }
    }
  });
});
