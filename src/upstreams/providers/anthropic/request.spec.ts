import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { UNKNOWN_TRAITS } from '../../../config/models.settings.js';
import type { ChatCompletionRequest, ChatTool } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { anthropicAdapter } from './anthropic.adapter.js';
import { toRequestBody } from './request.js';

const messages: ChatCompletionRequest['messages'] = [{ role: 'user', content: 'Hi' }];
const tool: ChatTool = { type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } };
const tools = [tool, { type: 'function' as const, function: { name: 'now' } }];

function bodyFor(upstreamModel: string, request: Partial<ChatCompletionRequest> = {}, maxOutputTokens = 64_000) {
  return toRequestBody({ ...providerCall({ messages, ...request }), upstreamModel, maxOutputTokens });
}

const haiku = (request?: Partial<ChatCompletionRequest>) => bodyFor('claude-haiku-4-5', request);
const opus = (request?: Partial<ChatCompletionRequest>) => bodyFor('claude-opus-5', request);

describe('a Messages request', () => {
  it("has only the upstream model, the conversation and the catalog's output limit", () => {
    expect(opus()).toEqual({
      model: 'claude-opus-5',
      max_tokens: 64_000,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      stream: false,
    });
  });

  it("uses the caller's limit with either name, and a default if there is none", () => {
    expect(haiku({ max_tokens: 7 }).max_tokens).toBe(7);
    expect(haiku({ max_tokens: 7, max_completion_tokens: 9 }).max_tokens).toBe(9);
    expect(toRequestBody(providerCall({ messages })).max_tokens).toBe(4096);
  });

  it("sends sampling fields with the API's names, and drops harmless fields without an equivalent", () => {
    const body = haiku({
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      stop: 'END',
      stream: true,
      frequency_penalty: 0,
      presence_penalty: 0.5,
      seed: 1,
      store: true,
      verbosity: 'low',
      service_tier: 'flex',
      metadata: { a: 'b' },
      n: 1,
      unheard_of: true,
    });
    expect(body).toEqual({
      ...haiku(),
      stream: true,
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      stop_sequences: ['END'],
      presence_penalty: 0.5,
    });
    expect(haiku({ stop: ['a', 'b'] }).stop_sequences).toEqual(['a', 'b']);
  });

  it('includes the user id, but not an email address', () => {
    expect(haiku({ user: 'u-17' }).metadata).toEqual({ user_id: 'u-17' });
    expect(haiku({ user: 'u-17', safety_identifier: 's-1' }).metadata).toEqual({ user_id: 's-1' });
    expect(haiku({ user: 'a@b.example' }).metadata).toEqual({ user_id: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('keeps cache marks on the request, messages, parts, tools and tool results', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(haiku(mark)).toMatchObject(mark);
    const body = haiku({
      tools: [{ ...tool, ...mark }],
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'a', ...mark }] },
        { role: 'user', content: 'b', ...mark },
        { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }] },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'd', ...mark }] },
      ] as ChatCompletionRequest['messages'],
    });
    expect(body).toMatchObject({
      system: [{ text: 'a', ...mark }],
      tools: [mark],
      messages: [
        { content: [{ text: 'b', ...mark }] },
        {},
        { content: [{ type: 'tool_result', content: [{ type: 'text', text: 'd' }], ...mark }] },
      ],
    });
  });
});

describe('tools', () => {
  it('have a schema, strict if requested', () => {
    const strict: ChatTool = { type: 'function', function: { name: 'x', description: 'd', strict: true } };
    expect(haiku({ tools: [tool, strict] }).tools).toEqual([
      { name: 'look_up', input_schema: { type: 'object' } },
      {
        name: 'x',
        description: 'd',
        input_schema: { type: 'object', properties: {}, additionalProperties: false },
        strict: true,
      },
    ]);
  });

  it.each<[ChatCompletionRequest['tool_choice'], boolean | undefined, JsonObject | undefined]>([
    [undefined, undefined, undefined],
    [undefined, true, undefined],
    [undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
    ['auto', undefined, { type: 'auto' }],
    ['none', false, { type: 'none' }],
    ['required', undefined, { type: 'any' }],
    ['required', false, { type: 'any', disable_parallel_tool_use: true }],
    [{ type: 'function', function: { name: 'now' } }, undefined, { type: 'tool', name: 'now' }],
  ])('tools with choice %j (parallel: %j) become %j', (tool_choice, parallel_tool_calls, chosen) => {
    const body = haiku({
      tools,
      ...(tool_choice && { tool_choice }),
      ...(parallel_tool_calls !== undefined && { parallel_tool_calls }),
    });
    expect(body.tool_choice).toEqual(chosen);
    expect(body.tools).toHaveLength(2);
  });

  it('are limited to the tools that the choice allows', () => {
    const allowed = { mode: 'required' as const, tools: [{ type: 'function', function: { name: 'now' } }] };
    const body = haiku({ tools, tool_choice: { type: 'allowed_tools', allowed_tools: allowed } });
    expect(body).toMatchObject({ tools: [{ name: 'now' }], tool_choice: { type: 'any' } });
    expect(body.tools).toHaveLength(1);
  });

  it('tools of earlier calls are defined if the caller offers none, and cannot be called', () => {
    const body = haiku({
      messages: [
        ...messages,
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
    });
    expect(body).toMatchObject({ tools: [{ name: 'f' }], tool_choice: { type: 'none' } });
  });
});

describe('thinking', () => {
  it('is disabled if a tool is forced, except for models that support both', () => {
    const forced = { tools, tool_choice: 'required' as const, reasoning_effort: 'low' };
    expect(bodyFor('claude-opus-4-7', forced)).not.toHaveProperty('thinking');
    expect(bodyFor('claude-opus-4-7', forced).output_config).toEqual({ effort: 'low' });
    expect(bodyFor('claude-opus-4-8', forced).thinking).toMatchObject({ type: 'adaptive' });
    expect(opus(forced).thinking).toMatchObject({ type: 'adaptive' });
  });

  it('uses the efforts that the model supports', () => {
    const effortOf = (model: string) => bodyFor(model, { reasoning_effort: 'xhigh' }).output_config;
    expect(effortOf('claude-opus-4-6')).toEqual({ effort: 'max' });
    expect(effortOf('claude-opus-4-7')).toEqual({ effort: 'xhigh' });
  });
});

describe('a response format', () => {
  it('a response format with a schema becomes the output format, with closed objects', () => {
    const point = { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] };
    const schema = {
      type: 'object',
      properties: { type: { type: 'string' }, at: { $ref: '#/$defs/point' }, all: { type: 'array', items: point } },
      $defs: {
        point,
        maybe: { ...point, type: ['object', 'null'] },
        none: { type: 'object', additionalProperties: false },
      },
    };
    const given = structuredClone(schema);
    const body = opus({ response_format: { type: 'json_schema', json_schema: { name: 's', schema } } });
    const closed = { ...point, additionalProperties: false };
    expect(body.output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          ...schema,
          properties: { ...schema.properties, all: { type: 'array', items: closed } },
          $defs: {
            point: closed,
            maybe: { ...closed, type: ['object', 'null'] },
            none: { type: 'object', additionalProperties: false },
          },
          additionalProperties: false,
        },
      },
    });
    expect(schema).toEqual(given);
  });

  it("a response format without a schema becomes an instruction after the caller's instructions", () => {
    const conversation = [{ role: 'system' as const, content: 'Be brief.' }, ...messages];
    const body = opus({ messages: conversation, response_format: { type: 'json_object' } });
    expect(body.system).toEqual([
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: expect.stringContaining('JSON object') },
    ]);
    expect(body.output_config).toBeUndefined();
  });
});

describe('a reasoning effort', () => {
  it.each([
    ['claude-opus-5', 'minimal', { type: 'adaptive', display: 'summarized' }, 'low'],
    ['claude-sonnet-5', 'xhigh', { type: 'adaptive', display: 'summarized' }, 'xhigh'],
    ['claude-opus-4-7', 'max', { type: 'adaptive', display: 'summarized' }, 'max'],
    ['claude-opus-4-6', 'high', { type: 'adaptive' }, 'high'],
    ['claude-mythos-preview', 'low', { type: 'adaptive', display: 'summarized' }, 'low'],
    ['claude-opus-5', 'none', { type: 'disabled' }, undefined],
    ['claude-opus-4-8', 'none', undefined, undefined],
    ['claude-haiku-4-5', 'none', undefined, undefined],
    ['claude-haiku-4-5-20251001', 'medium', { type: 'enabled', budget_tokens: 8192 }, undefined],
    ['claude-sonnet-4-20250514', 'low', { type: 'enabled', budget_tokens: 2048 }, undefined],
    ['claude-3-7-sonnet-20250219', 'minimal', { type: 'enabled', budget_tokens: 1024 }, undefined],
  ])('requests thinking from %s with the effort %s in its own form', (model, reasoning_effort, thinking, effort) => {
    const body = bodyFor(model, { reasoning_effort });
    expect(body.thinking).toEqual(thinking);
    expect(body.output_config).toEqual(effort && { effort });
  });

  it.each([1025, 4096, 64_000])('sets a budget from 1024 to below a limit of %d', (max_tokens) => {
    for (const reasoning_effort of ['minimal', 'low', 'medium', 'high', 'xhigh', 'max']) {
      const { budget_tokens: budget } = haiku({ max_tokens, reasoning_effort }).thinking as { budget_tokens: number };
      expect(budget).toBeGreaterThanOrEqual(1024);
      expect(budget).toBeLessThan(max_tokens);
    }
  });

  it('sets no budget if the API would refuse it', () => {
    expect(haiku({ reasoning_effort: 'high', max_tokens: 1024 }).thinking).toBeUndefined();
    expect(haiku({ reasoning_effort: 'high', tools, tool_choice: 'required' }).thinking).toBeUndefined();
    expect(haiku({ reasoning_effort: 'high', tools, tool_choice: 'auto' }).thinking).toBeDefined();
    expect(opus({ reasoning_effort: 'high', tools, tool_choice: 'required' }).thinking).toBeDefined();
  });

  it("gives precedence to the API's own field", () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 };
    expect(haiku({ reasoning_effort: 'high', thinking }).thinking).toEqual(thinking);
  });

  it('combines with an output format', () => {
    const response_format = { type: 'json_schema' as const, json_schema: { name: 's', schema: { type: 'string' } } };
    expect(opus({ reasoning_effort: 'low', response_format }).output_config).toEqual({
      effort: 'low',
      format: { type: 'json_schema', schema: { type: 'string' } },
    });
  });
});

describe('the thinking of a model with declared traits', () => {
  const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
  const traitsOf = (thinking: 'always' | 'between_tools') => ({ ...UNKNOWN_TRAITS, efforts: [...efforts], thinking });
  const thinkingOf = (kind: 'always' | 'between_tools', request: Partial<ChatCompletionRequest>) => {
    const call = { ...providerCall({ messages, ...request }), upstreamModel: 'claude-next', traits: traitsOf(kind) };
    const { thinking, output_config: config } = toRequestBody(call);
    return { thinking, ...(config as object) };
  };
  const shown = { type: 'adaptive', display: 'summarized' };

  it.each<['always' | 'between_tools', Partial<ChatCompletionRequest>, object]>([
    ['always', { reasoning_effort: 'none' }, { thinking: shown, effort: 'low' }],
    ['always', { reasoning_effort: 'minimal' }, { thinking: shown, effort: 'low' }],
    ['always', { thinking: { type: 'disabled' } }, { thinking: shown, effort: 'low' }],
    [
      'always',
      { thinking: { type: 'enabled', budget_tokens: 9000 } },
      { thinking: { type: 'adaptive' }, effort: 'medium' },
    ],
    [
      'always',
      { thinking: { type: 'enabled', budget_tokens: 9000, display: 'omitted' }, reasoning_effort: 'max' },
      { thinking: { type: 'adaptive', display: 'omitted' }, effort: 'max' },
    ],
    [
      'always',
      { thinking: { type: 'adaptive' }, reasoning_effort: 'minimal' },
      { thinking: { type: 'adaptive' }, effort: 'low' },
    ],
    ['between_tools', { reasoning_effort: 'none' }, { thinking: { type: 'between_tools' } }],
    ['between_tools', { reasoning_effort: 'max' }, { thinking: shown, effort: 'max' }],
    ['between_tools', { thinking: { type: 'disabled' } }, { thinking: { type: 'between_tools' } }],
    [
      'between_tools',
      { thinking: { type: 'disabled' }, reasoning_effort: 'max' },
      { thinking: { type: 'between_tools' }, effort: 'high' },
    ],
    [
      'between_tools',
      { thinking: { type: 'between_tools' }, reasoning_effort: 'xhigh' },
      { thinking: { type: 'between_tools' }, effort: 'high' },
    ],
    ['always', { thinking: { type: 'between_tools' } }, { thinking: shown, effort: 'low' }],
  ])('the thinking of a model with declared traits with thinking %s, %j becomes %j', (kind, request, expected) => {
    expect(thinkingOf(kind, request)).toEqual(expected);
  });
});

const adapter = anthropicAdapter;
const place = { project: 'my-project', location: 'us-east5' };

function callTo(settings: Readonly<Record<string, string>>, stream: boolean) {
  const upstreamModel = 'claude-sonnet-4-5@20250929';
  return { ...providerCall({ stream, messages: [{ role: 'user', content: 'Hi' }] }), upstreamModel, settings };
}

const fields = { model: 'public', max_tokens: 10, messages: [], future: 1 };
const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a,b' };

describe('Claude on Vertex AI', () => {
  it.each([
    [
      place,
      true,
      '/v1/projects/my-project/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict',
    ],
    [
      { project: 'p' },
      false,
      '/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict',
    ],
  ])('%j, streamed %p, is called at %s', (settings, stream, path) => {
    const call = callTo(settings, stream);
    const chat = adapter.toRequest(call);
    const native = adapter.nativeApi('messages')?.toRequest(call, { api: 'messages', fields, headers });
    expect([chat.path, native?.path]).toEqual([path, path]);
    expect(chat.headers).toEqual({});
    expect(chat.body).toMatchObject({ anthropic_version: 'vertex-2023-10-16', messages: [expect.anything()], stream });
    expect(chat.body).not.toHaveProperty('model');
  });

  it('gets native requests unchanged, with beta features in their header', () => {
    const native = adapter.nativeApi('messages')?.toRequest(callTo(place, false), { api: 'messages', fields, headers });
    const { model: _, ...others } = fields;
    expect(native?.body).toEqual({ anthropic_version: 'vertex-2023-10-16', ...others });
    expect(native?.headers).toEqual({ 'anthropic-beta': 'a,b' });
  });
});

it.each([
  [
    'Vertex AI',
    place,
    '/v1/projects/my-project/locations/us-east5/publishers/anthropic/models/count-tokens:rawPredict',
  ],
  ['Anthropic', {}, '/v1/messages/count_tokens'],
])('%s counts tokens', (_host, settings, path) => {
  const call = callTo(settings, false);
  const request = adapter.nativeApi('messages')?.counts?.toRequest(call, { api: 'messages', fields, headers });
  expect(request).toMatchObject({ path, body: { ...fields, model: call.upstreamModel } });
});

const UNKNOWN_BETA = 'Unexpected value(s) `b` for the `anthropic-beta` header. Please consult our documentation.';

it.each([
  ['Vertex AI', place, 'a'],
  ['Anthropic', {}, null],
])('a request with a beta feature that %s does not know', (_host, settings, repeated) => {
  const call = callTo(settings, false);
  const body = { type: 'error', error: { type: 'invalid_request_error', message: UNKNOWN_BETA } };
  const { failure } = adapter.toError(400, {}, body, call);
  const again = adapter.nativeApi('messages')?.withoutRefused({ api: 'messages', fields, headers }, failure);
  expect(again?.body.headers['anthropic-beta'] ?? null).toBe(repeated);
});

it('an upstream without a project is Anthropic itself', () => {
  const { path, headers, body } = adapter.toRequest(callTo({}, false));
  expect({ path, headers }).toEqual({ path: '/v1/messages', headers: { 'anthropic-version': '2026-10-21' } });
  expect(body.model).toBe('claude-sonnet-4-5@20250929');
});
