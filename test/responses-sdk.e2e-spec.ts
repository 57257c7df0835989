import { describe, expect, it } from '@jest/globals';
import OpenAI, { AzureOpenAI } from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { chunkOf, completion, stream, USAGE } from './support/chat-answers.js';
import { eventsIn, ResponsesFollower } from './support/responses-events.js';
import { ResponsesTest } from './support/responses-test.js';
import { json, pause, sse } from './support/script.js';

const model = 'chat';
const tools: OpenAI.Responses.Tool[] = [
  {
    type: 'function',
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    strict: true,
  },
];

const api = await ResponsesTest.start();
const client = api.client;

const usageOf = (usage: typeof USAGE) => ({ choices: [], usage });
const called = (id: string, args: string) => ({
  tool_calls: [{ index: 0, id, type: 'function', function: { name: 'weather', arguments: args } }],
});

describe('OpenAI’s SDK with a target that only speaks chat completions', () => {
  it('creates a response', async () => {
    api.upstream.enqueue(completion());
    const { data, response } = await client.responses
      .create({ model, input: 'Say hello.', instructions: 'Be kind.', max_output_tokens: 50, metadata: { a: 'b' } })
      .withResponse();
    expect(data).toMatchObject({
      ...{
        id: expect.stringMatching(/^resp_/),
        object: 'response',
        status: 'completed',
        model,
        output_text: 'Hello there!',
      },
      ...{ usage: { input_tokens: 11, output_tokens: 3, total_tokens: 14 }, metadata: { a: 'b' }, store: false },
    });
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(api.received).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Say hello.' },
      ],
      max_tokens: 50,
      metadata: { a: 'b' },
      stream: false,
    });
  });

  it('streams a response', async () => {
    api.upstream.enqueue(stream());
    const events: string[] = [];
    const streamed = client.responses.stream({ model, input: 'Say hello.' });
    streamed.on('event', ({ type }) => events.push(type));
    const response = await streamed.finalResponse();
    expect(response).toMatchObject({ status: 'completed', output_text: 'Hello there!', usage: { total_tokens: 14 } });
    expect(events.filter((type) => type === 'response.output_text.delta')).toHaveLength(2);
    expect(api.received).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('reads a stream through heartbeats, which are comments', async () => {
    const slow = () => api.upstream.enqueue([pause(200), stream(['Hello', pause(150), ' 世界'])]);
    slow();
    const { output_text } = await client.responses.stream({ model, input: 'Hi' }).finalResponse();
    expect(output_text).toBe('Hello 世界');
    slow();
    const text = await (await api.ask({ stream: true })).text();
    expect(text).toMatch(/^: ping\n\n/);
    expect(new ResponsesFollower(eventsIn(text)).faults).toEqual([]);
  });

  it('works for Azure’s clients at their paths', async () => {
    api.upstream.enqueue(completion());
    const azure = new AzureOpenAI({
      endpoint: api.gateway.url,
      apiKey: api.user.key.key,
      apiVersion: '2025-04-01-preview',
    });
    expect((await azure.responses.create({ model, input: 'Hi' })).output_text).toBe('Hello there!');
    api.upstream.enqueue(completion());
    const newer = client.withOptions({ baseURL: `${api.gateway.url}/openai/v1` });
    expect((await newer.responses.create({ model, input: 'Hi' })).output_text).toBe('Hello there!');
  });

  it('gets the same answer again for the same Idempotency-Key', async () => {
    api.upstream.enqueue(completion());
    const headers = { 'idempotency-key': 'responses-1' };
    const requested = api.upstream.requests.length;
    const first = await (await api.ask({}, { headers })).text();
    const again = await api.ask({}, { headers });
    expect(again.headers.get('x-gateway-idempotent-replay')).toBe('true');
    expect(await again.text()).toBe(first);
    expect(api.upstream.requests.length - requested).toBe(1);
  });

  it('iterates over the events of a stream', async () => {
    api.upstream.enqueue(stream());
    const events = [];
    for await (const event of await client.responses.create({ model, input: 'Hi', stream: true })) events.push(event);
    expect(new ResponsesFollower(events).faults).toEqual([]);
  });

  it('parses structured output', async () => {
    api.upstream.enqueue(completion('{"city":"Paris"}'));
    const format = zodTextFormat(z.object({ city: z.string() }), 'place');
    const { output_parsed } = await client.responses.parse({ model, input: 'Where?', text: { format } });
    expect(output_parsed).toEqual({ city: 'Paris' });
    expect(api.received).toMatchObject({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'place', strict: true, schema: { required: ['city'] } },
      },
    });
  });

  it.each([false, true])('runs a loop of function calls, streamed: %s', async (streamed) => {
    const call = called('call_1', '{"city":"Paris"}');
    const whole = { role: 'assistant', content: null, ...call };
    const choice = { index: 0, message: whole, finish_reason: 'tool_calls', logprobs: null };
    api.upstream.enqueue(
      streamed
        ? sse([chunkOf(call), chunkOf({}, 'tool_calls'), usageOf(USAGE)])
        : json(200, { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage: USAGE }),
    );
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'How is Paris?' }];
    const request = { model, tools, input };
    const { output } = await (streamed
      ? client.responses.stream(request).finalResponse()
      : client.responses.create(request));
    expect(output).toMatchObject([
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' },
    ]);

    api.upstream.enqueue(completion('Sunny.'));
    const result = { type: 'function_call_output' as const, call_id: 'call_1', output: 'sun' };
    // The SDK's `stream` adds fields of its own to the items, which clients send back.
    input.push(...(output as OpenAI.Responses.ResponseInput), result);
    expect((await client.responses.create(request)).output_text).toBe('Sunny.');
    expect(api.received).toMatchObject({
      messages: [
        { role: 'user', content: 'How is Paris?' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: '{"city":"Paris"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'sun' },
      ],
    });
  });

  it('sends images and files', async () => {
    api.upstream.enqueue(completion());
    const image = 'data:image/png;base64,AAAA';
    const content: OpenAI.Responses.ResponseInputContent[] = [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: image, detail: 'low' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
    ];
    await client.responses.create({ model, input: [{ role: 'user', content }] });
    expect(api.received).toMatchObject({
      messages: [
        {
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: image, detail: 'low' } },
            { type: 'file', file: { filename: 'a.pdf' } },
          ],
        },
      ],
    });
  });

  it('sends the images and files of a tool’s result to Claude', async () => {
    const text = { type: 'text', text: 'Done.' };
    const usage = { input_tokens: 1, output_tokens: 1 };
    api.upstream.enqueue(
      json(200, { type: 'message', role: 'assistant', content: [text], stop_reason: 'end_turn', usage }),
    );
    const output: OpenAI.Responses.ResponseFunctionCallOutputItemList = [
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
    ];
    const input: OpenAI.Responses.ResponseInput = [
      { role: 'user', content: 'Look.' },
      { type: 'function_call', call_id: 'toolu_1', name: 'weather', arguments: '{}' },
      { type: 'function_call_output', call_id: 'toolu_1', output },
    ];
    expect((await client.responses.create({ model: 'claude', input, tools })).output_text).toBe('Done.');
    const { messages } = api.received as { messages: { content: { type: string; content?: object[] }[] }[] };
    const sent = messages.at(-1)?.content ?? [];
    expect(sent.map(({ type }) => type)).toEqual(['tool_result', 'text', 'document']);
    expect(sent[0]?.content).toMatchObject([{ type: 'image', source: { data: 'AAAA' } }, { type: 'text' }]);
  });

  it('gets a refusal', async () => {
    api.upstream.enqueue(sse([chunkOf({ refusal: 'I will not.' }), chunkOf({}, 'stop')]));
    const { output } = await client.responses.stream({ model, input: 'Do it.' }).finalResponse();
    expect(output).toMatchObject([{ type: 'message', content: [{ type: 'refusal', refusal: 'I will not.' }] }]);
  });
});

describe('Codex', () => {
  const exec = {
    type: 'function',
    name: 'exec_command',
    description: 'Runs it.',
    strict: false,
    parameters: { type: 'object' },
  };
  const request = {
    ...{ stream: true, store: false, include: ['reasoning.encrypted_content'], reasoning: { summary: 'auto' } },
    ...{ prompt_cache_key: 'thread-1', client_metadata: { 'x-codex-installation-id': 'i' }, tool_choice: 'auto' },
    parallel_tool_calls: true,
    input: [
      { type: 'message', role: 'developer', id: 'msg_1', content: [{ type: 'input_text', text: 'Be careful.' }] },
      { type: 'message', role: 'user', id: 'msg_2', content: [{ type: 'input_text', text: 'Fix it.' }] },
    ],
    tools: [
      exec,
      { type: 'namespace', name: 'mcp__git', description: 'Git.', tools: [{ ...exec, name: 'log' }] },
      { type: 'web_search', external_web_access: false },
    ],
  };

  it('works with a translated target: its tools keep their names, and what is left out is named', async () => {
    const log = { index: 0, id: 'c1', type: 'function', function: { name: 'mcp__git__log', arguments: '{}' } };
    api.upstream.enqueue(
      sse([
        chunkOf({ reasoning_content: 'Look.' }),
        chunkOf({ tool_calls: [log] }),
        chunkOf({}, 'tool_calls'),
        usageOf(USAGE),
      ]),
    );
    const response = await api.ask(request, { headers: { originator: 'codex_exec', 'x-codex-window-id': 'w' } });
    expect(response.headers.get('x-gateway-ignored-parameters')).toBe('tools[2], client_metadata');
    const answer = new ResponsesFollower(eventsIn(await response.text()));
    expect(answer.faults).toEqual([]);
    expect(answer.response.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'Look.' }], encrypted_content: expect.any(String) },
      { type: 'function_call', call_id: 'c1', namespace: 'mcp__git', name: 'log', arguments: '{}' },
    ]);
    expect(api.received).toMatchObject({
      messages: [
        { role: 'system', content: 'Be careful.' },
        { role: 'user', content: 'Fix it.' },
      ],
      tools: [{ function: { name: 'exec_command' } }, { function: { name: 'mcp__git__log' } }],
      tool_choice: 'auto',
    });

    api.upstream.enqueue(stream());
    const results = [{ type: 'function_call_output', call_id: 'c1', output: 'abc' }];
    const next = await api.ask({ ...request, input: [...request.input, ...answer.response.output, ...results] });
    expect(new ResponsesFollower(eventsIn(await next.text())).response.status).toBe('completed');
    expect(api.received).toMatchObject({
      messages: [
        {},
        {},
        { role: 'assistant', reasoning_content: 'Look.', tool_calls: [{ function: { name: 'mcp__git__log' } }] },
        { role: 'tool' },
      ],
    });
  });
});
