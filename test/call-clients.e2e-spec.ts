import { describe, expect, it } from '@jest/globals';
import { ForgottenUsersService } from '../src/accounts/forgotten-users.service.js';
import { COMMAND_LINE } from '../src/audit/audit.types.js';
import { completion, refusal } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { API_CASES, answersOf, NativeTest, streamOf, textEvents } from './support/native-test.js';
import { reply } from './support/script.js';

const native = await NativeTest.start();
const admin = await ConsoleClient.as(native.gateway, 'admin');

const AGENT = 'codex_cli_rs/0.60.1 (Mac OS)';
const chat = (fields: object, headers = {}) =>
  native.post('/v1/chat/completions', JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], ...fields }), {
    headers: { 'user-agent': AGENT, ...headers },
  });
const detail = async (id: string) => (await admin.get(`/api/usage/calls/${id}`)).body;
const requestId = (response: Response) => response.headers.get('x-request-id') ?? '';

describe("the id in the client's answer", () => {
  it.each(API_CASES)('finds a native answer of %s, whole or streamed, by the id of the provider', async (_, one) => {
    for (const stream of [false, true]) {
      const id = `${one.api === 'messages' ? 'msg' : 'resp'}_of_provider_${stream}`;
      const [whole] = answersOf(one, false);
      const text = withId(JSON.stringify(whole?.body), id);
      const events = textEvents(one).map((event) => withId(event, id));
      native.upstream.enqueue(stream ? streamOf(events) : reply(200, { 'content-type': 'application/json' }, text));
      const response = await native.ask(one, { stream });
      expect(await response.text()).toContain(id);
      await native.row(response);
      expect(await detail(id)).toMatchObject({ answerId: id, requestId: requestId(response), httpStatus: 200 });
      const explained = await native.gateway.get(`/v1/requests/${id}`, native.user.headers);
      expect(await explained.json()).toMatchObject({ id: requestId(response) });
    }
  });

  it.each([
    ['/v1/chat/completions', /^chatcmpl-/, { messages: [{ role: 'user', content: 'Hi' }] }],
    ['/v1/responses', /^resp_/, { input: 'Hi' }],
    ['/v1/messages', /^msg_/, { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 }],
  ])('finds a translated answer of %s by the id that the client got', async (path, form, fields) => {
    native.upstream.enqueue(completion());
    const response = await native.post(path, JSON.stringify({ model: 'chat-only', ...fields }), {
      headers: { 'anthropic-version': '2023-06-01' },
    });
    const { id } = (await response.json()) as { id: string };
    expect(id).toMatch(form);
    await native.row(response);
    expect(await detail(id)).toMatchObject({ answerId: id, requestId: requestId(response) });
  });

  it('finds no request of another person', async () => {
    native.upstream.enqueue(completion());
    const response = await chat({ model: 'chat-only' });
    const { id } = (await response.json()) as { id: string };
    await native.row(response);
    const member = await ConsoleClient.as(native.gateway, 'member');
    expect((await member.get(`/api/usage/calls/${id}`)).status).toBe(404);
  });
});

describe('the detail of a request', () => {
  it("has the status that the client got beside the provider's, the provider's request id, and the client", async () => {
    native.upstream.enqueue(refusal(401, 'Incorrect API key provided.', { 'x-request-id': 'req_of_provider' }));
    const response = await chat({ model: 'chat-only' });
    expect(response.status).toBe(502);
    const row = await native.row(response);
    expect(await detail(String(row.id))).toMatchObject({
      httpStatus: 502,
      upstreamStatus: 401,
      answerId: null,
      clientAddress: '127.0.0.1',
      userAgent: AGENT,
      attempts: [{ status: 401, requestId: 'req_of_provider' }],
    });
  });

  it('has the status 200 of a stream that fails after its beginning', async () => {
    const [, responses] = API_CASES[0] ?? [];
    if (!responses) throw new Error('no API');
    native.upstream.enqueue(streamOf(textEvents(responses).slice(0, -1)));
    const response = await native.ask(responses, { stream: true });
    await response.text();
    expect(await native.row(response)).toMatchObject({ status: 'failed', http_status: 200 });
  });

  it('has no API key that a client sends as its user agent, and at most 200 characters', async () => {
    native.upstream.enqueue(completion());
    const response = await chat({ model: 'chat-only' }, { 'user-agent': `svc_0123456789abcdef ${'x'.repeat(300)}` });
    const { user_agent: agent } = await native.row(response);
    expect(agent).toMatch(/^svc_… x{194}$/);
  });

  it('has the client of a request that was refused before a model was called', async () => {
    const response = await chat({ model: 'unknown' });
    expect(response.status).toBe(404);
    const found = await eventually(async () => {
      const { status, body } = await admin.get(`/api/usage/calls/${requestId(response)}`);
      return status === 200 && body;
    });
    expect(found).toMatchObject({
      ...{ status: 'refused', httpStatus: 404 },
      ...{ clientAddress: '127.0.0.1', userAgent: AGENT },
    });
  });
});

it('user:forget removes the addresses and user agents of a person, but not those of others', async () => {
  const person = await native.gateway.createUser();
  const clients = async (userId: string) =>
    native.gateway.database.query<object>(
      `SELECT client_address, user_agent FROM usage_calls WHERE user_id = $1
       UNION SELECT client_address, user_agent FROM recent_errors WHERE user_id = $1`,
      [userId],
    );
  native.upstream.enqueue(completion());
  const answered = await chat({ model: 'chat-only' }, person.headers);
  await native.row(answered);
  await chat({ model: 'unknown' }, person.headers);
  await eventually(
    async () =>
      (await native.gateway.database.query('SELECT FROM recent_errors WHERE user_id = $1', [person.id])).length > 0,
  );
  expect(await clients(person.id)).toEqual([{ client_address: '127.0.0.1', user_agent: AGENT }]);
  await native.gateway.services.get(ForgottenUsersService).forget(person.id, COMMAND_LINE);
  expect(await clients(person.id)).toEqual([{ client_address: null, user_agent: null }]);
  expect(await clients(native.user.id)).toContainEqual({ client_address: '127.0.0.1', user_agent: AGENT });
});

/** The JSON or event with this id as the answer's. */
function withId(text: string, id: string): string {
  return text.replace(/"id"\s*:\s*"(?:resp|msg)_[^"]*"/, `"id":"${id}"`);
}
