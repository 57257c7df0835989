import { describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { chunkOf, refusal, stream } from './support/chat-answers.js';
import { nativeResponseStream } from './support/native-response.js';
import { errorOf, NOT_FOUND, RememberingTest } from './support/remembering-test.js';
import { eventsIn, ResponsesFollower } from './support/responses-events.js';
import { json, sse } from './support/script.js';

type Input = OpenAI.Responses.ResponseInput;

const test = await RememberingTest.start();
const { api, client } = test;

describe.each([
  ['a native target', 'openai', false],
  ['a native target, streamed', 'openai', true],
  ['a translated target', 'chat', false],
  ['a translated target, streamed', 'chat', true],
])('a remembered response of %s', (_, model, streamed) => {
  it('is continued by previous_response_id, without its instructions', async () => {
    const first = await test.turn(model, streamed, 'Paris.', {
      input: 'The capital of France?',
      instructions: 'Be brief.',
    });
    expect(first).toMatchObject({ store: true, previous_response_id: null });
    const second = await test.turn(model, streamed, 'Rome.', {
      input: 'And of Italy?',
      previous_response_id: first.id,
    });
    expect(second).toMatchObject({ store: true, previous_response_id: first.id });
    expect(test.receivedTexts()).toEqual(['The capital of France?', 'Paris.', 'And of Italy?']);
    expect(api.received).not.toHaveProperty('previous_response_id');
    expect(api.received).not.toHaveProperty('instructions');
    if (model === 'openai') expect(api.received).toMatchObject({ store: false });
    const [item] = [{ role: 'user', content: 'And of Spain?' }];
    await test.turn(model, streamed, 'Madrid.', { input: [item], previous_response_id: second.id });
    expect(test.receivedTexts()).toEqual([
      ...['The capital of France?', 'Paris.', 'And of Italy?', 'Rome.', 'And of Spain?'],
    ]);
  });

  it('is continued by references to its items', async () => {
    const first = await test.turn(model, streamed, 'Paris.', { input: 'The capital of France?' });
    const ids = first.output.map(({ id }) => String(id));
    const input = [
      { role: 'user', content: 'The capital of France?' },
      ...ids.map((id) => ({ type: 'item_reference', id })),
      { role: 'user', content: 'And of Italy?' },
    ];
    const second = await test.turn(model, streamed, 'Rome.', { input });
    expect(test.receivedTexts()).toEqual(['The capital of France?', 'Paris.', 'And of Italy?']);
    const further = [...input, { id: String(second.output.at(-1)?.id) }, { role: 'user', content: 'And of Spain?' }];
    await test.turn(model, streamed, 'Madrid.', { input: further, store: false });
    expect(test.receivedTexts().slice(-2)).toEqual(['Rome.', 'And of Spain?']);
  });

  it('can be read, listed and deleted', async () => {
    const { id, output } = await test.turn(model, streamed, 'Paris.', { input: 'The capital of France?' });
    expect(await client.responses.retrieve(id)).toMatchObject({ id, object: 'response', status: 'completed', output });
    const { data } = await client.responses.inputItems.list(id);
    const content = [{ type: 'input_text', text: 'The capital of France?' }];
    expect(data).toEqual([
      { id: expect.stringMatching(/^msg_/), type: 'message', role: 'user', status: 'completed', content },
    ]);
    await client.responses.delete(id);
    await expect(client.responses.retrieve(id)).rejects.toMatchObject(NOT_FOUND);
    await expect(client.responses.delete(id)).rejects.toMatchObject(NOT_FOUND);
    await expect(client.responses.inputItems.list(id)).rejects.toMatchObject(NOT_FOUND);
    await expect(client.responses.create({ model, input: 'Hi', previous_response_id: id })).rejects.toMatchObject({
      ...{ status: 400, code: 'previous_response_not_found', param: 'previous_response_id' },
    });
    const reference = [{ type: 'item_reference', id: String(output[0]?.id) }] as Input;
    await expect(client.responses.create({ model, input: reference })).rejects.toMatchObject({
      ...{ status: 404, code: 'item_not_found', param: 'input[0].id' },
    });
  });

  it('is not stored if the client sets store to false', async () => {
    const response = await test.turn(model, streamed, 'Paris.', { input: 'Hi', store: false });
    expect(response).toMatchObject({ store: false });
    await expect(client.responses.retrieve(response.id)).rejects.toMatchObject(NOT_FOUND);
  });
});

describe('remembered responses', () => {
  it.each([false, true])('keep the encrypted reasoning of a native target; streamed: %s', async (streamed) => {
    const { id } = await test.turn('openai', streamed, 'Paris.', { input: 'Hi' });
    await test.turn('openai', streamed, 'Rome.', { input: 'And of Italy?', previous_response_id: id });
    expect(api.received).toMatchObject({ input: [{}, { type: 'reasoning', encrypted_content: 'enc-1' }, {}, {}] });
  });

  it('keep the signed thinking of a translated target, although the client did not ask for it', async () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'signed' };
    const content = [thinking, { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'Paris' } }];
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'c', stop_reason: 'tool_use', content };
    for (let turn = 0; turn < 2; turn++) {
      api.upstream.enqueue(json(200, { ...message, usage: { input_tokens: 9, output_tokens: 5 } }));
    }
    const tools = [{ type: 'function' as const, name: 'look', parameters: { type: 'object' }, strict: false }];
    const request = { model: 'claude', reasoning: { effort: 'low' as const }, tools };
    const { id } = await client.responses.create({ ...request, input: 'Hi' });
    const input: Input = [{ type: 'function_call_output', call_id: 'toolu_1', output: 'A tower.' }];
    await client.responses.create({ ...request, input, previous_response_id: id });
    expect(api.received).toMatchObject({ messages: [{}, { role: 'assistant', content }, {}] });
  });

  it('include incomplete answers, but no failed ones', async () => {
    api.upstream.enqueue(stream(['Par'], { finish: 'length' }));
    const cut = new ResponsesFollower(eventsIn(await (await api.ask({ stream: true })).text())).response;
    expect(await client.responses.retrieve(String(cut?.id))).toMatchObject({ status: 'incomplete' });
    const before = (await test.rows()).length;
    api.upstream.enqueue(sse([chunkOf({ content: 'Par' })]));
    expect(await (await api.ask({ stream: true })).text()).toContain('response.failed');
    api.upstream.enqueue(refusal(503));
    expect((await api.ask({})).status).toBe(503);
    expect(await test.rows()).toHaveLength(before);
  });

  it('include the items of a stream whose last event has no output', async () => {
    api.upstream.enqueue(nativeResponseStream('Paris.', { endsWithout: true }));
    const [created] = eventsIn(await (await api.ask({ model: 'openai', stream: true })).text());
    const { id } = (created as unknown as { response: { id: string } }).response;
    await test.turn('openai', false, 'Rome.', { input: 'And of Italy?', previous_response_id: id });
    expect(test.receivedTexts()).toEqual(['Say hello.', 'Paris.', 'And of Italy?']);
  });

  it('do not hold up an answer that cannot be stored', async () => {
    await test.database.query('ALTER TABLE remembered_responses RENAME TO hidden_responses');
    try {
      const { id } = await test.turn('chat', false, 'Paris.', { input: 'The launch code is 0000.' });
      expect(await test.turn('chat', true, 'Paris.', { input: 'The launch code is 0000.' })).toMatchObject({
        status: 'completed',
      });
      const logged = api.gateway.log.filter(({ msg }) => String(msg).includes('A response could not be stored'));
      expect(logged.length).toBeGreaterThan(0);
      expect(JSON.stringify(logged)).not.toContain('launch');
      expect(id).toMatch(/^resp_/);
    } finally {
      await test.database.query('ALTER TABLE hidden_responses RENAME TO remembered_responses');
    }
  });

  it('continue with calls, their results and further items in the client’s order', async () => {
    const called = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } };
    const message = { role: 'assistant', content: null, tool_calls: [called] };
    api.upstream.enqueue(json(200, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], model: 'm' }));
    const tools = [{ type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false }];
    const first = await client.responses.create({ model: 'chat', input: 'How is Paris?', tools });
    const input: Input = [{ type: 'function_call_output', call_id: 'call_1', output: 'Sunny' }];
    const second = await test.turn('chat', false, 'Sunny.', { input, tools, previous_response_id: first.id });
    expect(api.received).toMatchObject({
      messages: [
        { role: 'user', content: 'How is Paris?' },
        { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
      ],
    });
    const ascending = { order: 'asc', limit: 2 } as const;
    const page = await client.responses.inputItems.list(second.id, ascending);
    expect(page.data.map(({ type }) => type)).toEqual(['message', 'function_call']);
    expect(page.hasNextPage()).toBe(true);
    expect((await page.getNextPage()).data.map(({ type }) => type)).toEqual(['function_call_output']);
    const newest = await client.responses.inputItems.list(second.id, { limit: 1 });
    expect(newest.data).toMatchObject([{ type: 'function_call_output', output: 'Sunny' }]);
  });

  it('can be continued without new input', async () => {
    const { id } = await test.turn('chat', false, 'Paris.', { input: 'The capital of France?' });
    test.enqueue('chat', false, 'It is.');
    const reply = await fetch(`${api.gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { ...api.user.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'chat', previous_response_id: id }),
    });
    expect(reply.status).toBe(200);
    expect(test.receivedTexts()).toEqual(['The capital of France?', 'Paris.']);
  });

  it.each<[string, unknown, string, object?]>([
    [
      'the client’s own item',
      [
        { role: 'user', content: 'Hi' },
        { role: 'robot', content: 'x' },
      ],
      'input[1].role',
    ],
    ['a type of previous_response_id', 'Hi', 'previous_response_id', { previous_response_id: 7 }],
    ['a reference without an id', [{ type: 'item_reference' }], 'input[0].id'],
    ['an input that is neither text nor a list', 7, 'input'],
    ['a conversation, which is not stored', 'Hi', 'conversation', { conversation: 'conv_1' }],
  ])('name the client’s field in errors of %s', async (_, input, param, more = {}) => {
    const { id } = await test.turn('chat', false, 'Paris.', { input: 'The capital of France?' });
    const reply = await api.ask({ input, previous_response_id: id, ...more });
    expect([reply.status, (await errorOf(reply)).param]).toEqual([400, param]);
  });

  it('name the client’s field among ignored parameters', async () => {
    const { id } = await test.turn('chat', false, 'Paris.', { input: 'The capital of France?' });
    test.enqueue('chat', false, 'Rome.');
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
    const reply = await api.ask({ input: [search, { role: 'user', content: 'Hi' }], previous_response_id: id });
    expect([reply.status, reply.headers.get('x-gateway-ignored-parameters')]).toEqual([200, 'input[0]']);
  });

  it('are part of the request that limits see', async () => {
    const user = await api.gateway.createUser();
    await api.gateway.services.get(UserLimitsService).set(user.id, { tokensPerMinute: 8000 }, GATEWAY);
    const own = test.clientOf(user.key.key);
    const input = 'word '.repeat(5000);
    test.enqueue('chat', false, 'Yes.');
    const { id } = await own.responses.create({ model: 'chat', input });
    await expect(own.responses.create({ model: 'chat', input, previous_response_id: id })).rejects.toMatchObject({
      ...{ status: 429, message: expect.stringContaining('more than the limit ever allows') },
    });
  });

  it('count as the body of the request that refers to them', async () => {
    const image = (character: string) => `data:image/png;base64,${character.repeat(9 * 1024 ** 2)}`;
    const picture = (url: string) => [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }];
    let id: string | undefined;
    for (const character of ['A', 'B', 'C']) {
      const fields = { input: picture(image(character)), ...(id && { previous_response_id: id }) };
      ({ id } = await test.turn('openai', false, 'Yes.', fields));
    }
    const input = JSON.parse(api.upstream.requests.at(-1)?.body ?? '').input.filter(
      ({ role }: { role: string }) => role === 'user',
    );
    expect(input).toEqual([...picture(image('A')), ...picture(image('B')), ...picture(image('C'))]);
    const refused = await api.ask({ model: 'openai', input: picture(image('D')), previous_response_id: id });
    expect([refused.status, (await errorOf(refused)).code]).toEqual([413, 'request_too_large']);
  }, 60_000);

  it.each(['openai', 'chat'])('count as values of the request that refers to them, on %s', async (model) => {
    const input = Array.from({ length: 15_000 }, (_, index) => ({ role: 'user' as const, content: String(index) }));
    const { id, output } = await test.turn(model, false, 'Yes.', { input });
    const second = await test.turn(model, false, 'Yes.', { input, previous_response_id: id });
    const requests = api.upstream.requests.length;
    const reference = { type: 'item_reference', id: String(output.at(-1)?.id) };
    for (const fields of [{ input, previous_response_id: second.id }, { input: [...input, ...input, reference] }]) {
      const refused = await api.ask({ model, ...fields });
      expect(refused.status).toBe(413);
      const { code, message } = await errorOf(refused);
      expect([code, message]).toEqual(['request_too_large', expect.stringContaining('more than 100,000 values')]);
    }
    expect(api.upstream.requests).toHaveLength(requests);
  });

  it('are part of the request that an Idempotency-Key compares', async () => {
    const [one, two] = [
      await test.turn('chat', false, 'Paris.', { input: 'The capital of France?' }),
      await test.turn('chat', false, 'Rome.', { input: 'The capital of Italy?' }),
    ];
    const init = { headers: { 'idempotency-key': 'remembered-1' } };
    test.enqueue('chat', false, 'Berlin.');
    const first = await (await api.ask({ previous_response_id: one.id }, init)).text();
    const requests = api.upstream.requests.length;
    const again = await api.ask({ previous_response_id: one.id }, init);
    expect([await again.text(), again.headers.get('x-gateway-idempotent-replay')]).toEqual([first, 'true']);
    expect(api.upstream.requests).toHaveLength(requests);
    expect((await api.ask({ previous_response_id: two.id }, init)).status).toBe(422);
    expect(await client.responses.retrieve(JSON.parse(first).id)).toMatchObject(JSON.parse(first));
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['order=random', 'order'],
    ['after=msg_unknown', 'after'],
  ])('have a list of input items that names an invalid query: %s', async (query, param) => {
    const { id } = await test.turn('chat', false, 'Paris.', { input: 'Hi' });
    const reply = await api.gateway.get(`/v1/responses/${id}/input_items?${query}`, api.user.headers);
    expect([reply.status, (await errorOf(reply)).param]).toEqual([400, param]);
  });
});
