import { describe, expect, it } from '@jest/globals';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { from, lastValueFrom, toArray } from 'rxjs';
import { answerOfStream, brokenPromises } from '../../../../test/support/client-answer.js';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { AssistantMessage, ChatCompletionChunk } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { anthropicAdapter } from './anthropic.adapter.js';

const adapter = anthropicAdapter;
const call = providerCall({ stream: true });

const start = (usage: JsonObject = {}) => ({
  type: 'message_start',
  message: { usage: { input_tokens: 5, ...usage } },
});
const block = (index: number, content_block: JsonObject) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, delta: JsonObject) => ({ type: 'content_block_delta', index, delta });
const text = (index: number, text: string) => delta(index, { type: 'text_delta', text });
const json = (index: number, partial_json: string) => delta(index, { type: 'input_json_delta', partial_json });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const tool = (index: number, id: string, input: JsonObject = {}) =>
  block(index, { type: 'tool_use', id, name: 'f', input });

function end(stop_reason: string, usage: JsonObject = { output_tokens: 9 }, more: JsonObject = {}): JsonObject[] {
  return [{ type: 'message_delta', delta: { stop_reason, ...more }, usage }, { type: 'message_stop' }];
}

async function stream(...events: JsonObject[]): Promise<ChatCompletionChunk[]> {
  const framed = events.map((event) => ({ event: String(event.type), data: JSON.stringify(event) }));
  const chunks = await lastValueFrom(from(framed).pipe(adapter.fromStream(call), toArray()));
  expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
  expect(brokenPromises(chunks, call)).toEqual([]);
  return chunks;
}

function failureOf(...events: { event: string; data: string }[]): unknown {
  let failure: unknown;
  from(events)
    .pipe(adapter.fromStream(call))
    .subscribe({ error: (error) => (failure = error) });
  return failure;
}

/** A turn with two kinds of reasoning before a tool call. */
const thoughtfulCall = [
  start(),
  block(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'Let me ' }),
  delta(0, { type: 'thinking_delta', thinking: 'see.' }),
  delta(0, { type: 'signature_delta', signature: 'c2ln' }),
  stop(0),
  block(1, { type: 'redacted_thinking', data: 'ZGF0YQ==' }),
  stop(1),
  block(2, { type: 'text', text: '' }),
  text(2, 'One moment.'),
  stop(2),
  tool(3, 'toolu_1'),
  json(3, '{"x":'),
  json(3, '1}'),
  stop(3),
  tool(4, 'toolu_2'),
  json(4, ''),
  stop(4),
  ...end('tool_use'),
];

describe('a stream of the Messages API', () => {
  it('indexes tool calls from 0, independent of blocks before and between them', async () => {
    const chunks = await stream(
      start(),
      block(0, { type: 'text', text: 'Well' }),
      stop(0),
      block(1, { type: 'server_tool_use', id: 'srv', name: 'web_search', input: {} }),
      json(1, '{"query":"x"}'),
      stop(1),
      block(2, { type: 'web_search_tool_result', tool_use_id: 'srv', content: [] }),
      stop(2),
      tool(3, 'a'),
      json(3, '{"x":1}'),
      stop(3),
      block(4, { type: 'unheard_of', text: 'x' }),
      stop(4),
      tool(5, 'b', { whole: true }),
      stop(5),
      tool(6, 'c'),
      json(6, ''),
      ...end('tool_use'),
    );
    expect(answerOfStream(chunks).choices[0]).toMatchObject({
      content: 'Well',
      finish: 'tool_calls',
      toolCalls: [
        { id: 'a', name: 'f', arguments: '{"x":1}' },
        { id: 'b', name: 'f', arguments: '{"whole":true}' },
        { id: 'c', name: 'f', arguments: '{}' },
      ],
    });
  });

  it('replaces the counts of its start with the counts of its end, and counts cached input once', async () => {
    const early = { input_tokens: 4, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 };
    const usageOf = async (late: JsonObject) => (await stream(start(early), ...end('end_turn', late))).at(-1)?.usage;
    const prompt = { prompt_tokens: 124, prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 20 } };
    expect(await usageOf({ output_tokens: 50 })).toEqual({ ...prompt, completion_tokens: 50, total_tokens: 174 });
    expect(
      await usageOf({ ...early, output_tokens: 50, output_tokens_details: { thinking_tokens: 30 } }),
    ).toMatchObject({ ...prompt, total_tokens: 174, completion_tokens_details: { reasoning_tokens: 30 } });
    expect(await usageOf({ cache_read_input_tokens: null, output_tokens: 50 })).toMatchObject(prompt);
  });

  it('keeps nested counts of its start that its end does not repeat', async () => {
    const early = start({
      cache_creation: { ephemeral_1h_input_tokens: 7 },
      server_tool_use: { web_search_requests: 2 },
    });
    const late = { cache_creation: {}, server_tool_use: { web_fetch_requests: 1 }, output_tokens: 9 };
    expect((await stream(early, ...end('end_turn', late))).at(-1)?.usage).toMatchObject({
      prompt_tokens_details: { cache_write_1h_tokens: 7 },
      server_tool_use: { web_search_requests: 2 },
    });
  });

  it('says that no written input is kept for an hour only if the API says so', async () => {
    const written = async (more: object) =>
      (await stream(start({ cache_creation_input_tokens: 9, ...more }), ...end('end_turn', { output_tokens: 9 }))).at(
        -1,
      )?.usage?.prompt_tokens_details;
    expect(await written({ cache_creation: { ephemeral_1h_input_tokens: 0 } })).toMatchObject({
      cache_write_1h_tokens: 0,
    });
    expect(await written({})).not.toHaveProperty('cache_write_1h_tokens');
  });

  it('has no usage if the final count is missing, and does not use the count of the start', async () => {
    for (const count of [-5, 1.5, 1e300, 'many']) {
      const chunks = await stream(
        start({ input_tokens: 4, output_tokens: 1 }),
        ...end('end_turn', { output_tokens: count }),
      );
      expect(chunks.at(-1)?.usage).toBeUndefined();
    }
  });

  it('has no usage if it is truncated, as its start does not count output', async () => {
    const chunks = await stream(start({ output_tokens: 1 }), block(0, { type: 'text', text: '' }), text(0, 'Hi'));
    expect(chunks.map(({ usage }) => usage)).toEqual([undefined, undefined]);
    expect(answerOfStream(chunks).choices[0]).toMatchObject({ content: 'Hi', finish: null });
  });

  it('has the reason for a refusal', async () => {
    const details = { type: 'refusal', category: 'cyber', explanation: 'This may do harm.' };
    const chunks = await stream(start(), ...end('refusal', { output_tokens: 0 }, { stop_details: details }));
    expect(answerOfStream(chunks).choices[0]).toMatchObject({
      content: '',
      refusal: 'This may do harm.',
      finish: 'content_filter',
    });
  });

  it('cites URLs with their positions in the content, in one list', async () => {
    const citation = { type: 'web_search_result_location', url: 'https://a.example/', title: null };
    const cited = (index: number, citation: JsonObject) => delta(index, { type: 'citations_delta', citation });
    const chunks = await stream(
      start(),
      block(0, { type: 'text', text: 'So: ' }),
      stop(0),
      block(1, { type: 'text', text: '', citations: [] }),
      cited(1, citation),
      text(1, 'it '),
      text(1, 'is.'),
      cited(1, { type: 'char_location', document_index: 0, start_char_index: 0, end_char_index: 3 }),
      stop(1),
      ...end('end_turn'),
    );
    const annotation = {
      type: 'url_citation',
      url_citation: { url: 'https://a.example/', title: 'https://a.example/', start_index: 4, end_index: 10 },
    };
    const reported = chunks.flatMap(({ choices }) => choices.map((choice) => choice.delta.annotations ?? null));
    expect(reported.filter((annotations) => annotations !== null)).toEqual([[annotation]]);

    const content = [
      { type: 'text', text: 'So: ' },
      { type: 'text', text: 'it is.', citations: [citation] },
    ];
    const completion = adapter.fromResponse({ type: 'message', content, stop_reason: 'end_turn' }, call);
    expect(schemaFaults('completion', completion)).toEqual([]);
    expect(completion.choices[0]?.message).toMatchObject({ content: 'So: it is.', annotations: [annotation] });

    // With an answer tool, text is held back until it is known whether the tool is called.
    const open = { type: 'object', additionalProperties: true };
    const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema: open } } as const;
    const reserved = adapter.fromResponse(
      { type: 'message', content, stop_reason: 'end_turn' },
      providerCall({ response_format }),
    );
    expect(reserved.choices[0]?.message).toMatchObject({ content: 'So: it is.', annotations: [annotation] });
  });

  it.each([
    ['overloaded_error', 529, 503],
    ['rate_limit_error', 429, 429],
    ['invalid_request_error', 400, 400],
    ['authentication_error', 401, 502],
    ['api_error', 500, 502],
    ['timeout_error', 504, 504],
    ['unheard_of', 502, 502],
  ])('a stream of the Messages API with the error %s fails as status %d', (type, status, reported) => {
    const error = { type: 'error', error: { type, message: 'Oh' } };
    const failure = failureOf({ event: 'error', data: JSON.stringify(error) }) as UpstreamError;
    expect(failure).toBeInstanceOf(UpstreamError);
    expect([failure.failure.status, failure.status]).toEqual([status, reported]);
    expect(() => adapter.fromResponse(error, call)).toThrow(failure.message);
  });

  it("fails if one of the API's own events is not JSON", () => {
    expect(failureOf({ event: 'content_block_delta', data: '{"type":"con' })).toMatchObject({ status: 502 });
    expect(failureOf({ event: 'unheard_of', data: '{"type":"con' })).toBeUndefined();
  });
});

describe('signed reasoning', () => {
  const required = [
    { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'ZGF0YQ==' },
    { type: 'text', text: 'One moment.' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { x: 1 } },
    { type: 'tool_use', id: 'toolu_2', name: 'f', input: {} },
  ];

  function sentBack(answer: AssistantMessage) {
    const { body } = adapter.toRequest({
      ...providerCall({
        reasoning_effort: 'low',
        messages: [
          { role: 'user', content: 'Hi' },
          answer,
          { role: 'tool', tool_call_id: 'toolu_1', content: 'one' },
          { role: 'tool', tool_call_id: 'toolu_2', content: 'two' },
        ],
      }),
      upstreamModel: 'claude-haiku-4-5',
      maxOutputTokens: 64_000,
    });
    const turns = body.messages as { content: JsonObject[] }[];
    return { thinking: body.thinking, blocks: turns[1]?.content };
  }

  it('is restored from a stream merged by the SDK', async () => {
    const lines = (await stream(...thoughtfulCall)).map((chunk) => `${JSON.stringify(chunk)}\n`);
    const gathered = ChatCompletionStream.fromReadableStream(
      ReadableStream.from(lines.map((line) => Buffer.from(line))),
    );
    const message = (await gathered.finalChatCompletion()).choices[0]?.message;
    expect(sentBack(JSON.parse(JSON.stringify(message)))).toEqual({
      thinking: { type: 'enabled', budget_tokens: 2048 },
      blocks: required,
    });
  });

  it('is restored from a whole answer', () => {
    const completion = adapter.fromResponse({ type: 'message', content: required, stop_reason: 'tool_use' }, call);
    expect(schemaFaults('completion', completion)).toEqual([]);
    const message = completion.choices[0]?.message;
    expect(message).toMatchObject({ content: 'One moment.', reasoning_content: 'Let me see.' });
    expect(sentBack(JSON.parse(JSON.stringify(message))).blocks).toEqual(required);
  });

  it('signed reasoning that the client dropped disables thinking only if the model would insist on it', () => {
    const lost = { id: 'toolu_1', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const { thinking, blocks } = sentBack({ role: 'assistant', tool_calls: [lost] });
    expect(thinking).toBeUndefined();
    expect(blocks).toHaveLength(1);
  });
});

describe('an invalid answer', () => {
  it.each([[null], ['text'], [{}], [{ type: 'message', content: 'x' }]])('%j is an upstream error', (body) => {
    expect(() => adapter.fromResponse(body, call)).toThrow(UpstreamError);
  });
});
