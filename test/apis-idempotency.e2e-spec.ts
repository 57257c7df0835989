import { beforeEach, describe, expect, it } from '@jest/globals';
import { API_TABLE, type ApiRow, SHARED_ANSWER_TABLE, SHARED_TABLE } from './support/api-table.js';
import { ApiTest, answerOf, expectApiError } from './support/api-test.js';
import { refusal } from './support/chat-answers.js';
import { eventually } from './support/eventually.js';
import { gate } from './support/script.js';

let keys = 0;
let headers: Record<string, string>;
const test = await ApiTest.start();
beforeEach(() => {
  headers = { 'idempotency-key': `key-${++keys}` };
});

const requested = () => test.a.requests.length;
const REUSED = { status: 422, code: 'idempotency_key_reused' };
/** When the ledger is slow, a stream has heartbeats; a replay has none. */
const withoutHeartbeats = ({ client }: ApiRow, text: string) => text.replaceAll(client.heartbeat, '');

describe.each(SHARED_ANSWER_TABLE)('a repeat with the same Idempotency-Key: %s', (_name, row, stream) => {
  const fields = stream ? { stream } : {};

  it('gets the same bytes, and costs nothing', async () => {
    test.a.enqueue(answerOf(row, stream));
    const first = await test.ask(row, fields, { headers });
    const bytes = withoutHeartbeats(row, await first.text());
    expect([first.status, first.headers.get('x-gateway-idempotent-replay')]).toEqual([200, null]);
    const before = [requested(), (await test.gateway.calls()).length];
    const again = await test.ask(row, fields, { headers });
    expect([again.status, await again.text()]).toEqual([200, bytes]);
    expect(again.headers.get('x-gateway-idempotent-replay')).toBe('true');
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect([requested(), (await test.gateway.calls()).length]).toEqual(before);
  });

  it('is served again after a failure', async () => {
    test.a.enqueue(refusal(500)).enqueue(answerOf(row, stream));
    const failed = await test.ask(row, fields, { headers });
    await expectApiError(row, failed, { status: 502, code: 'upstream_error' });
    const again = await test.ask(row, fields, { headers });
    expect([again.status, again.headers.get('x-gateway-idempotent-replay')]).toEqual([200, null]);
    await again.text();
  });

  it('is a 409 while the first is running', async () => {
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    const before = requested();
    test.a.enqueue([gate(promise), answerOf(row, stream)]);
    const first = test.ask(row, fields, { headers });
    await eventually(() => requested() > before);
    const second = await test.ask(row, fields, { headers });
    await expectApiError(row, second, { status: 409, code: 'idempotency_in_progress' });
    expect(second.headers.get('retry-after')).toBe('1');
    goOn();
    expect((await first).status).toBe(200);
    await (await first).text();
  });
});

describe('an Idempotency-Key used before', () => {
  const askFirst = async (row: ApiRow) => {
    test.a.enqueue(answerOf(row, false));
    expect((await test.ask(row, {}, { headers })).status).toBe(200);
  };

  it.each(SHARED_TABLE)('is a 422 with another body: %s', async (_name, row) => {
    await askFirst(row);
    await expectApiError(row, await test.ask(row, { user: 'other', metadata: {} }, { headers }), REUSED);
  });

  it('is a 422 at every other API', async () => {
    const chat = rowOf('chat');
    await askFirst(chat);
    const others = API_TABLE.filter(([, { client }]) => client.api !== chat.client.api);
    expect(others.length).toBeGreaterThan(0);
    for (const [, other] of others) await expectApiError(other, await test.ask(other, {}, { headers }), REUSED);
  });

  it('is a 422 at Messages even with the same body', async () => {
    const [chat, messages] = [rowOf('chat'), rowOf('translated Messages')];
    const body = JSON.stringify(messages.client.question(messages.model, 'Hello.'));
    test.a.enqueue(chat.wire.answer('Hi.'));
    expect((await test.post(chat, body, { headers })).status).toBe(200);
    await expectApiError(messages, await test.post(messages, body, { headers }), REUSED);
  });

  it.each([
    ['chat', "Azure's chat"],
    ['native Responses', "Azure's Responses"],
    ['embeddings', "Azure's embeddings"],
  ])('gets the same answer at all paths of the API: %s and %s', async (first, azure) => {
    await askFirst(rowOf(first));
    for (const way of [rowOf(first), rowOf(azure)]) {
      const again = await test.ask(way, {}, { headers });
      expect([again.status, again.headers.get('x-gateway-idempotent-replay')]).toEqual([200, 'true']);
    }
  });
});

function rowOf(name: string): ApiRow {
  const [, row] = API_TABLE.find(([one]) => one === name) ?? [];
  if (!row) throw new Error(`no row ${name}`);
  return row;
}
