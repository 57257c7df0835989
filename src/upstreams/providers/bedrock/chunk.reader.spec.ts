import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionChunk, ChatCompletionRequest } from '../../contract/chat.types.js';
import type { UpstreamEvent } from '../../contract/provider.adapter.js';
import { bedrockAdapter } from './bedrock.adapter.js';

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
    const calls = chunks.flatMap(({ choices }) => choices.flatMap(({ delta: told }) => told.tool_calls ?? []));
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
    const told = JSON.stringify(await read(events, { parallel_tool_calls: false }));
    expect(told).toContain('"id":"a"');
    expect(told).not.toMatch(/"id":"b"|second/);
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

  it('fails for invalid model output', async () => {
    await expect(read([delta(0, { text: 'Hi' }), end('malformed_tool_use')])).rejects.toMatchObject({ status: 502 });
  });

  it.each([
    ['exception:throttlingException', 429],
    ['exception:serviceUnavailableException', 503],
    ['exception:modelStreamErrorException', 502],
    ['exception:internalServerException', 502],
    ['exception:validationException', 400],
    ['exception:unheardOfException', 502],
    ['error:InternalFailure', 502],
  ])('fails at %s with %i', async (name, status) => {
    const failing = read([event(name, { message: 'It failed.' })]);
    await expect(failing).rejects.toMatchObject({ status, failure: { message: 'It failed.' } });
  });
});

describe('an answer with the answer tool', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } } };
  const request = { response_format: { type: 'json_schema' as const, json_schema: { name: 'A', schema } } };
  const told = async (events: readonly UpstreamEvent[]) => {
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
    expect(await told(events)).toEqual({ content: '{"a":12345678901234567891}', finish: 'stop', calls: [] });
  });

  it('is the text if the model did not call the tool', async () => {
    const events = [delta(0, { text: 'I would ' }), delta(0, { text: 'rather not.' }), stop(0), end('end_turn'), usage];
    expect(await told(events)).toEqual({ content: 'I would rather not.', finish: 'stop', calls: [] });
  });

  it("does not affect the caller's own tools", async () => {
    const events = [
      start(0, { toolUseId: 'a', name: 'look' }),
      delta(0, { toolUse: { input: '{}' } }),
      stop(0),
      end('tool_use'),
    ];
    expect(await told(events)).toEqual({ content: '', finish: 'tool_calls', calls: ['look', undefined] });
  });
});
