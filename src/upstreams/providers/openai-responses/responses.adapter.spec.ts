import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { readExchange } from '../../../../test/support/exchanges.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { framed } from '../../framing/framing.js';
import { openAiResponses } from './responses.adapter.js';
import { responsesSurface } from './responses.surface.js';

const adapter = openAiResponses(responsesSurface);
const call = providerCall({ stream: true });
const folder = `${import.meta.dirname}/fixtures`;

function completed(file: string): ChatCompletion {
  return adapter.fromResponse(readExchange(folder, file).body, call);
}

function streamed(events: string): Promise<ChatCompletionChunk[]> {
  return lastValueFrom(from([Buffer.from(events)]).pipe(framed('sse'), adapter.fromStream(call), toArray()));
}

function streamedFrom(file: string): Promise<ChatCompletionChunk[]> {
  return streamed(readExchange(folder, file).stream ?? '');
}

function deltas(chunks: readonly ChatCompletionChunk[]): JsonObject[] {
  return chunks.flatMap(({ choices }) => choices.map(({ delta }): JsonObject => delta));
}

const data = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const encrypted = `gAAAAABo0pZ${'Q'.repeat(40)}`;
const reasoningItems = [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: encrypted }];
const oslo = { url: 'https://example.com/oslo', title: 'Oslo' };

describe('an answer of the Responses API', () => {
  it('has web citations in the format of Chat Completions, with positions in the whole text', () => {
    expect(completed('text-citations.json').choices[0]?.message).toMatchObject({
      content: 'One. Oslo is the capital of Norway.',
      annotations: [{ type: 'url_citation', url_citation: { start_index: 5, end_index: 11, ...oslo } }],
    });
  });

  it('has web citations of a stream in one list, with the finish reason', async () => {
    const chunks = await streamedFrom('text-stream-citations.json');
    const citing = chunks.filter(({ choices }) => choices[0]?.delta.annotations);
    expect(citing).toHaveLength(1);
    expect(citing[0]?.choices[0]).toMatchObject({
      finish_reason: 'stop',
      delta: { annotations: [{ type: 'url_citation', url_citation: { start_index: 0, end_index: 6, ...oslo } }] },
    });
  });

  it('has log probabilities with the keys of Chat Completions', async () => {
    const whole = completed('text-logprobs.json').choices[0]?.logprobs;
    expect(whole).toMatchObject({ content: [{ token: 'Hel', bytes: [72, 101, 108] }, { token: 'lo' }], refusal: null });
    const chunks = await streamedFrom('text-stream-logprobs.json');
    const tokens = chunks.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? []);
    expect(tokens).toMatchObject([
      { token: 'Hel', bytes: null },
      { token: 'lo', top_logprobs: [] },
    ]);
  });

  it('has the reasoning before a call in that call, and accepts it back', async () => {
    const whole = completed('tools.json').choices[0]?.message;
    const extra = { extra_content: { openai: { reasoning_items: reasoningItems } } };
    expect(whole).toMatchObject({ content: 'Let me look.', tool_calls: [{ id: 'call_paris', ...extra }] });
    const [first, second] = deltas(await streamedFrom('parallel-tools-stream.json'))
      .flatMap((delta) => (delta.tool_calls ?? []) as JsonObject[])
      .filter(({ id }) => id);
    expect(first).toMatchObject({ id: 'call_paris', index: 0, extra_content: { openai: { reasoning_items: [{}] } } });
    expect(second).not.toHaveProperty('extra_content');

    const messages = [{ role: 'user', content: 'Hello' }, whole] as ChatCompletionRequest['messages'];
    expect(adapter.toRequest(providerCall({ messages })).body.input).toEqual([
      { type: 'message', role: 'user', content: 'Hello' },
      ...reasoningItems,
      { type: 'message', role: 'assistant', content: 'Let me look.' },
      { type: 'function_call', call_id: 'call_paris', name: 'get_weather', arguments: '{"city":"Paris"}' },
    ]);
  });

  it('may call custom tools', async () => {
    const custom = { name: 'write_sql', input: 'SELECT 1' };
    expect(completed('custom-tool.json').choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: 'call_sql', type: 'custom', custom }] },
    });
    const chunks = await streamedFrom('custom-tool-stream.json');
    const parts = deltas(chunks).flatMap(({ tool_calls: calls }) => (calls ?? []) as JsonObject[]);
    expect(parts[0]).toEqual({ index: 0, id: 'call_sql', type: 'custom', custom: { name: 'write_sql', input: '' } });
    const input = parts.map(({ custom }) => (custom as { input: string }).input).join('');
    expect(input).toBe('SELECT 1;\nSELECT "é"');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('sends arguments once if they arrive as a whole', async () => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'now', arguments: '' };
    const chunks = await streamed(
      data(
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item: { ...item, id: 'other', arguments: '{"a":1}' } },
        { type: 'response.completed', response: { status: 'completed' } },
      ),
    );
    const parts = deltas(chunks).flatMap(({ tool_calls: calls }) => (calls ?? []) as JsonObject[]);
    expect(parts).toMatchObject([
      { id: 'call_1', function: { arguments: '' } },
      { function: { arguments: '{"a":1}' } },
    ]);
  });

  it('indexes calls even if the server sends no index', async () => {
    const items = ['one', 'two', 'three'].map((name) => ({
      type: 'function_call',
      call_id: name,
      name,
      arguments: '{}',
    }));
    const events = items.flatMap((item) => [
      { type: 'response.output_item.added', item },
      { type: 'response.output_item.done', item },
    ]);
    const chunks = await streamed(data(...events, { type: 'response.completed', response: { status: 'completed' } }));
    const parts = deltas(chunks).flatMap(({ tool_calls: calls }) => (calls ?? []) as JsonObject[]);
    expect(parts.map(({ index }) => index)).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('starts with the first item, so that earlier errors have a status', async () => {
    const created = { type: 'response.created', response: { status: 'in_progress' } };
    const item = { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', summary: [] } };
    expect(await streamed(data(created))).toEqual([]);
    expect(deltas(await streamed(data(created, item, item)))).toEqual([{ role: 'assistant' }]);
  });

  it.each([
    ['server_error', 502],
    ['rate_limit_exceeded', 429],
    ['invalid_image_url', 400],
    ['image_content_policy_violation', 400],
  ])('that failed with %s is an error with status %i', async (code, status) => {
    const response = { status: 'failed', error: { code, message: 'It failed.' }, output: [] };
    const failure = expect.objectContaining({ failure: expect.objectContaining({ status }) });
    expect(() => adapter.fromResponse(response, call)).toThrow(failure);
    await expect(streamed(data({ type: 'response.failed', response }))).rejects.toEqual(failure);
  });

  it('that is invalid is an upstream error', () => {
    for (const body of [null, [], {}, { error: { message: 'No.' } }, { status: 'cancelled', output: [] }]) {
      expect(() => adapter.fromResponse(body, call)).toThrow(UpstreamError);
    }
  });
});

it("has the caller's field names in errors", () => {
  const refused = (param: string, fields: Partial<ChatCompletionRequest> = {}) =>
    adapter.toError(400, {}, { error: { message: 'No.', param } }, providerCall(fields)).body.param;
  expect(refused('max_output_tokens', { max_tokens: 1 })).toBe('max_tokens');
  expect(refused('max_output_tokens', { max_completion_tokens: 1 })).toBe('max_completion_tokens');
  expect(refused('reasoning.effort')).toBe('reasoning_effort');
  expect(refused('text.format.schema')).toBe('response_format.schema');
  expect(refused('input[1].content')).toBe('messages');
});

it.each(['frequency_penalty', 'presence_penalty'])('refuses %s unless its value has no effect', (field) => {
  const asked = (value: number) => () => adapter.toRequest(providerCall({ [field]: value }));
  expect(asked(1)).toThrow(expect.objectContaining({ body: expect.objectContaining({ param: field }) }));
  expect(asked(0)).not.toThrow();
});

it('reports fields that it drops, but not fields that it translates', () => {
  const request = {
    ...{ reasoning_effort: 'low', verbosity: 'low', max_tokens: 20, logprobs: true, response_format: { type: 'text' } },
    ...{ n: 1, seed: null, made_up: 1 },
  } as Partial<ChatCompletionRequest>;
  expect(adapter.toRequest(providerCall(request)).ignored).toEqual(['made_up']);
});
