import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { readExchange } from '../../../../test/support/exchanges.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import { GatewayError } from '../../../common/gateway.error.js';
import { type ModelTraits, UNKNOWN_TRAITS } from '../../../config/models.settings.js';
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { framed } from '../../framing/framing.js';
import { PROVIDERS } from '../providers.js';
import { responsesSurface } from './native.api.js';
import { openAiResponses } from './responses.adapter.js';

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
  ])(
    'an answer of the Responses API that failed with %s is an error with status %i and its usage',
    async (code, status) => {
      const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };
      const response = { status: 'failed', error: { code, message: 'It failed.' }, output: [], usage };
      const reported = expect.objectContaining({ total_tokens: 7 });
      const failure = expect.objectContaining({ failure: expect.objectContaining({ status, usage: reported }) });
      expect(() => adapter.fromResponse(response, call)).toThrow(failure);
      await expect(streamed(data({ type: 'response.failed', response }))).rejects.toEqual(failure);
    },
  );

  it('an answer of the Responses API that is invalid is an upstream error', () => {
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
  const requested = (value: number) => () => adapter.toRequest(providerCall({ [field]: value }));
  expect(requested(1)).toThrow(expect.objectContaining({ body: expect.objectContaining({ param: field }) }));
  expect(requested(0)).not.toThrow();
});

it('reports fields that it drops, but not fields that it translates', () => {
  const request = {
    ...{ reasoning_effort: 'low', verbosity: 'low', max_tokens: 20, logprobs: true, response_format: { type: 'text' } },
    ...{ n: 1, seed: null, made_up: 1 },
  } as Partial<ChatCompletionRequest>;
  expect(adapter.toRequest(providerCall(request)).ignored).toEqual(['made_up']);
});

const tools: ChatCompletionRequest['tools'] = [{ type: 'function', function: { name: 'now' } }];
const custom: ChatCompletionRequest['tools'] = [{ type: 'custom', custom: { name: 'sql' } }];
const messages: ChatCompletionRequest['messages'] = [{ role: 'user', content: 'Hello' }];

function sent(
  protocol: string,
  reasonsWithoutTools: ProviderCall['reasonsWithoutTools'],
  fields: Partial<ChatCompletionRequest>,
  settings: Record<string, string> = {},
) {
  const adapter = PROVIDERS.find((candidate) => candidate.protocol === protocol);
  if (!adapter) throw new Error(`no adapter ${protocol}`);
  return adapter.toRequest({ ...providerCall({ messages, ...fields }), reasonsWithoutTools, settings });
}

describe('a model that cannot use function tools while reasoning in Chat Completions', () => {
  it.each([
    ['openai', '/responses', '/chat/completions'],
    ['azure', '/openai/v1/responses', '/openai/v1/chat/completions'],
  ])('%s: uses the Responses API only for function tools', (protocol, responses, chat) => {
    expect(sent(protocol, 'always', { tools }).path).toBe(responses);
    expect(sent(protocol, 'always', { tools, reasoning_effort: 'low' }).path).toBe(responses);
    expect(sent(protocol, 'asked', { tools, reasoning_effort: 'low' }).path).toBe(responses);
    expect(sent(protocol, 'asked', { tools }).path).toBe(chat);
    expect(sent(protocol, null, { tools, reasoning_effort: 'low' }).path).toBe(chat);
    expect(sent(protocol, 'always', { reasoning_effort: 'low' }).path).toBe(chat);
    expect(sent(protocol, 'always', { tools: custom }).path).toBe(chat);
    expect(sent(protocol, 'always', { tools, reasoning_effort: 'none' }).path).toBe(chat);
  });

  it('requests reasoning in a format that can be sent back', () => {
    expect(sent('openai', 'always', { tools }).body).toMatchObject({ include: ['reasoning.encrypted_content'] });
  });

  it('uses Chat Completions, without reasoning, for fields that only Chat Completions supports', () => {
    expect(sent('openai', 'always', { tools, stop: 'END' })).toMatchObject({
      path: '/chat/completions',
      body: { stop: 'END', reasoning_effort: 'none' },
    });
    expect(sent('openai', 'always', { stop: 'END' }).body).not.toHaveProperty('reasoning_effort');
    expect(sent('openai', 'asked', { tools, stop: 'END' }).body).not.toHaveProperty('reasoning_effort');
  });

  it('refuses a field that neither API supports together with an effort', () => {
    const both = () => sent('openai', 'always', { tools, stop: 'END', reasoning_effort: 'high' });
    expect(both).toThrow(GatewayError);
    expect(both).toThrow(expect.objectContaining({ status: 400, body: expect.objectContaining({ param: 'stop' }) }));
  });

  it.each([
    ['azure', { apiVersion: '2024-10-21' }],
    ['openai-compatible', {}],
    ['vllm', {}],
  ])('%s %j: has no Responses API, and does not reason unless the caller sets an effort', (protocol, settings) => {
    const unasked = sent(protocol, 'always', { tools }, settings);
    expect(unasked.path).toContain('/chat/completions');
    expect(unasked.body.reasoning_effort).toBe('none');
    expect(sent(protocol, 'always', { tools, reasoning_effort: 'low' }, settings).body.reasoning_effort).toBe('low');
    expect(sent(protocol, null, { tools }, settings).body).not.toHaveProperty('reasoning_effort');
  });
});

describe.each([
  ['openai', '/responses', '/chat/completions'],
  ['azure', '/openai/v1/responses', '/openai/v1/chat/completions'],
])('a model of %s with declared efforts', (protocol, responsesPath, chatPath) => {
  type Efforts = NonNullable<ModelTraits['efforts']>;
  const ALWAYS: Efforts = ['low', 'medium', 'high', 'xhigh', 'max'];
  function sentTo(efforts: Efforts, fields: Partial<ChatCompletionRequest>, settings = {}) {
    const adapter = PROVIDERS.find((candidate) => candidate.protocol === protocol);
    if (!adapter) throw new Error(`no adapter ${protocol}`);
    const traits = { ...UNKNOWN_TRAITS, efforts };
    return adapter.toRequest({
      ...providerCall({ messages, ...fields }),
      reasonsWithoutTools: 'always',
      traits,
      settings,
    });
  }

  it('a model that always reasons gets function tools without what only Chat Completions have, which is named', () => {
    const lacking = {
      ...{ stop: 'END', frequency_penalty: 0.5, presence_penalty: 0.5, seed: 7 },
      ...{ logit_bias: { 50256: -100 }, prediction: { type: 'content' as const, content: 'x' } },
    };
    const { path, body, ignored } = sentTo(ALWAYS, { tools, ...lacking, max_tokens: 5 });
    expect(path).toBe(responsesPath);
    expect(ignored).toEqual([...Object.keys(lacking), 'max_tokens']);
    expect(body).toMatchObject({ max_output_tokens: 16, tools: [{ name: 'now' }] });
    for (const field of Object.keys(lacking)) expect(body).not.toHaveProperty(field);
    expect(body).not.toHaveProperty('reasoning');
  });

  it('a model that always reasons gets no several answers and no audio with function tools', () => {
    expect(() => sentTo(ALWAYS, { tools, n: 2 })).toThrow(
      expect.objectContaining({ status: 400, body: expect.objectContaining({ param: 'n' }) }),
    );
  });

  it('a model that always reasons is never told not to', () => {
    for (const reasoning_effort of ['none', 'minimal']) {
      expect(sentTo(ALWAYS, { tools, stop: 'END', reasoning_effort }).body.reasoning).toEqual({ effort: 'low' });
      expect(sentTo(ALWAYS, { reasoning_effort }).body.reasoning_effort).toBe('low');
    }
    const dated = protocol === 'azure' ? { apiVersion: '2024-10-21' } : {};
    expect(sentTo(ALWAYS, { tools }, dated).body).not.toHaveProperty('reasoning_effort');
  });

  it('gets the effort max in the Responses API, and xhigh in Chat Completions for what only these have', () => {
    expect(sentTo(ALWAYS, { reasoning_effort: 'max' })).toMatchObject({
      path: responsesPath,
      body: { reasoning: { effort: 'max' } },
    });
    expect(sentTo(ALWAYS, { reasoning_effort: 'max', n: 2 })).toMatchObject({
      path: chatPath,
      body: { reasoning_effort: 'xhigh', n: 2 },
    });
  });

  it('a model that always reasons gets no sampling and log probabilities, except the default of 1', () => {
    const sampling = { temperature: 0.5, top_p: 0.5, logprobs: true, top_logprobs: 2 };
    for (const fields of [{ tools }, {}]) {
      const { body, ignored } = sentTo(ALWAYS, { ...sampling, ...fields });
      expect(ignored).toEqual(Object.keys(sampling));
      for (const field of Object.keys(sampling)) expect(body).not.toHaveProperty(field);
    }
    expect(sentTo(ALWAYS, { temperature: 1, top_p: 1 })).toMatchObject({
      body: { temperature: 1, top_p: 1 },
      ignored: [],
    });
  });

  it('a model that can do without reasoning gets sampling as it is', () => {
    for (const fields of [{}, { reasoning_effort: 'none', tools }, { stop: 'END', tools }]) {
      expect(sentTo(['none', ...ALWAYS], { temperature: 0.5, ...fields })).toMatchObject({
        path: chatPath,
        body: { temperature: 0.5 },
        ignored: [],
      });
    }
  });
});
