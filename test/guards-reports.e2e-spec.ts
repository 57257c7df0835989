import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CALL_TABLE, STREAMED_TABLE } from './support/api-table.js';
import { ApiTest } from './support/api-test.js';
import { eventually } from './support/eventually.js';
import { hang, json } from './support/script.js';

const MAIL = 'ab@example.com';

/** The webhook's requests that it has not answered, and the number of those that were aborted. */
let open: ServerResponse[];
let aborted: number;
let hangs: boolean;
const webhook = createServer(async (request, response) => {
  response.on('close', () => {
    if (!response.writableFinished) aborted++;
  });
  await request.toArray();
  if (hangs) open.push(response);
  else response.end('{"action":"pass"}');
});
await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
const { port } = webhook.address() as AddressInfo;
const test = await ApiTest.start(`
guards:
  personal: { detect: [email], do: mask }
  tickets: { patterns: { ticket: 'TICKET-[0-9]{4}' }, do: report }
  secrets: { words: { codenames: [bluebird] } }
  company: { webhook: { url: "http://127.0.0.1:${port}/", timeout: 30s, window: 100 }, on: [request, answer] }
guardsForAll: [personal, tickets, secrets, company]
retry: { attempts: 1 }`);
beforeEach(() => {
  open = [];
  aborted = 0;
  hangs = false;
  test.a.requests.length = 0;
});
afterAll(async () => {
  webhook?.closeAllConnections();
  await new Promise((resolve) => webhook?.close(resolve));
});

/** What guards found in a request, as it is stored. */
const hitsOf = (response: Response) =>
  eventually(async () => {
    const hits = await test.gateway.database.query(
      'SELECT guard, action, side, count FROM guard_hits WHERE request_id = $1 ORDER BY id',
      [response.headers.get('x-request-id')],
    );
    return hits.length > 0 && hits;
  });
const masked = { guard: 'personal', action: 'mask', side: 'request', count: 1 };
const reported = { guard: 'tickets', action: 'report', side: 'request', count: 1 };
const FOUND = 'personal=mask:1,tickets=report:1';
const [, MESSAGES] = CALL_TABLE.find(([name]) => name === 'native Messages') as (typeof CALL_TABLE)[number];
const [, CHAT] = CALL_TABLE[0] as (typeof CALL_TABLE)[number];

describe.each(CALL_TABLE)('A webhook that checks a request of %s', (_name, row) => {
  it('is left when the client leaves, and nothing is sent upstream or counted', async () => {
    hangs = true;
    const leaving = new AbortController();
    const requesting = test.ask(row, {}, { signal: leaving.signal });
    await eventually(async () => open.length === 1);
    leaving.abort();
    await expect(requesting).rejects.toThrow();
    await eventually(async () => aborted === 1);
    expect(test.a.requests).toEqual([]);
    const metrics = await (await test.gateway.get('/metrics')).text();
    expect(metrics).not.toMatch(/gateway_guard_actions_total\{guard="company"/);
  });
});

describe.each(STREAMED_TABLE)('A webhook that checks an answer of %s', (_name, row) => {
  it.each([false, true])('is left when the client leaves (stream: %p)', async (stream) => {
    test.a.enqueue(stream ? row.wire.stream(['x'.repeat(120), hang()]) : row.wire.answer('Hello'));
    const leaving = new AbortController();
    const requesting = test
      .ask(row, stream ? { stream } : {}, { signal: leaving.signal })
      .then((reply) => reply.text());
    await test.a.received();
    hangs = true;
    await eventually(async () => open.length === 1);
    leaving.abort();
    await expect(requesting).rejects.toThrow();
    await eventually(async () => aborted === 1);
  });
});

describe('What guards found', () => {
  it('is in the header and the row of a count of tokens', async () => {
    const { url } = test.gateway;
    const count = (content: string) =>
      fetch(`${url}/v1/messages/count_tokens`, {
        method: 'POST',
        headers: {
          ...MESSAGES.client.headers,
          ...MESSAGES.client.keyHeaders(test.user.key.key),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model: MESSAGES.model, messages: [{ role: 'user', content }] }),
      });
    test.a.enqueue(json(200, { input_tokens: 5 }));
    const response = await count(`Mail ${MAIL} about TICKET-1234`);
    expect([response.status, response.headers.get('x-gateway-guards')]).toEqual([200, FOUND]);
    expect(await hitsOf(response)).toEqual([masked, reported]);
    for (const { body } of test.a.requests) expect(body.toString()).not.toContain(MAIL);
    const blocked = await count('The Bluebird files');
    expect([blocked.status, blocked.headers.get('x-gateway-guards')]).toEqual([400, 'secrets=block:1']);
    expect(await hitsOf(blocked)).toEqual([{ guard: 'secrets', action: 'block', side: 'request', count: 1 }]);
  });

  it('is in the header and the row of a repeat by Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'guards-reports' };
    const fields = CHAT.client.question(CHAT.model, `Mail ${MAIL} about TICKET-1234`);
    test.a.enqueue(CHAT.wire.answer('Done.'));
    await (await test.ask(CHAT, fields, { headers })).text();
    const again = await test.ask(CHAT, fields, { headers });
    expect(again.headers.get('x-gateway-idempotent-replay')).toBe('true');
    expect(again.headers.get('x-gateway-guards')).toBe(FOUND);
    expect(await hitsOf(again)).toEqual([masked, reported]);
  });

  it('is in the header and the row of a request that is refused later', async () => {
    const fields = CHAT.client.question(CHAT.model, `Mail ${MAIL} about TICKET-1234`);
    const refused = await test.ask(CHAT, { ...fields, temperature: 'hot' });
    expect([refused.status, refused.headers.get('x-gateway-guards')]).toEqual([400, FOUND]);
    expect(await hitsOf(refused)).toEqual([masked, reported]);
    const blocked = await test.ask(CHAT, CHAT.client.question(CHAT.model, 'The Bluebird files'));
    expect([blocked.status, blocked.headers.get('x-gateway-guards')]).toEqual([400, 'secrets=block:1']);
  });
});
