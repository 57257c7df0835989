import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/user-limits.service.js';
import { completion, stream } from './support/chat-answers.js';
import { eventsIn, toClient } from './support/native-checks.js';
import { API_CASES, answersOf, eventOf, NativeTest, streamOf } from './support/native-test.js';
import { json, reply } from './support/script.js';

let native: NativeTest;
beforeAll(async () => {
  native = await NativeTest.start({ settings: 'retry: { attempts: 3 }' });
});
afterAll(() => native?.stop());

const CHAT = '/v1/chat/completions';
const HOSTED = {
  responses: { type: 'code_interpreter', container: { type: 'auto' } },
  messages: { type: 'code_execution_20250825', name: 'code_execution' },
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
  async function asked(fields: object, ...scripts: Parameters<NativeTest['upstream']['enqueue']>[0][]) {
    const before = native.upstream.requests.length;
    for (const script of scripts) native.upstream.enqueue(script);
    const response = await native.ask(one, fields);
    const text = await response.text();
    return { response, text, requests: native.upstream.requests.slice(before) };
  }

  it('that fails at its native target is answered by another one, translated', async () => {
    const { response, text, requests } = await asked({ model: `${one.model}-first` }, json(500, {}), completion('Hi.'));
    expect(response.status).toBe(200);
    expect(requests.map(({ path }) => path)).toEqual([one.upstreamPath, CHAT]);
    expect(response.headers.get('x-gateway-attempts')).toBe('2');
    expect(one.textOf(JSON.parse(text))).toBe('Hi.');
  });

  it('that fails at another target is answered natively, unchanged', async () => {
    const body = JSON.stringify(answersOf(one, false)[0]?.body, null, 1);
    const whole = reply(200, { 'content-type': 'application/json' }, body);
    const { text, requests } = await asked({ model: `${one.model}-last` }, json(503, {}), whole);
    expect(requests.map(({ path }) => path)).toEqual([CHAT, one.upstreamPath]);
    expect(text).toBe(toClient(body, JSON.parse(body).model, `${one.model}-last`));
  });

  it('that fails at the start of a native stream goes to another target', async () => {
    const response = { id: 'resp_1', model: one.upstreamModel, status: 'in_progress', output: [] };
    const preamble = api === 'responses' ? [eventOf('response.created', { response })] : [eventOf('ping')];
    const refusal = eventOf('error', { error: { type: 'overloaded_error', message: 'Busy.' }, code: 'overloaded' });
    const fields = { model: `${one.model}-first`, stream: true };
    const { text, requests } = await asked(fields, streamOf([...preamble, refusal]), stream(['Hi.']));
    expect(requests.map(({ path }) => path)).toEqual([one.upstreamPath, CHAT]);
    const events = eventsIn(text);
    expect(events.at(-1)?.event).toBe(one.lastEvent);
    expect(text).not.toContain('Busy.');
    expect(new Set(events.map(({ event }) => event)).size).toBeGreaterThan(4);
  });

  it('is retried natively without a sampling field that the model refuses', async () => {
    const message = "Unsupported parameter: 'temperature' is not supported with this model.";
    const refusal = json(400, { type: 'error', error: { message, param: 'temperature' } });
    const { response, requests } = await asked({ temperature: 0.5, top_p: 0.5 }, refusal, answer());
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
    const { response, requests } = await asked({ [name]: THOUGHTFUL[api] }, refusal(), answer());
    expect(response.status).toBe(200);
    expect(requests.map(({ body }) => body.includes('of-another-account'))).toEqual([true, false]);
    expect(requests.map(({ body }) => body.includes('And now?'))).toEqual([true, true]);
    expect(response.headers.get('x-gateway-ignored-parameters')).toBe(
      api === 'messages' ? 'messages[1].content[0]' : 'input[1]',
    );
    const again = await asked({ [name]: THOUGHTFUL[api] }, refusal(), refusal());
    expect([again.response.status, again.requests.length]).toEqual([400, 2]);
  });

  it('with a hosted tool goes to native targets only', async () => {
    const tools = [HOSTED[api]];
    const { response, requests } = await asked({ model: `${one.model}-last`, tools }, answer());
    expect([response.status, requests.map(({ path }) => path)]).toEqual([200, [one.upstreamPath]]);
    expect(requests[0]?.json()).toMatchObject({ tools });
    const refused = await asked({ model: 'chat-only', tools });
    expect([refused.response.status, refused.requests.length]).toEqual([400, 0]);
    expect(refused.text).toContain('tools[0]');
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
