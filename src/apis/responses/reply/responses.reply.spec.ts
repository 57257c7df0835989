import { describe, expect, it } from '@jest/globals';
import { chunk, completion, usageChunk } from '../../../../test/support/chat-chunks.js';
import { DETAILED_USAGE, replyTo, streamed } from '../../../../test/support/responses-reply.js';
import type { ChatCompletion } from '../../../upstreams/contract/chat.types.js';
import { decodeReasoning } from '../../shared/carried-reasoning.js';
import { responsesFormat } from '../responses.format.js';

const ENCRYPTED = { include: ['reasoning.encrypted_content'] };
const SUMMARY = { reasoning: { summary: 'auto' } };
const signed = { google: { thought_signature: 'c2ln' } };

function whole(answer: ChatCompletion, fields: object = {}) {
  return JSON.parse(replyTo(fields).whole(answer));
}

const call = (index: number, fields: object) => ({ tool_calls: [{ index, ...fields }] });
const begun = (index: number, name: string, more: object = {}) =>
  call(index, { id: `call_${index}`, type: 'function', function: { name, arguments: '' }, ...more });
const argued = (index: number, text: string) => call(index, { function: { arguments: text } });

describe('a whole answer', () => {
  it('has the ids, the usage and the settings of the request', () => {
    const tools = [{ type: 'function', name: 'f' }];
    const settings = { instructions: 'Be kind', temperature: 0.5, tools, metadata: { a: 'b' }, store: true, user: 'u' };
    const text = { format: { type: 'json_object' } };
    expect(
      whole(completion({ content: 'Hello' }, 'stop', DETAILED_USAGE), { ...settings, text, max_output_tokens: 9 }),
    ).toEqual({
      ...{ id: 'resp_ab', object: 'response', created_at: 1_700_000_000, status: 'completed', background: false },
      ...{ error: null, incomplete_details: null, model: 'm', instructions: 'Be kind', max_output_tokens: 9 },
      ...{ max_tool_calls: null, parallel_tool_calls: true, previous_response_id: null, prompt_cache_key: null },
      ...{
        reasoning: { effort: null, summary: null },
        safety_identifier: null,
        service_tier: 'default',
        store: false,
      },
      ...{ temperature: 0.5, text: { format: { type: 'json_object' }, verbosity: 'medium' }, tool_choice: 'auto' },
      tools: [{ type: 'function', name: 'f', parameters: null, strict: false }],
      ...{ top_logprobs: 0, top_p: 1, truncation: 'disabled', user: 'u', metadata: { a: 'b' } },
      output: [
        {
          ...{ id: 'msg_ab0', type: 'message', status: 'completed', role: 'assistant' },
          content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'Hello' }],
        },
      ],
      usage: {
        input_tokens: 11,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
        output_tokens: 3,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 14,
      },
    });
  });

  it('has zeros for details that the upstream does not report', () => {
    expect(whole(completion({ content: 'Hello' })).usage).toEqual({
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 14,
    });
  });

  it.each([
    ['length', { reason: 'max_output_tokens' }],
    ['content_filter', { reason: 'content_filter' }],
  ] as const)('cut by %s is incomplete', (finish, details) => {
    const response = whole(completion({ content: 'Hel' }, finish));
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: details });
    expect(response.output).toMatchObject([{ status: 'incomplete' }]);
  });

  it('has the upstream’s service tier', () => {
    expect(
      whole({ ...completion({ content: '' }), service_tier: 'priority' }, { service_tier: 'auto' }).service_tier,
    ).toBe('priority');
  });

  it.each([
    ['a refusal', { refusal: 'No.' }, [{ type: 'refusal', refusal: 'No.' }]],
    ['nothing', { content: null }, [{ type: 'output_text', text: '' }]],
  ])('a whole answer with %s is a message', (_what, message, content) => {
    expect(whole(completion(message)).output).toMatchObject([{ type: 'message', content }]);
  });

  it('has citations with positions within their text', () => {
    const url_citation = { url: 'https://a.b', title: 'A', start_index: 1, end_index: 3 };
    const { output } = whole(completion({ content: 'Hello', annotations: [{ type: 'url_citation', url_citation }] }));
    expect(output[0].content[0].annotations).toEqual([{ type: 'url_citation', ...url_citation }]);
  });

  it('has logprobs if they were requested', () => {
    const tokens = [{ token: 'Hi', logprob: -0.1, bytes: null, top_logprobs: [] }];
    const answer = completion({ content: 'Hi' });
    const [choice] = answer.choices;
    if (choice) choice.logprobs = { content: tokens, refusal: null };
    const requested = { include: ['message.output_text.logprobs'] };
    expect(whole(answer, requested).output[0].content[0].logprobs).toEqual(tokens);
    expect(whole(answer).output[0].content[0].logprobs).toEqual([]);
  });
});

describe('tool calls', () => {
  const tools = [
    { type: 'namespace', name: 'git', description: '', tools: [{ type: 'function', name: 'log' }] },
    { type: 'custom', name: 'sql' },
  ];

  it('have the client’s names', () => {
    const answer = completion(
      {
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'git__log', arguments: '{}' } },
          { id: 'c2', type: 'function', function: { name: 'sql', arguments: '{"input":"select 1"}' } },
          { id: 'c3', type: 'function', function: { name: 'unknown', arguments: '' } },
        ],
      },
      'tool_calls',
    );
    expect(whole(answer, { tools }).output).toEqual([
      { ...item('fc_ab0', 'function_call', 'c1'), name: 'log', namespace: 'git', arguments: '{}' },
      { ...item('ctc_ab1', 'custom_tool_call', 'c2'), name: 'sql', input: 'select 1' },
      { ...item('fc_ab2', 'function_call', 'c3'), name: 'unknown', arguments: '' },
    ]);
  });

  it('stream one after the other, even if the upstream interleaves them', () => {
    const pieces = [
      begun(0, 'f'),
      begun(1, 'g'),
      argued(1, '{"b"'),
      argued(0, '{"a":1'),
      argued(1, ':2}'),
      argued(0, '}'),
    ];
    const { types, response } = streamed([...pieces.map((delta) => chunk(delta)), chunk({}, 'tool_calls')]);
    expect(response.output).toMatchObject([{ arguments: '{"a":1}' }, { arguments: '{"b":2}' }]);
    expect(types.filter((type) => type.includes('item'))).toEqual([
      'response.output_item.added',
      'response.output_item.done',
      'response.output_item.added',
      'response.output_item.done',
    ]);
  });

  it('tool calls that follow each other are each streamed immediately', () => {
    const reply = replyTo({ stream: true });
    const texts = [begun(0, 'f'), argued(0, '{"a":1}'), begun(1, 'g'), argued(1, '{"b"')].map((delta) =>
      reply.next(chunk(delta)),
    );
    expect(texts[1]).toContain('"delta":"{\\"a\\":1}"');
    expect(texts[2]).toContain('response.output_item.done');
    expect(texts[3]).toContain('"delta":"{\\"b\\""');
  });

  it.each(['length', 'content_filter'] as const)('cut by %s are incomplete, whichever of them was cut', (finish) => {
    const pieces = [begun(0, 'f'), argued(0, '{"a":1}'), begun(1, 'g'), argued(1, '{"b"'), begun(2, 'h')];
    const calls = ['{"a":1}', '{"b"', ''].map((text, index) => ({
      id: `call_${index}`,
      type: 'function' as const,
      function: { name: 'fgh'.charAt(index), arguments: text },
    }));
    const { output } = whole(completion({ tool_calls: calls }, finish));
    expect(output).toMatchObject([{ status: 'completed' }, { status: 'incomplete' }, { status: 'incomplete' }]);
    const stream = streamed([...pieces.map((delta) => chunk(delta)), chunk({}, finish)]);
    expect(stream.response).toMatchObject({ status: 'incomplete', output });
  });

  it('tool calls of a custom tool stream their input once it is complete', () => {
    const pieces = [begun(0, 'sql'), argued(0, '{"input":"sel'), argued(0, 'ect 1"}')];
    const { events, response } = streamed([...pieces.map((delta) => chunk(delta)), chunk({}, 'tool_calls')], { tools });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'response.custom_tool_call_input.delta', delta: 'select 1' }),
    );
    expect(response.output).toMatchObject([{ type: 'custom_tool_call', input: 'select 1' }]);
  });

  function item(id: string, type: string, call_id: string): object {
    return { id, type, status: 'completed', call_id };
  }
});

describe('reasoning', () => {
  const answer = [
    chunk({ reasoning_content: 'Think' }),
    chunk({ reasoning_content: ' hard.' }),
    chunk(begun(0, 'f', { extra_content: signed })),
    chunk(argued(0, '{}')),
    chunk({}, 'tool_calls'),
    usageChunk(DETAILED_USAGE),
  ];
  const message = {
    reasoning_content: 'Think hard.',
    tool_calls: [
      { id: 'call_0', type: 'function' as const, function: { name: 'f', arguments: '{}' }, extra_content: signed },
    ],
  };

  it('is not shown unless it was requested', () => {
    expect(streamed(answer).response.output).toMatchObject([{ type: 'function_call' }]);
  });

  it('is a summary before the output that follows it', () => {
    const { response, types } = streamed(answer, SUMMARY);
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Think hard.' }], status: 'completed' },
      { type: 'function_call' },
    ]);
    expect(response.output[0]).not.toHaveProperty('encrypted_content');
    expect(types.slice(2, 9)).toEqual([
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
    ]);
  });

  it.each([
    ['with a summary', { ...SUMMARY, ...ENCRYPTED }, { call: signed }],
    ['without one', ENCRYPTED, { call: signed, message: { reasoning_content: 'Think hard.' } }],
  ])('carries the data that its provider needs back, %s, in JSON and in streams', (_how, fields, carried) => {
    const { output } = streamed(answer, fields).response;
    expect(output).toHaveLength(2);
    expect(decodeReasoning((output[0] as { encrypted_content?: string }).encrypted_content)).toEqual(carried);
    expect(whole(completion(message, 'tool_calls'), fields).output).toEqual(output);
  });

  it('carries the fields of the whole message, which some streams have at their end', () => {
    const details = [{ type: 'reasoning.text', text: 'T', signature: 's' }];
    const { output } = streamed(
      [chunk({ content: 'Hi' }), chunk({ reasoning_details: details }, 'stop')],
      ENCRYPTED,
    ).response;
    expect(output.map(({ type }) => type)).toEqual(['message', 'reasoning']);
    const carried = decodeReasoning((output[1] as { encrypted_content?: string }).encrypted_content);
    expect(carried).toEqual({ message: { reasoning_details: details } });
    const atOnce = whole(completion({ content: 'Hi', reasoning_details: details }), ENCRYPTED).output;
    expect(atOnce.map(({ type }: { type: string }) => type)).toEqual(['reasoning', 'message']);
  });

  it('is restored when the client sends it back', () => {
    const { output } = streamed(answer, ENCRYPTED).response;
    const { request } = responsesFormat.read({ model: 'm', input: output }, { headers: {}, path: '/' });
    expect(request.messages).toEqual([{ role: 'assistant', content: null, ...message }]);
  });
});
