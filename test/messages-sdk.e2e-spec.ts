import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { describe, expect, it } from '@jest/globals';
import { chunkOf, completion, stream, USAGE } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { json, pause, sse } from './support/script.js';

const messages = [{ role: 'user' as const, content: 'Say hello.' }];
const question = { model: 'gpt-oss-20b', max_tokens: 100, messages };

/** As its makers ship it: only the base URL and the key are ours. */
const chat = await ChatTest.start({
  settings: 'stream: { commitAfter: 100ms, heartbeat: 50ms }\nretry: { attempts: 1 }',
});
const client = new Anthropic({ baseURL: chat.gateway.url, apiKey: chat.pro.key.key, maxRetries: 0 });

const toolCall = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

function calling(...calls: object[]) {
  const message = { role: 'assistant', content: null, tool_calls: calls };
  return json(200, {
    id: 'up',
    object: 'chat.completion',
    created: 1,
    model: 'up',
    choices: [{ index: 0, message, finish_reason: 'tool_calls', logprobs: null }],
    usage: USAGE,
  });
}

describe("Anthropic's SDK", () => {
  it('gets a message', async () => {
    chat.upstream.enqueue(completion('Hello!'));
    const { data, request_id } = await client.messages.create(question).withResponse();
    expect(data).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'gpt-oss-20b',
      content: [{ type: 'text', text: 'Hello!' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
    expect(data.id).toMatch(/^msg_\w+$/);
    expect(request_id).toMatch(/^req_/);
    expect(data.id.slice(4)).toBe(request_id?.slice(4));
  });

  it('can send its key as a Bearer token', async () => {
    chat.upstream.enqueue(completion('Hello!'));
    const bearer = new Anthropic({
      baseURL: chat.gateway.url,
      authToken: chat.pro.key.key,
      apiKey: null,
      maxRetries: 0,
    });
    expect((await bearer.messages.create(question)).stop_reason).toBe('end_turn');
  });

  it('accumulates a stream, also with pings', async () => {
    chat.upstream.enqueue([pause(200), stream(['Hello', pause(150), ' 世界'])]);
    const texts: string[] = [];
    const helper = client.messages.stream(question).on('text', (text) => texts.push(text));
    const message = await helper.finalMessage();
    expect(texts).toEqual(['Hello', ' 世界']);
    expect(message).toMatchObject({
      content: [{ type: 'text', text: 'Hello 世界' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 11, output_tokens: 3 },
    });
  });

  it('accumulates a stream with interleaved tool calls', async () => {
    const call = (index: number, args: string, id?: string) =>
      chunkOf({
        tool_calls: [
          {
            index,
            ...(id && { id, type: 'function' }),
            function: { ...(id && { name: 'weather' }), arguments: args },
          },
        ],
      });
    chat.upstream.enqueue(
      sse([
        chunkOf({ role: 'assistant', content: 'Looking.' }),
        call(0, '', 'call_1'),
        call(1, '{"city":', 'call_2'),
        call(0, '{"city":"Oslo"}'),
        call(1, '"Rome"}'),
        chunkOf({}, 'tool_calls'),
        { ...chunkOf({}), choices: [], usage: USAGE },
      ]),
    );
    const message = await client.messages.stream(question).finalMessage();
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content).toMatchObject([
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
      { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Rome' } },
    ]);
  });

  it('gets a parsed answer of a JSON schema', async () => {
    chat.upstream.enqueue(completion('{"city":"Oslo"}'));
    const schema = {
      type: 'object' as const,
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    const { content } = await client.messages.create({
      ...question,
      model: 'gpt-6-luna',
      output_config: { format: { type: 'json_schema', schema } },
    });
    expect(content).toMatchObject([{ type: 'text', text: '{"city":"Oslo"}' }]);
    expect(chat.sent()).toMatchObject({
      max_completion_tokens: 100,
      response_format: { type: 'json_schema', json_schema: { schema, strict: true } },
    });
  });

  it('runs tools until the model has its answer, starting with a conversation that the gateway refuses', async () => {
    const requested: unknown[] = [];
    const weather = betaTool({
      name: 'weather',
      description: 'Tells the weather.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      run: (input) => {
        requested.push(input);
        return 'Sunny.';
      },
    });
    chat.upstream
      .enqueue(calling(toolCall('call_1', 'weather', '{"city":"Oslo"}')))
      .enqueue(completion('It is sunny.'));
    const runner = client.beta.messages.toolRunner({ ...question, tools: [weather] });
    const message = await runner.runUntilDone();
    expect(requested).toEqual([{ city: 'Oslo' }]);
    expect(message.content).toMatchObject([{ type: 'text', text: 'It is sunny.' }]);
    expect(chat.sent().messages).toEqual([
      ...messages,
      { role: 'assistant', content: null, tool_calls: [toolCall('call_1', 'weather', '{"city":"Oslo"}')] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' },
    ]);
  });

  it('runs tools in streams', async () => {
    const weather = betaTool({
      name: 'weather',
      description: '',
      inputSchema: { type: 'object', properties: {} },
      run: () => 'Sunny.',
    });
    const call = { tool_calls: [{ index: 0, ...toolCall('call_1', 'weather', '{}') }] };
    const end = { ...chunkOf({}), choices: [], usage: USAGE };
    chat.upstream
      .enqueue(sse([chunkOf({ role: 'assistant', ...call }), chunkOf({}, 'tool_calls'), end]))
      .enqueue(stream(['Sunny', ' it is.']));
    const runner = client.beta.messages.toolRunner({ ...question, tools: [weather], stream: true });
    const message = await runner.runUntilDone();
    expect(message.content).toMatchObject([{ type: 'text', text: 'Sunny it is.' }]);
  });
});

describe('the models', () => {
  it("are listed in Anthropic's format", async () => {
    const page = await client.models.list();
    expect(page.has_more).toBe(false);
    expect(page.data.length).toBeGreaterThan(5);
    expect([page.first_id, page.last_id]).toEqual([page.data[0]?.id, page.data.at(-1)?.id]);
    for (const model of page.data) {
      expect(model).toEqual({
        type: 'model',
        id: expect.any(String),
        display_name: expect.any(String),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
    }
    expect(await client.models.retrieve('gpt-oss-20b')).toEqual(page.data.find(({ id }) => id === 'gpt-oss-20b'));
  });

  it("have errors in Anthropic's format", async () => {
    await expect(client.models.retrieve('none')).rejects.toMatchObject({ status: 404, type: 'not_found_error' });
    const wrong = new Anthropic({ baseURL: chat.gateway.url, apiKey: 'svc_wrong', maxRetries: 0 });
    await expect(wrong.models.list()).rejects.toMatchObject({ status: 401, type: 'authentication_error' });
  });
});

it('an answer has the stop sequence that the upstream names, as vLLM does, in JSON and in a stream', async () => {
  const requested = { ...question, stop_sequences: ['END'] };
  const ended = { index: 0, finish_reason: 'stop', stop_reason: 'END' };
  const stopped = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
  chat.upstream.enqueue(json(200, { choices: [{ ...ended, message: { role: 'assistant', content: 'Hi' } }] }));
  expect(await client.messages.create(requested)).toMatchObject(stopped);
  chat.upstream.enqueue(sse([chunkOf({ role: 'assistant', content: 'Hi' }), { choices: [{ ...ended, delta: {} }] }]));
  expect(await client.messages.stream(requested).finalMessage()).toMatchObject(stopped);
});

it('references to tools in a result are left out and named', async () => {
  chat.upstream.enqueue(completion('Hello!'));
  const content = [{ type: 'tool_reference' as const, tool_name: 'look' }];
  const { response } = await client.messages
    .create({
      ...question,
      messages: [
        ...messages,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'search', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
      ],
    })
    .withResponse();
  expect(response.headers.get('x-gateway-ignored-parameters')).toBe('messages[2].content[0].content[0]');
  expect(chat.upstream.requests.at(-1)?.json()).toMatchObject({
    messages: [{}, {}, { role: 'tool', tool_call_id: 'a', content: '' }],
  });
});

it('large integers keep their digits in tool inputs, in both directions', async () => {
  const digits = '{"order":12345678901234567891}';
  chat.upstream.enqueue(calling(toolCall('call_2', 'ship', digits)));
  const body = JSON.stringify({
    ...question,
    messages: [
      ...messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'ship', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'No.' }] },
    ],
  }).replace('"input":{}', `"input":${digits}`);
  const response = await fetch(`${chat.gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { ...chat.pro.headers, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body,
  });
  expect(await response.text()).toContain(`"input":${digits}`);
  expect(chat.upstream.requests.at(-1)?.body).toContain(JSON.stringify(digits).slice(1, -1));
});

it('a call has its ledger row', async () => {
  chat.upstream.enqueue(completion('Hello!'));
  const { request_id } = await client.messages.create(question).withResponse();
  const [row] = (await chat.gateway.calls()).slice(-1);
  expect(row).toMatchObject({ request_id, status: 'settled', input_tokens: '11', output_tokens: '3' });
});
