import { describe, expect, it } from '@jest/globals';
import { chunk, completion, usageChunk } from '../../../../test/support/chat-chunks.js';
import { eventsIn, ResponsesFollower } from '../../../../test/support/responses-events.js';
import { GatewayError } from '../../../common/gateway.error.js';
import type { Reply } from '../../../completions/formats/call-format.js';
import type { ChatCompletion, ChatCompletionChunk } from '../../../upstreams/contract/chat.types.js';
import { decodeReasoning } from '../../carried-reasoning.js';
import { responsesFormat } from '../responses.format.js';

const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 3,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 1 },
};
const ENCRYPTED = { include: ['reasoning.encrypted_content'] };
const SUMMARY = { reasoning: { summary: 'auto' } };
const signed = { google: { thought_signature: 'c2ln' } };

function replyTo(fields: object = {}): Reply {
  const { request, reply } = responsesFormat.read({ model: 'm', input: 'Hi', ...fields }, { headers: {}, path: '/' });
  return reply({ id: 'chatcmpl-ab', startedAt: new Date(1_700_000_000_900), request, estimatedInputTokens: 1 });
}

function streamed(chunks: readonly ChatCompletionChunk[], fields: object = {}): ResponsesFollower {
  const reply = replyTo({ ...fields, stream: true });
  const stream = new ResponsesFollower(eventsIn(chunks.map((chunk) => reply.next(chunk)).join('') + reply.end()));
  expect(stream.faults).toEqual([]);
  return stream;
}

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
    expect(whole(completion({ content: 'Hello' }, 'stop', USAGE), { ...settings, text, max_output_tokens: 9 })).toEqual(
      {
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
      },
    );
  });

  it('tells 0 where the upstream tells no details', () => {
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
  ])('with %s is a message', (_what, message, content) => {
    expect(whole(completion(message)).output).toMatchObject([{ type: 'message', content }]);
  });

  it('has citations, counted within their text', () => {
    const url_citation = { url: 'https://a.b', title: 'A', start_index: 1, end_index: 3 };
    const { output } = whole(completion({ content: 'Hello', annotations: [{ type: 'url_citation', url_citation }] }));
    expect(output[0].content[0].annotations).toEqual([{ type: 'url_citation', ...url_citation }]);
  });

  it('has logprobs where they were asked for', () => {
    const tokens = [{ token: 'Hi', logprob: -0.1, bytes: null, top_logprobs: [] }];
    const answer = completion({ content: 'Hi' });
    const [choice] = answer.choices;
    if (choice) choice.logprobs = { content: tokens, refusal: null };
    const asked = { include: ['message.output_text.logprobs'] };
    expect(whole(answer, asked).output[0].content[0].logprobs).toEqual(tokens);
    expect(whole(answer).output[0].content[0].logprobs).toEqual([]);
  });
});

describe('tool calls', () => {
  const tools = [
    { type: 'namespace', name: 'git', description: '', tools: [{ type: 'function', name: 'log' }] },
    { type: 'custom', name: 'sql' },
  ];

  it('come back under the names of the client', () => {
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

  it('stream one after the other, also when the upstream mixes them', () => {
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

  it('that follow each other are each told at once', () => {
    const reply = replyTo({ stream: true });
    const texts = [begun(0, 'f'), argued(0, '{"a":1}'), begun(1, 'g'), argued(1, '{"b"')].map((delta) =>
      reply.next(chunk(delta)),
    );
    expect(texts[1]).toContain('"delta":"{\\"a\\":1}"');
    expect(texts[2]).toContain('response.output_item.done');
    expect(texts[3]).toContain('"delta":"{\\"b\\""');
  });

  it('of a custom tool stream their input when it is whole', () => {
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
    usageChunk(USAGE),
  ];
  const message = {
    reasoning_content: 'Think hard.',
    tool_calls: [
      { id: 'call_0', type: 'function' as const, function: { name: 'f', arguments: '{}' }, extra_content: signed },
    ],
  };

  it('is not shown unless it was asked for', () => {
    expect(streamed(answer).response.output).toMatchObject([{ type: 'function_call' }]);
  });

  it('is a summary in front of what it led to', () => {
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
  ])('carries what its provider needs back, %s, in JSON and streams alike', (_how, fields, carried) => {
    const { output } = streamed(answer, fields).response;
    expect(output).toHaveLength(2);
    expect(decodeReasoning((output[0] as { encrypted_content?: string }).encrypted_content)).toEqual(carried);
    expect(whole(completion(message, 'tool_calls'), fields).output).toEqual(output);
  });

  it('carries the fields of the whole message, which some streams tell at their end', () => {
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

  it('comes back as it went out', () => {
    const { output } = streamed(answer, ENCRYPTED).response;
    const { request } = responsesFormat.read({ model: 'm', input: output }, { headers: {}, path: '/' });
    expect(request.messages).toEqual([{ role: 'assistant', content: null, ...message }]);
  });
});

describe('a stream', () => {
  it('tells each delta at once, and ends with the whole response', () => {
    const reply = replyTo({ stream: true });
    const first = eventsIn(reply.next(chunk({ role: 'assistant', content: '' })));
    expect(first.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
    const second = eventsIn(reply.next(chunk({ content: 'Hel' })));
    expect(second.at(-1)).toMatchObject({ type: 'response.output_text.delta', delta: 'Hel', logprobs: [] });
    expect(reply.next(chunk({ content: 'lo' }))).toBe(
      'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":5,"item_id":"msg_ab0","output_index":0,"content_index":0,"delta":"lo","logprobs":[]}\n\n',
    );
    reply.next(chunk({}, 'stop'));
    const done = eventsIn(reply.next(usageChunk(USAGE)));
    expect(done.map(({ type }) => type)).toEqual([
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
    ]);
    const [last, ...others] = eventsIn(reply.end());
    expect(others).toEqual([]);
    expect(last).toMatchObject({
      type: 'response.completed',
      response: { status: 'completed', usage: { input_tokens: 11 } },
    });
  });

  it('has no [DONE], and comments as heartbeat', () => {
    expect(replyTo().heartbeat).toBe(': ping\n\n');
    expect(replyTo({ stream: true }).end()).not.toContain('[DONE]');
  });

  it('that the limit cut ends as incomplete', () => {
    const { types, response } = streamed([chunk({ content: 'Hel' }), chunk({}, 'length')]);
    expect(types.at(-1)).toBe('response.incomplete');
    expect(response).toMatchObject({
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    });
  });

  it('has citations before the end of their text', () => {
    const url_citation = { url: 'https://a.b', title: 'A', start_index: 0, end_index: 2 };
    const last = chunk({ annotations: [{ type: 'url_citation', url_citation }] }, 'stop');
    const { types, response } = streamed([chunk({ content: 'Hi' }), last]);
    expect(types).toContain('response.output_text.annotation.added');
    expect(response.output).toMatchObject([
      { content: [{ annotations: [{ type: 'url_citation', ...url_citation }] }] },
    ]);
  });

  it.each([
    [502, 'server_error'],
    [429, 'rate_limit_exceeded'],
    [400, 'invalid_prompt'],
  ])('that fails with %d ends with an error and a failed response with the code %s', (status, code) => {
    const reply = replyTo({ stream: true });
    const error = new GatewayError(status, {
      message: 'Cut.',
      type: 'server_error',
      param: null,
      code: 'upstream_cut',
    });
    const stream = new ResponsesFollower(eventsIn(reply.next(chunk({ content: 'Hel' })) + reply.fail(error)));
    expect(stream.faults).toEqual([]);
    expect(stream.events.at(-2)).toMatchObject({ type: 'error', code: 'upstream_cut', message: 'Cut.', param: null });
    expect(stream.response).toMatchObject({ error: { code, message: 'Cut.' }, output: [{ status: 'incomplete' }] });
  });

  it('that fails before its first event begins first', () => {
    const error = new GatewayError(502, { message: 'Gone.', type: 'server_error', param: null, code: null });
    const stream = new ResponsesFollower(eventsIn(replyTo({ stream: true }).fail(error)));
    expect(stream.faults).toEqual([]);
    expect(stream.types).toEqual(['response.created', 'response.in_progress', 'error', 'response.failed']);
  });
});

describe('a native answer', () => {
  const native = (text: string, isLast = false) => ({ ...chunk({ content: 'x' }), nativeEvents: { text, isLast } });
  const event = (type: string, sequence_number: number, fields: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n`;
  const created = event('response.created', 0, {
    response: { id: 'resp_upstream', status: 'in_progress', output: [] },
  });

  it('goes out as its own text', () => {
    expect(replyTo().whole({ ...completion({ content: 'x' }), nativeText: '{"id": "resp_1"}' })).toBe(
      '{"id": "resp_1"}',
    );
  });

  it('streams as its own text, the last event at the end', () => {
    const reply = replyTo({ stream: true });
    const last = event('response.completed', 2);
    const texts = [native(created), native(event('x', 1)), usageChunk(USAGE), native(last, true)].map((chunk) =>
      reply.next(chunk),
    );
    expect(texts).toEqual([created, event('x', 1), '', '']);
    expect(reply.end()).toBe(last);
  });

  it('that fails ends with the upstream’s own response, under the next numbers', () => {
    const reply = replyTo({ stream: true });
    reply.next(native(created));
    reply.next(native(event('x', 1) + event('y', 2)));
    const error = new GatewayError(502, { message: 'Cut.', type: 'server_error', param: null, code: null });
    expect(eventsIn(reply.fail(error))).toMatchObject([
      { type: 'error', sequence_number: 3, message: 'Cut.' },
      {
        type: 'response.failed',
        sequence_number: 4,
        response: { id: 'resp_upstream', status: 'failed', error: { code: 'server_error', message: 'Cut.' } },
      },
    ]);
  });
});
