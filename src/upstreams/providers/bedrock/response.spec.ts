import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, of, toArray } from 'rxjs';
import { awsEvent } from '../../../../test/support/aws-event-stream.js';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionChunk, ChatCompletionRequest } from '../../contract/chat.types.js';
import type { UpstreamEvent } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { framed } from '../../framing/framing.js';
import { bedrockAdapter } from './bedrock.adapter.js';
import { toCompletion } from './response.js';

function completion(content: unknown[], rest: Record<string, unknown> = {}, request = {}) {
  const body = { output: { message: { role: 'assistant', content } }, stopReason: 'end_turn', ...rest };
  return toCompletion(body, providerCall(request));
}

const use = (toolUseId: string) => ({ toolUse: { toolUseId, name: 'look', input: {} } });

describe('a Converse answer', () => {
  it('has signed reasoning in the tool call that follows it', () => {
    const thoughts = [
      { reasoningContent: { reasoningText: { text: 'A cat?', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'aGlk' } },
    ];
    const made = completion([...thoughts, use('a'), use('b')], { stopReason: 'tool_use' });
    expect(schemaFaults('completion', made)).toEqual([]);
    const thinking_blocks = [
      { type: 'thinking', thinking: 'A cat?', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'aGlk' },
    ];
    const called = { type: 'function', function: { name: 'look', arguments: '{}' } };
    expect(made.choices[0]?.message).toEqual({
      role: 'assistant',
      content: null,
      refusal: null,
      reasoning_content: 'A cat?',
      tool_calls: [
        { id: 'a', ...called, extra_content: { anthropic: { thinking_blocks } } },
        { id: 'b', ...called },
      ],
    });
  });

  it('has as many tool calls as the caller allows: the first, or none', () => {
    const made = completion([use('a'), use('b')], { stopReason: 'tool_use' }, { parallel_tool_calls: false });
    expect(made.choices[0]?.message.tool_calls).toHaveLength(1);
    const none = completion([{ text: 'Hi' }, use('a')], { stopReason: 'tool_use' }, { tool_choice: 'none' });
    expect(none.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Hi' } });
    expect(none.choices[0]?.message.tool_calls).toBeUndefined();
  });

  it.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
    ['unheard_of', 'stop'],
    ['toString', 'stop'],
    [undefined, 'stop'],
  ])('a Converse answer that stopped for %s finishes with %s', (stopReason, finish) => {
    expect(completion([{ text: 'Hi' }], { stopReason }).choices[0]?.finish_reason).toBe(finish);
  });

  it('a Converse answer with tool calls finishes with tool_calls for any stop reason', () => {
    expect(completion([use('a')]).choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('cites each web page', () => {
    const citations = [{ location: { web: { url: 'https://example.com' } } }];
    const made = completion([{ text: 'So: ' }, { citationsContent: { content: [{ text: 'rain' }], citations } }]);
    const url_citation = { start_index: 4, end_index: 8, url: 'https://example.com', title: 'https://example.com' };
    expect(made.choices[0]?.message).toMatchObject({
      content: 'So: rain',
      annotations: [{ type: 'url_citation', url_citation }],
    });
    expect(schemaFaults('completion', made)).toEqual([]);
  });

  it('counts cache reads and writes once, with either name', () => {
    const counts = { inputTokens: 3, outputTokens: 121, totalTokens: 2072 };
    const read = { cacheReadInputTokens: 1712, cacheReadInputTokenCount: 1712 };
    const written = { cacheWriteInputTokens: 236, cacheWriteInputTokenCount: 236 };
    expect(completion([], { usage: { ...counts, ...read, ...written } }).usage).toEqual({
      prompt_tokens: 1951,
      completion_tokens: 121,
      total_tokens: 2072,
      prompt_tokens_details: { cached_tokens: 1712, cache_write_tokens: 236 },
    });
    expect(completion([], { usage: { ...counts, cacheReadInputTokenCount: 5 } }).usage).toMatchObject({
      prompt_tokens: 8,
      prompt_tokens_details: { cached_tokens: 5 },
    });
    expect(completion([], { usage: {} }).usage).toBeUndefined();
  });

  it.each([[null], ['<html>'], [{}], [{ output: {} }], [{ output: { message: {} } }]])('is invalid: %j', (body) => {
    expect(() => toCompletion(body, providerCall())).toThrow(UpstreamError);
  });
});

it('a call of the answer tool has its input as content', () => {
  const response_format = { type: 'json_schema', json_schema: { name: 'A', schema: { type: 'object' } } } as const;
  const call = { ...providerCall({ response_format }), upstreamModel: 'amazon.nova-lite-v1:0' };
  const answer = { toolUse: { toolUseId: 'a', name: 'json_answer', input: { a: [1] } } };
  const body = (...content: unknown[]) => ({ output: { message: { content } }, stopReason: 'tool_use' });
  const [choice] = toCompletion(body({ text: 'Here:' }, answer, answer), call).choices;
  expect(choice).toMatchObject({ message: { content: '{"a":[1]}' }, finish_reason: 'stop' });
  expect(choice?.message).not.toHaveProperty('tool_calls');
  expect(toCompletion(body({ text: 'No.' }), call).choices[0]?.message.content).toBe('No.');
});

const adapter = bedrockAdapter;

function event(name: string, data: unknown): UpstreamEvent {
  return { event: name, data: JSON.stringify(data) };
}

const start = (contentBlockIndex: number, toolUse: unknown) =>
  event('contentBlockStart', { contentBlockIndex, start: { toolUse } });
const delta = (contentBlockIndex: number, piece: unknown) =>
  event('contentBlockDelta', { contentBlockIndex, delta: piece });
const stop = (contentBlockIndex: number) => event('contentBlockStop', { contentBlockIndex });
const end = (stopReason: string) => event('messageStop', { stopReason });
const usage = event('metadata', { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } });

function read(
  events: readonly UpstreamEvent[],
  request: Partial<ChatCompletionRequest> = {},
): Promise<ChatCompletionChunk[]> {
  return lastValueFrom(from(events).pipe(adapter.fromStream(providerCall(request)), toArray()));
}

describe('a ConverseStream', () => {
  it("emits nothing before the model's first output, so that earlier failures can be retried", async () => {
    expect(await read([event('messageStart', { role: 'assistant' }), delta(0, { text: '' })])).toEqual([]);
  });

  it('ends with its usage, and ignores what follows', async () => {
    const chunks = await read([delta(0, { text: 'Hi' }), end('end_turn'), usage, event('exception:late', {})]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 3 } });
    expect(chunks).toHaveLength(3);
  });

  it('has signed reasoning in the first delta of the tool call that follows it', async () => {
    const chunks = await read([
      delta(0, { reasoningContent: { text: 'A ' } }),
      delta(0, { reasoningContent: { text: 'cat?' } }),
      delta(0, { reasoningContent: { signature: 'c2' } }),
      delta(0, { reasoningContent: { signature: 'ln' } }),
      stop(0),
      start(1, { toolUseId: 'a', name: 'look' }),
      stop(1),
      start(2, { toolUseId: 'b', name: 'look' }),
      delta(2, { toolUse: { input: '{}' } }),
      stop(2),
      end('tool_use'),
    ]);
    const calls = chunks.flatMap(({ choices }) => choices.flatMap(({ delta: reported }) => reported.tool_calls ?? []));
    expect(calls).toEqual([
      {
        index: 0,
        id: 'a',
        type: 'function',
        function: { name: 'look', arguments: '' },
        extra_content: {
          anthropic: { thinking_blocks: [{ type: 'thinking', thinking: 'A cat?', signature: 'c2ln' }] },
        },
      },
      { index: 0, function: { arguments: '{}' } },
      { index: 1, id: 'b', type: 'function', function: { name: 'look', arguments: '' } },
      { index: 1, function: { arguments: '{}' } },
    ]);
  });

  it('has only the first tool call if the caller allows no parallel calls', async () => {
    const calls = [start(0, { toolUseId: 'a', name: 'look' }), stop(0), start(1, { toolUseId: 'b', name: 'look' })];
    const events = [...calls, delta(1, { toolUse: { input: '{"second":1}' } }), stop(1), end('tool_use')];
    const reported = JSON.stringify(await read(events, { parallel_tool_calls: false }));
    expect(reported).toContain('"id":"a"');
    expect(reported).not.toMatch(/"id":"b"|second/);
  });

  it('does not count calls of built-in tools', async () => {
    const own = [start(0, { toolUseId: 'a', name: 'search', type: 'server_tool_use' }), stop(0)];
    const [chunk] = await read([...own, end('tool_use')]);
    expect(chunk?.choices).toEqual([{ index: 0, delta: { role: 'assistant' }, finish_reason: 'stop' }]);
  });

  it('cites web pages with the text that they support', async () => {
    const chunks = await read([
      delta(0, { text: 'Well, ' }),
      stop(0),
      delta(1, { text: 'it rains.' }),
      delta(1, {
        citation: { title: 'Weather', location: { web: { url: 'https://example.com', domain: 'example.com' } } },
      }),
      delta(1, { citation: { title: 'facts', location: { documentChar: { documentIndex: 0, start: 0, end: 3 } } } }),
      stop(1),
      end('end_turn'),
    ]);
    const url_citation = { start_index: 6, end_index: 15, url: 'https://example.com', title: 'Weather' };
    expect(chunks.at(-1)?.choices[0]?.delta.annotations).toEqual([{ type: 'url_citation', url_citation }]);
  });

  it('fails for invalid model output, with the usage if it is reported', async () => {
    const events = [delta(0, { text: 'Hi' }), end('malformed_tool_use')];
    await expect(read(events)).rejects.toMatchObject({ status: 502 });
    await expect(read(events)).rejects.not.toHaveProperty('failure.usage');
    await expect(read([...events, usage])).rejects.toMatchObject({ failure: { usage: { total_tokens: 3 } } });
  });

  it('has redacted reasoning in the first delta of the tool call that follows it', async () => {
    const chunks = await read([
      delta(0, { reasoningContent: { redactedContent: 'aGlk' } }),
      stop(0),
      start(1, { toolUseId: 'a', name: 'look' }),
      stop(1),
      end('tool_use'),
    ]);
    const calls = chunks.flatMap(({ choices }) => choices.flatMap(({ delta: reported }) => reported.tool_calls ?? []));
    expect(calls[0]).toMatchObject({
      extra_content: { anthropic: { thinking_blocks: [{ type: 'redacted_thinking', data: 'aGlk' }] } },
    });
    expect(JSON.stringify(chunks)).not.toContain('reasoning_content');
  });

  it('is whole without its usage if its last event is cut off, and incomplete if its end is', async () => {
    const stream = [
      awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }),
      awsEvent('messageStop', { stopReason: 'end_turn' }),
      awsEvent('metadata', { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } }),
    ];
    const readCut = (bytes: Buffer) =>
      lastValueFrom(
        of(bytes.subarray(0, -1)).pipe(framed('aws-event-stream'), adapter.fromStream(providerCall()), toArray()),
      );
    const finishes = async (events: Buffer[]) =>
      (await readCut(Buffer.concat(events))).map(({ choices, usage: used }) => used ?? choices[0]?.finish_reason);
    expect(await finishes(stream)).toEqual([null, 'stop']);
    expect(await finishes(stream.slice(0, 2))).toEqual([null]);
  });

  it.each([
    ['exception:throttlingException', 429],
    ['exception:serviceUnavailableException', 503],
    ['exception:modelStreamErrorException', 502],
    ['exception:internalServerException', 502],
    ['exception:validationException', 400],
    ['exception:unheardOfException', 502],
    ['throttlingException', 429],
    ['modelStreamErrorException', 502],
    ['error:InternalFailure', 502],
  ])('fails at %s with %i', async (name, status) => {
    const failing = read([event(name, { message: 'It failed.' })]);
    await expect(failing).rejects.toMatchObject({ status, failure: { message: 'It failed.' } });
  });
});

describe('an answer with the answer tool', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } } };
  const request = { response_format: { type: 'json_schema' as const, json_schema: { name: 'A', schema } } };
  const reported = async (events: readonly UpstreamEvent[]) => {
    const call = { ...providerCall(request), upstreamModel: 'amazon.nova-lite-v1:0' };
    const chunks = await lastValueFrom(from(events).pipe(adapter.fromStream(call), toArray()));
    const choices = chunks.flatMap(({ choices }) => choices);
    const calls = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
    return {
      content: choices.map(({ delta }) => delta.content ?? '').join(''),
      finish: choices.at(-1)?.finish_reason,
      calls: calls.map((call) => call.function?.name),
    };
  };

  it("is the tool's input, without any text", async () => {
    const events = [
      delta(0, { text: '<thinking>One.</thinking>' }),
      stop(0),
      start(1, { toolUseId: 'a', name: 'json_answer' }),
      delta(1, { toolUse: { input: '{"a"' } }),
      delta(1, { toolUse: { input: ':12345678901234567891}' } }),
      stop(1),
      start(2, { toolUseId: 'b', name: 'json_answer' }),
      delta(2, { toolUse: { input: '{}' } }),
      stop(2),
      end('tool_use'),
      usage,
    ];
    expect(await reported(events)).toEqual({ content: '{"a":12345678901234567891}', finish: 'stop', calls: [] });
  });

  it('is the text if the model did not call the tool', async () => {
    const events = [delta(0, { text: 'I would ' }), delta(0, { text: 'rather not.' }), stop(0), end('end_turn'), usage];
    expect(await reported(events)).toEqual({ content: 'I would rather not.', finish: 'stop', calls: [] });
  });

  it("does not affect the caller's own tools", async () => {
    const events = [
      start(0, { toolUseId: 'a', name: 'look' }),
      delta(0, { toolUse: { input: '{}' } }),
      stop(0),
      end('tool_use'),
    ];
    expect(await reported(events)).toEqual({ content: '', finish: 'tool_calls', calls: ['look', undefined] });
  });
});
