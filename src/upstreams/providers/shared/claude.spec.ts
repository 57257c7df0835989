import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest, ChatMessage, ChatTool } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { UpstreamEvent } from '../../contract/provider.adapter.js';
import { anthropicAdapter } from '../anthropic/anthropic.adapter.js';
import { bedrockAdapter } from '../bedrock/bedrock.adapter.js';

const adapter = anthropicAdapter;
const messages: ChatCompletionRequest['messages'] = [{ role: 'user', content: 'Hi' }];
const tool: ChatTool = { type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } };

function bodyFor(upstreamModel: string, request: Partial<ChatCompletionRequest>) {
  return adapter.toRequest({ ...providerCall({ messages, ...request }), upstreamModel }).body;
}

const formatOf = (schema: JsonObject, strict: boolean) => ({
  type: 'json_schema' as const,
  json_schema: { name: 's', schema, strict },
});
const haiku = (request: Partial<ChatCompletionRequest>) => bodyFor('claude-haiku-4-5', request);
const opus = (request: Partial<ChatCompletionRequest>) => bodyFor('claude-opus-5', request);

describe('a tool', () => {
  const open = { type: 'object', properties: { m: { type: 'object', additionalProperties: { type: 'integer' } } } };
  const strictTool = (parameters: JsonObject) => ({
    tools: [tool, { type: 'function' as const, function: { name: 'put', parameters, strict: true } }],
  });

  it('a tool that is strict is refused if the API cannot keep its schema', () => {
    const refusal = { status: 400, body: expect.objectContaining({ param: 'tools[1].function.parameters' }) };
    expect(() => haiku(strictTool(open))).toThrow(expect.objectContaining(refusal));
  });

  it('a tool that is not strict, or for a model without strict tools, keeps its schema', () => {
    const loose = { tools: [{ type: 'function' as const, function: { name: 'put', parameters: open } }] };
    expect(haiku(loose).tools).toEqual([{ name: 'put', input_schema: open }]);
    const [, put] = bodyFor('claude-sonnet-4-0', strictTool(open)).tools as JsonObject[];
    expect(put).toEqual({ name: 'put', input_schema: open });
  });

  it('has an object that is not nullable as its input', () => {
    const [, put] = haiku(strictTool({ type: 'object', nullable: true })).tools as JsonObject[];
    expect(put?.input_schema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });
});

describe('a response format', () => {
  it.each([
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }],
    ['an object with further properties', { type: 'object', properties: {}, additionalProperties: true }],
    ['an object of any form', { type: 'object' }],
    [
      'an object of two parts',
      {
        allOf: [
          { type: 'object', properties: {} },
          { type: 'object', properties: {} },
        ],
      },
    ],
  ])(
    'a response format with %s is answered with the answer tool, as closed objects would change the meaning',
    (_name, part) => {
      const schema = { type: 'object', properties: { deep: { type: 'array', items: { anyOf: [part] } } } };
      const body = opus({ response_format: formatOf(schema, false) });
      expect(body.output_config).toBeUndefined();
      expect(body.tools).toEqual([{ name: 'json_answer', description: expect.any(String), input_schema: schema }]);
      expect(body.tool_choice).toEqual({ type: 'tool', name: 'json_answer' });
      const refusal = { status: 400, body: expect.objectContaining({ param: 'response_format.json_schema.schema' }) };
      expect(() => opus({ response_format: formatOf(schema, true) })).toThrow(expect.objectContaining(refusal));
    },
  );

  it("is answered with the answer tool, in addition to the caller's tools, without structured outputs", () => {
    const schema = { type: 'object', properties: {} };
    const request = { response_format: formatOf(schema, true), tools: [tool], parallel_tool_calls: false };
    const { body, ignored } = adapter.toRequest({
      ...providerCall({ messages, ...request }),
      upstreamModel: 'claude-sonnet-4-0',
    });
    expect(body.tools).toMatchObject([{ name: 'look_up' }, { name: 'json_answer', input_schema: schema }]);
    expect(body.tool_choice).toEqual({ type: 'any', disable_parallel_tool_use: true });
    expect(ignored).toEqual(['response_format.json_schema.strict']);
    const chosen = { type: 'function' as const, function: { name: 'look_up' } };
    expect(bodyFor('claude-sonnet-4-0', { ...request, tool_choice: chosen }).tools).toHaveLength(1);
  });

  it('keeps nulls in either notation', () => {
    const nullable = { type: 'string', nullable: true };
    const properties = { a: nullable, b: { type: 'array', items: { ...nullable, nullable: false } } };
    const schema = { type: 'object', properties, additionalProperties: false };
    const { output_config: config } = opus({
      response_format: { type: 'json_schema', json_schema: { name: 's', schema, strict: true } },
    });
    expect(config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          ...schema,
          properties: {
            a: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            b: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    });
  });
});

describe('an answer with the answer tool', () => {
  const map = { type: 'object', additionalProperties: { type: 'integer' } };
  const call = {
    ...providerCall({ messages, response_format: formatOf(map, false), tools: [tool] }),
    upstreamModel: 'claude-opus-5',
  };
  const answer = { type: 'tool_use', id: 't1', name: 'json_answer' };
  const look = { type: 'tool_use', id: 't2', name: 'look_up' };
  const wholeOf = (...content: object[]) =>
    adapter.fromResponse({ type: 'message', content, stop_reason: 'tool_use' }, call).choices[0];
  const block = (index: number, content_block: object, ...deltas: object[]) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const json = (partial_json: string) => ({ type: 'input_json_delta', partial_json });
  const streamOf = async (...blocks: { type: string }[][]) => {
    const end = { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } };
    const events = [{ type: 'message_start', message: {} }, ...blocks.flat(), end, { type: 'message_stop' }];
    const framed = events.map((event) => ({ event: event.type, data: JSON.stringify(event) }));
    const chunks = await lastValueFrom(from(framed as UpstreamEvent[]).pipe(adapter.fromStream(call), toArray()));
    const choices = chunks.flatMap((chunk) => chunk.choices);
    const content = choices.map(({ delta }) => delta.content ?? '').join('');
    const calls = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
    return { content, calls, finish: choices.at(-1)?.finish_reason };
  };

  it('has its input as content, and a normal finish reason', () => {
    const words = { type: 'text', text: 'Here it is.' };
    const choice = wholeOf(words, { ...answer, input: { a: 1 } });
    expect(choice).toMatchObject({ message: { content: '{"a":1}' }, finish_reason: 'stop' });
    expect(choice?.message).not.toHaveProperty('tool_calls');
    expect(wholeOf(words)).toMatchObject({ message: { content: 'Here it is.' }, finish_reason: 'stop' });
    expect(wholeOf({ ...look, input: {} })).toMatchObject({
      message: { content: null, tool_calls: [{ function: { name: 'look_up' } }] },
      finish_reason: 'tool_calls',
    });
  });

  it('streams its input as content, without text around it', async () => {
    const words = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Here it is.' });
    const streamed = await streamOf(words, block(1, { ...answer, input: {} }, json(''), json('{"a"'), json(':1}')));
    expect(streamed).toEqual({ content: '{"a":1}', calls: [], finish: 'stop' });
    const whole = await streamOf(block(0, { ...answer, input: { a: 1 } }));
    expect(whole).toEqual({ content: '{"a":1}', calls: [], finish: 'stop' });
  });

  it('is the text if the model calls another tool, or none', async () => {
    const words = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'No tool.' });
    expect(await streamOf(words)).toEqual({ content: 'No tool.', calls: [], finish: 'stop' });
    const called = await streamOf(block(0, { ...look, input: {} }, json('{}')));
    expect(called.calls.map(({ function: named }) => named?.name ?? named?.arguments)).toEqual(['look_up', '{}']);
    expect(called.finish).toBe('tool_calls');
  });
});

const question: ChatMessage = { role: 'user', content: 'Three colours as JSON' };
const prefilled: ChatMessage = { role: 'assistant', content: '{"colours": [ \n' };

describe.each([
  ['anthropic', anthropicAdapter, '', { type: 'text' }],
  ['bedrock', bedrockAdapter, 'us.anthropic.', {}],
])('a prefilled answer, at %s', (_name, adapter, prefix, block) => {
  const bodyOf = (model: string, request: Partial<ChatCompletionRequest> = {}) =>
    adapter.toRequest({
      ...providerCall({ messages: [question, prefilled], ...request }),
      upstreamModel: `${prefix}${model}`,
    }).body;
  const refusal = { status: 400, body: expect.objectContaining({ code: 'unsupported_value', param: 'messages[1]' }) };

  it('ends the conversation, without trailing white space', () => {
    for (const model of ['claude-haiku-4-5-20251001-v1:0', 'claude-3-5-sonnet-20240620-v1:0']) {
      expect(bodyOf(model).messages).toEqual([
        { role: 'user', content: [{ ...block, text: 'Three colours as JSON' }] },
        { role: 'assistant', content: [{ ...block, text: '{"colours": [' }] },
      ]);
    }
  });

  it.each([
    [false, 'claude-haiku-4-5'],
    [true, 'claude-opus-5'],
  ])('is accepted as declared: %s for %s', (prefill, model) => {
    const call = providerCall({ messages: [question, prefilled] });
    const request = () =>
      adapter.toRequest({ ...call, upstreamModel: `${prefix}${model}`, traits: { ...call.traits, prefill } });
    if (prefill) expect(request().body.messages).toHaveLength(2);
    else expect(request).toThrow(expect.objectContaining(refusal));
  });

  it('is refused if the model does not support it, or with a JSON schema', () => {
    for (const model of ['claude-opus-4-6', 'claude-sonnet-4-6', 'claude-opus-5']) {
      expect(() => bodyOf(model)).toThrow(expect.objectContaining(refusal));
    }
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const format = { type: 'json_schema' as const, json_schema: { name: 's', schema } };
    expect(() => bodyOf('claude-haiku-4-5', { response_format: format })).toThrow(expect.objectContaining(refusal));
  });

  it('disables thinking, which the API refuses for prefilled answers', () => {
    const requested = bodyOf('claude-haiku-4-5', { reasoning_effort: 'high', max_tokens: 30_000 });
    expect(JSON.stringify(requested)).not.toContain('thinking');
  });

  it.each<[string, ChatMessage[]]>([
    ['an empty answer', [question, { role: 'assistant', content: ' ' }]],
    ['a system message after the answer', [question, prefilled, { role: 'system', content: 'Be brief.' }]],
    ['tool calls', [question, { role: 'assistant', content: 'x', tool_calls: [call()] }]],
  ])('does not exist if the conversation ends with %s: the user is last', (_what, messages) => {
    const { messages: turns } = bodyOf('claude-opus-5', { messages });
    expect(turns).toEqual(expect.arrayContaining([expect.objectContaining({ role: 'user' })]));
    expect((turns as { role: string }[]).at(-1)?.role).toBe('user');
  });
});

function call() {
  return { id: 'c', type: 'function' as const, function: { name: 'look', arguments: '{}' } };
}
