import { describe, expect, it } from '@jest/globals';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { from, lastValueFrom, toArray } from 'rxjs';
import { answerOfCompletion, answerOfStream, brokenPromises } from '../../../../test/support/client-answer.js';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { AssistantMessage, ChatCompletionChunk, ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { cohereAdapter } from './cohere.adapter.js';

const adapter = cohereAdapter;

const start = { type: 'message-start', delta: { message: { role: 'assistant', content: [] } } };
const part = (type: string, index: number | undefined, message: JsonObject) => ({ type, index, delta: { message } });
const text = (index: number, text: string) => part('content-delta', index, { content: { text } });
const thought = (index: number, thinking: string) => part('content-delta', index, { content: { thinking } });
const plan = (tool_plan: string) => part('tool-plan-delta', undefined, { tool_plan });
const args = (index: number, text: string) =>
  part('tool-call-delta', index, { tool_calls: { function: { arguments: text } } });
const cited = (citations: JsonObject) => part('citation-start', 0, { citations });

function tool(index: number, id: string, name = 'f', given = ''): JsonObject {
  return part('tool-call-start', index, { tool_calls: { id, type: 'function', function: { name, arguments: given } } });
}

function end(finish_reason: string, more: JsonObject = {}): JsonObject {
  return { type: 'message-end', delta: { finish_reason, usage: {}, ...more } };
}

async function stream(events: JsonObject[], request: Partial<ChatCompletionRequest> = {}) {
  const call = providerCall({ stream: true, ...request });
  const framed = events.map((event) => ({ event: String(event.type), data: JSON.stringify(event) }));
  const chunks = await lastValueFrom(from(framed).pipe(adapter.fromStream(call), toArray()));
  expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
  expect(brokenPromises(chunks, call)).toEqual([]);
  return chunks;
}

async function streamedCalls(events: JsonObject[], request?: Partial<ChatCompletionRequest>) {
  return answerOfStream(await stream(events, request)).choices[0]?.toolCalls;
}

function failureOf(...events: { event: string; data: string }[]): unknown {
  let failure: unknown;
  from(events)
    .pipe(adapter.fromStream(providerCall()))
    .subscribe({ error: (error) => (failure = error) });
  return failure;
}

function completion(message: JsonObject, finish_reason = 'COMPLETE', request: Partial<ChatCompletionRequest> = {}) {
  const answer = adapter.fromResponse({ message, finish_reason }, providerCall(request));
  expect(schemaFaults('completion', answer)).toEqual([]);
  return answer;
}

describe('a streamed tool call', () => {
  it.each([
    ['', []],
    ['', ['null']],
    ['', ['nu', 'll']],
    ['null', []],
    ['', ['{', '}']],
    ['{}', []],
  ])('a streamed tool call without arguments (%j, then %j) has the arguments {}', async (given, deltas) => {
    const events = [start, tool(0, 'a', 'f', given), ...deltas.map((delta) => args(0, delta))];
    const expected = [{ id: 'a', name: 'f', arguments: '{}' }];
    expect(await streamedCalls([...events, { type: 'tool-call-end', index: 0 }, end('TOOL_CALL')])).toEqual(expected);
    expect(await streamedCalls([...events, end('TOOL_CALL')])).toEqual(expected);
  });

  it('streams its arguments from the first letter that is not part of null', async () => {
    const chunks = await stream([
      start,
      tool(0, 'a'),
      args(0, '{"n":'),
      args(0, 'nul'),
      args(0, 'l}'),
      end('TOOL_CALL'),
    ]);
    const written = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
    expect(written.map((call) => call.function?.arguments)).toEqual(['', '{"n":', 'nul', 'l}']);
  });

  it("is indexed from 0, independent of the API's numbers", async () => {
    const events = [start, plan('I will.'), text(0, 'Well.'), tool(3, 'a'), args(3, '{}'), tool(7, 'b'), args(7, '{}')];
    expect(await streamedCalls([...events, end('TOOL_CALL')])).toEqual([
      { id: 'a', name: 'f', arguments: '{}' },
      { id: 'b', name: 'f', arguments: '{}' },
    ]);
  });

  it('is the only one if the caller allows no parallel calls', async () => {
    const request = { parallel_tool_calls: false };
    const events = [start, tool(0, 'a'), tool(1, 'b'), args(1, '{"x":1}'), args(0, '{"y":2}'), end('TOOL_CALL')];
    const expected = [{ id: 'a', name: 'f', arguments: '{"y":2}' }];
    expect(await streamedCalls(events, request)).toEqual(expected);
    const calls = ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{"y":2}' } }));
    expect(answerOfCompletion(completion({ tool_calls: calls }, 'TOOL_CALL', request)).choices[0]?.toolCalls).toEqual(
      expected,
    );
  });

  it("has the caller's name of the tool", async () => {
    const tools = ['look-up', 'look_up'].map((name) => ({ type: 'function' as const, function: { name } }));
    const { body } = adapter.toRequest(providerCall({ tools }));
    const names = (body.tools as { function: { name: string } }[]).map((tool) => tool.function.name);
    expect(names).toEqual(['look_up_', 'look_up']);
    const reported = await streamedCalls(
      [start, ...names.map((name, index) => tool(index, name, name)), end('TOOL_CALL')],
      {
        tools,
      },
    );
    expect(reported?.map(({ name }) => name)).toEqual(['look-up', 'look_up']);
    const tool_calls = names.map((name) => ({ id: name, function: { name, arguments: 'null' } }));
    expect(answerOfCompletion(completion({ tool_calls }, 'TOOL_CALL', { tools })).choices[0]?.toolCalls).toEqual(
      reported,
    );
  });
});

describe('a finish reason', () => {
  it.each([
    ['COMPLETE', 'stop', 'tool_calls'],
    ['MAX_TOKENS', 'length', 'length'],
    ['UNHEARD_OF', 'stop', 'tool_calls'],
  ])('%s becomes %s, and after a tool call %s', async (reason, finish, afterCall) => {
    expect((await stream([start, end(reason)])).at(-1)?.choices[0]?.finish_reason).toBe(finish);
    expect((await stream([start, tool(0, 'a'), end(reason)])).at(-1)?.choices[0]?.finish_reason).toBe(afterCall);
    expect(completion({ content: [] }, reason).choices[0]?.finish_reason).toBe(finish);
  });

  it('a finish reason that is missing is not invented in a stream', async () => {
    const chunks = await stream([start, text(0, 'Hi'), { type: 'message-end', delta: {} }]);
    expect(answerOfStream(chunks).choices[0]).toMatchObject({ content: 'Hi', finish: null });
  });
});

describe('a failure with status 200', () => {
  it.each([
    ['ERROR', { error: 'Oh' }, 502, 'upstream_error'],
    ['COMPLETE', { error: 'Oh' }, 502, 'upstream_error'],
    ['TIMEOUT', {}, 504, 'upstream_timeout'],
    ['ERROR', { error: 'too many tokens: size limit', error_type: 'TOO_MANY_TOKENS' }, 400, 'context_length_exceeded'],
  ])('%s with %j is an error without chunks before it', (reason, more, status, code) => {
    const events = [start, end(reason, more)].map((event) => ({
      event: event.type as string,
      data: JSON.stringify(event),
    }));
    const chunks: ChatCompletionChunk[] = [];
    let failure: unknown;
    from(events)
      .pipe(adapter.fromStream(providerCall()))
      .subscribe({ next: (chunk) => chunks.push(chunk), error: (error) => (failure = error) });
    expect(failure).toBeInstanceOf(UpstreamError);
    expect(failure).toMatchObject({ status, body: { code } });
    expect(chunks).toEqual([]);
  });

  it('has the usage that is reported with it, in answers and streams', () => {
    const usage = { billed_units: { input_tokens: 5, output_tokens: 2 } };
    const failure = { failure: expect.objectContaining({ usage: expect.objectContaining({ total_tokens: 7 }) }) };
    const event = end('ERROR', { error: 'Oh', usage });
    expect(failureOf({ event: 'message-end', data: JSON.stringify(event) })).toMatchObject(failure);
    const body = { finish_reason: 'ERROR', message: { content: [] }, usage };
    expect(() => adapter.fromResponse(body, providerCall())).toThrow(expect.objectContaining(failure));
  });

  it('is also an error in a whole answer', () => {
    const body = { finish_reason: 'ERROR', message: { content: [] }, usage: {} };
    expect(() => adapter.fromResponse(body, providerCall())).toThrow(UpstreamError);
  });

  it.each([[null], ['text'], [{}], [{ id: 'x', message: 'text' }]])('%j is invalid', (body) => {
    expect(() => adapter.fromResponse(body, providerCall())).toThrow(UpstreamError);
  });

  it('is an event of the API that is not JSON', () => {
    expect(failureOf({ event: 'content-delta', data: '{"type":"con' })).toMatchObject({ status: 502 });
    expect(failureOf({ event: 'unheard-of', data: '{"type":"con' })).toBeUndefined();
  });
});

describe('citations', () => {
  const source = (fields: JsonObject) => ({ type: 'tool', id: 'x:0', tool_output: fields });
  const citation = {
    start: 3,
    end: 5,
    content_index: 1,
    sources: [
      source({ content: 'no address' }),
      source({ url: 'https://a.example/', title: 'A' }),
      { type: 'document', document: { url: 'https://b.example/' } },
    ],
  };
  const annotations = [
    { type: 'url_citation', url_citation: { url: 'https://a.example/', title: 'A', start_index: 3, end_index: 5 } },
    {
      type: 'url_citation',
      url_citation: { url: 'https://b.example/', title: 'https://b.example/', start_index: 3, end_index: 5 },
    },
  ];

  it('citations of URLs have their positions in the content, in one list', async () => {
    const content = (index: number, type: string) => part('content-start', index, { content: { type, [type]: '' } });
    const chunks = await stream([
      start,
      content(0, 'thinking'),
      thought(0, 'Hm.'),
      content(1, 'text'),
      text(1, 'It is.'),
      cited(citation),
      cited({ ...citation, type: 'PLAN' }),
      end('COMPLETE'),
    ]);
    const reported = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.annotations));
    expect(reported.filter((list) => list !== undefined)).toEqual([annotations]);

    const blocks = [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'It is.' },
    ];
    const { message } = completion({ content: blocks, citations: [citation] }).choices[0] ?? {};
    expect(message).toMatchObject({ content: 'It is.', reasoning_content: 'Hm.', annotations });
  });
});

describe('reasoning before tool calls', () => {
  function sentBack(answer: AssistantMessage): unknown {
    const result = { role: 'tool' as const, tool_call_id: 'a', content: 'x' };
    const { body } = adapter.toRequest(providerCall({ messages: [{ role: 'user', content: 'Hi' }, answer, result] }));
    return (body.messages as unknown[])[1];
  }

  const called = { tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }] };
  const required = [
    [{ tool_plan: 'I will look.' }, { role: 'assistant', tool_plan: 'I will look.', ...called }],
    [
      { content: [{ type: 'thinking', thinking: 'I will look.' }] },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'I will look.' }], ...called },
    ],
  ] as const;

  it.each([
    [[plan('I will '), plan('look.')], required[0][1]],
    [[thought(0, 'I will '), thought(0, 'look.')], required[1][1]],
  ])('is restored from a stream merged by the SDK', async (thoughts, expected) => {
    const chunks = await stream([start, ...thoughts, tool(0, 'a'), args(0, '{"x":1}'), end('TOOL_CALL')]);
    expect(answerOfStream(chunks).choices[0]?.reasoning).toBe('I will look.');
    const lines = chunks.map((chunk) => Buffer.from(`${JSON.stringify(chunk)}\n`));
    const gathered = ChatCompletionStream.fromReadableStream(ReadableStream.from(lines));
    const message = (await gathered.finalChatCompletion()).choices[0]?.message;
    expect(sentBack(JSON.parse(JSON.stringify(message)))).toEqual(expected);
  });

  it.each(required)('is restored from a whole answer: %j', (thoughts, expected) => {
    const { message } = completion({ ...thoughts, ...called }, 'TOOL_CALL').choices[0] ?? {};
    expect(message).toMatchObject({ content: null, reasoning_content: 'I will look.' });
    expect(sentBack(JSON.parse(JSON.stringify(message)))).toEqual(expected);
  });
});

describe('log probabilities', () => {
  const item = { text: 'Hi', token_ids: [1], logprobs: [-0.5] };
  const reported = { token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [] };

  it('log probabilities of a whole answer are listed by piece of text', () => {
    const body = {
      message: { content: [{ type: 'text', text: 'Hi!' }] },
      finish_reason: 'COMPLETE',
      logprobs: [item, { text: '!!', token_ids: [2, 3], logprobs: [-0.25, -0.25] }, { token_ids: [4] }],
    };
    const completion = adapter.fromResponse(body, providerCall({ logprobs: true }));
    expect(schemaFaults('completion', completion)).toEqual([]);
    expect(completion.choices[0]?.logprobs).toEqual({
      content: [reported, { token: '!!', logprob: -0.5, bytes: [33, 33], top_logprobs: [] }],
      refusal: null,
    });
  });

  it('log probabilities of a stream are sent with their text', async () => {
    const events = [
      { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi' } } }, logprobs: item },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
    ].map((data) => ({ event: data.type, data: JSON.stringify(data) }));
    const chunks = await lastValueFrom(
      from(events).pipe(adapter.fromStream(providerCall({ stream: true, logprobs: true })), toArray()),
    );
    expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
    expect(chunks[0]?.choices[0]).toMatchObject({ delta: { content: 'Hi' }, logprobs: { content: [reported] } });
    expect(chunks[1]?.choices[0]).not.toHaveProperty('logprobs');
  });
});
