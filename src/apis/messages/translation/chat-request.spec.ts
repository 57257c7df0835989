import { describe, expect, it } from '@jest/globals';
import { deepFreeze } from '../../../../test/support/deep-freeze.js';
import { encodeReasoning } from '../../shared/carried-reasoning.js';
import { messagesFormat } from '../messages.format.js';

const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a-2025-01-01,b-2025-01-01' };
const minimal = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };
const EPHEMERAL = { type: 'ephemeral' };

/** Frozen, since the client's request is passed on unchanged. */
function read(fields: object) {
  return messagesFormat.read(deepFreeze({ ...minimal, ...fields }), { headers, path: '/v1/messages' });
}

const chat = (fields: object) => read(fields).request;
const messagesOf = (...messages: object[]) => chat({ messages }).messages;
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const toolUse = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { at: 1 } });
const called = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{"at":1}' } });
const PNG = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const PNG_PART = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

describe('a request in the inner form', () => {
  it.each<[string, object, object]>([
    ['text', {}, { model: 'm', max_tokens: 10, messages: minimal.messages }],
    ['sampling', { temperature: 0.5, top_p: 0.9, top_k: 5 }, { temperature: 0.5, top_p: 0.9, top_k: 5 }],
    ['stop sequences', { stop_sequences: ['END'] }, { stop: ['END'] }],
    ['a stream', { stream: true }, { stream: true, stream_options: { include_usage: true } }],
    ['a user', { metadata: { user_id: 'u1' } }, { user: 'u1' }],
    ['an effort', { output_config: { effort: 'max' } }, { reasoning_effort: 'max' }],
    [
      'an effort of thinking',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      { reasoning_effort: 'low' },
    ],
    ['adaptive thinking', { thinking: { type: 'adaptive' } }, { reasoning_effort: 'high' }],
    ['thinking without a budget', { thinking: { type: 'enabled' } }, { reasoning_effort: 'high' }],
    ['a small budget', { thinking: { type: 'enabled', budget_tokens: 1024 } }, { reasoning_effort: 'minimal' }],
    ['a budget', { thinking: { type: 'enabled', budget_tokens: 10_000 } }, { reasoning_effort: 'medium' }],
    ['a large budget', { thinking: { type: 'enabled', budget_tokens: 31_999 } }, { reasoning_effort: 'xhigh' }],
    [
      'no thinking',
      { thinking: { type: 'disabled' }, output_config: { effort: 'high' } },
      { reasoning_effort: 'none' },
    ],
    ['fast mode', { speed: 'fast' }, { service_tier: 'fast' }],
  ])('has %s', (_what, fields, expected) => {
    expect(chat(fields)).toEqual({ ...chat({}), ...expected });
  });

  it('has a hash instead of a long user id, as OpenAI accepts at most 64 characters', () => {
    const { user } = chat({ metadata: { user_id: `user_${'x'.repeat(200)}` } });
    expect(user).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has a JSON schema, strict if all objects are closed', () => {
    const closed = { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false };
    const open = { ...closed, required: [] };
    const formatOf = (schema: object) =>
      chat({ output_config: { format: { type: 'json_schema', schema } } }).response_format;
    const strict = { type: 'json_schema', json_schema: { name: 'answer', schema: closed, strict: true } };
    expect(formatOf(closed)).toEqual(strict);
    expect(formatOf(open)).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: open, strict: false },
    });
    expect(chat({ output_format: { type: 'json_schema', schema: closed } }).response_format).toEqual(strict);
  });

  it('has functions for tools', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const tools = [
      { name: 'f', description: 'Does it.', input_schema: schema, strict: true },
      { type: 'custom', name: 'g', input_schema: {}, cache_control: EPHEMERAL },
    ];
    expect(chat({ tools }).tools).toEqual([
      { type: 'function', function: { name: 'f', description: 'Does it.', parameters: schema, strict: true } },
      { type: 'function', function: { name: 'g', parameters: {} }, cache_control: EPHEMERAL },
    ]);
  });

  it('has tool names of at most 64 characters, the same in tools, choices and calls', () => {
    const name = `mcp__server__${'x'.repeat(90)}`;
    const request = chat({
      tools: [{ name, input_schema: {} }],
      tool_choice: { type: 'tool', name },
      messages: [assistant({ ...toolUse('a'), name })],
    });
    const sent = JSON.stringify(request);
    const [offered = ''] = sent.match(/mcp__\w+/) ?? [];
    expect(offered).toHaveLength(64);
    expect(sent.split(`"${offered}"`)).toHaveLength(4);
    expect(sent).not.toContain(name);
  });

  it.each<[object, object]>([
    [{ type: 'auto' }, { tool_choice: 'auto' }],
    [{ type: 'any' }, { tool_choice: 'required' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [{ type: 'tool', name: 'f' }, { tool_choice: { type: 'function', function: { name: 'f' } } }],
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { tool_choice: 'auto', parallel_tool_calls: false },
    ],
    [{ type: 'any', disable_parallel_tool_use: false }, { tool_choice: 'required' }],
  ])('has the tool choice %j', (tool_choice, expected) => {
    const { tools, ...request } = chat({ tools: [{ name: 'f', input_schema: {} }], tool_choice });
    expect(tools).toHaveLength(1);
    expect(request).toEqual({ ...chat({}), ...expected });
    expect(chat({ tool_choice: { type: 'auto' } })).toEqual(chat({}));
  });
});

describe('a conversation in the inner form', () => {
  it('begins with the system text, and keeps later system messages', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'system', content: 'Now be brief.' },
      { role: 'user', content: 'b' },
    ];
    expect(chat({ system: 'Be kind.', messages }).messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      ...messages,
    ]);
    const system = [
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B', cache_control: EPHEMERAL },
    ];
    expect(chat({ system }).messages[0]).toEqual({ role: 'system', content: system });
  });

  it.each([undefined, null, '', []])('leaves out a system message with the content %j', (content) => {
    const question = { role: 'user', content: 'Hi' };
    expect(messagesOf({ role: 'system', content }, question)).toEqual([question]);
  });

  it('has images and documents as parts, and plain text as text', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
    expect(
      messagesOf(
        user(
          PNG,
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'document', source: pdf, title: 'Report.pdf' },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Once.' }, title: 'Tale' },
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'In it' }, PNG] } },
          {
            type: 'search_result',
            source: 'https://a.example',
            title: 'A',
            content: [{ type: 'text', text: 'Found.' }],
          },
        ),
      ),
    ).toEqual([
      user(
        PNG_PART,
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'file', file: { filename: 'Report.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
        { type: 'text', text: '<document>\n<title>Tale</title>\nOnce.\n</document>' },
        { type: 'text', text: '<document>' },
        { type: 'text', text: 'In it' },
        PNG_PART,
        { type: 'text', text: '</document>' },
        { type: 'text', text: '<document>\n<title>A</title>\n<source>https://a.example</source>\nFound.\n</document>' },
      ),
    ]);
  });

  it('has tool calls, then their results, then the rest of the user’s message', () => {
    const result = (id: string, content?: unknown, more = {}) => ({
      type: 'tool_result',
      tool_use_id: id,
      content,
      ...more,
    });
    expect(
      messagesOf(
        assistant({ type: 'text', text: 'Looking.' }, toolUse('a'), toolUse('b')),
        user(
          result('a', 'found'),
          result('b', [
            { type: 'text', text: 'x' },
            { type: 'text', text: 'y' },
          ]),
          result('c', 'gone', { is_error: true }),
          result('d', '<tool_use_error>gone</tool_use_error>', { is_error: true }),
          result('e'),
          { type: 'text', text: 'And now?' },
        ),
      ),
    ).toEqual([
      { role: 'assistant', content: 'Looking.', tool_calls: [called('a'), called('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'found' },
      { role: 'tool', tool_call_id: 'b', content: 'x\ny' },
      { role: 'tool', tool_call_id: 'c', content: 'Error: gone' },
      { role: 'tool', tool_call_id: 'd', content: '<tool_use_error>gone</tool_use_error>' },
      { role: 'tool', tool_call_id: 'e', content: '' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('has images and documents of tool results as parts of them', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
    const content = [PNG, { type: 'text', text: 'A screenshot' }, { type: 'document', source: pdf }];
    const file = { filename: 'document.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' };
    expect(messagesOf(user({ type: 'tool_result', tool_use_id: 'a', content, is_error: true }))).toEqual([
      {
        role: 'tool',
        tool_call_id: 'a',
        content: [{ type: 'text', text: 'Error: A screenshot' }, PNG_PART, { type: 'file', file }],
      },
    ]);
  });

  it('leaves out messages without remaining content', () => {
    expect(messagesOf(assistant({ type: 'text', text: '' }), ...minimal.messages)).toEqual(minimal.messages);
  });

  it('keeps cache marks, including the mark of the whole request', () => {
    const text = { type: 'text', text: 'a', cache_control: EPHEMERAL };
    expect(messagesOf(user(text))).toEqual([user(text)]);
    expect(chat({ cache_control: EPHEMERAL }).messages).toEqual([user({ ...text, text: 'Hello' })]);
    expect(messagesOf(user({ type: 'tool_result', tool_use_id: 'a', content: 'b', cache_control: EPHEMERAL }))).toEqual(
      [{ role: 'tool', tool_call_id: 'a', content: 'b', cache_control: EPHEMERAL }],
    );
  });
});

describe('reasoning of earlier answers', () => {
  const thinking = (signature: string) => ({ type: 'thinking', thinking: 'Hm.', signature });
  const own = { google: { thought_signature: 'sig' } };
  const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 'sig' }];

  it("is Claude's own if it lacks our mark, and belongs to the next call", () => {
    const redacted = { type: 'redacted_thinking', data: 'xyz' };
    const [message] = messagesOf(assistant(thinking('s1'), redacted, toolUse('a'), thinking('s2'), toolUse('b')));
    expect(message).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [
        { ...called('a'), extra_content: { anthropic: { thinking_blocks: [thinking('s1'), redacted] } } },
        { ...called('b'), extra_content: { anthropic: { thinking_blocks: [thinking('s2')] } } },
      ],
    });
  });

  it('reasoning of earlier answers with our mark is restored to the fields that its provider reads', () => {
    const signature = encodeReasoning({ call: own, message: { reasoning_details: details, role: 'system' } });
    expect(messagesOf(assistant(thinking(signature), toolUse('a')))).toEqual([
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        reasoning_details: details,
        tool_calls: [{ ...called('a'), extra_content: own }],
      },
    ]);
  });
});
