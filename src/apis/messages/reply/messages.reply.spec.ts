import { describe, expect, it } from '@jest/globals';
import { eventsOf, messageOfEvents } from '../../../../test/support/messages-events.js';
import { GatewayError } from '../../../common/gateway.error.js';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
  ChatResponseMessage,
  CompletionUsage,
  FinishReason,
} from '../../../upstreams/contract/chat.types.js';
import { decodeReasoning, encodeReasoning } from '../../shared/carried-reasoning.js';
import type { ShownThinking } from '../translation/chat-request.js';
import { MessagesReply } from './messages.reply.js';

const CALL = {
  id: 'chatcmpl-abc',
  startedAt: new Date(0),
  request: { model: 'public', messages: [] },
  estimatedInputTokens: 7,
};
const HEAD = { id: 'chatcmpl-abc', created: 0, model: 'public' };
const USAGE: CompletionUsage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
};

const LONG_NAME = 'x'.repeat(100);
const NAMES = new Map([['short', LONG_NAME]]);
const replyOf = (thinking: ShownThinking = 'shown') => new MessagesReply(CALL, { thinking, names: NAMES });

function chunk(delta: ChatDelta, finish: FinishReason | null = null): ChatCompletionChunk {
  return { ...HEAD, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] };
}

function completion(message: Partial<ChatResponseMessage>, finish: FinishReason = 'stop'): ChatCompletion {
  const whole: ChatResponseMessage = { role: 'assistant', content: null, refusal: null, ...message };
  const choice = { index: 0, message: whole, finish_reason: finish, logprobs: null };
  return { ...HEAD, object: 'chat.completion', choices: [choice], usage: USAGE };
}

/** The SSE text of a stream that ends with this finish and usage. */
function streamed(deltas: readonly ChatDelta[], finish: FinishReason = 'stop', thinking?: ShownThinking): string {
  const reply = replyOf(thinking);
  const usage: ChatCompletionChunk = { ...HEAD, object: 'chat.completion.chunk', choices: [], usage: USAGE };
  const chunks = [...deltas.map((delta) => chunk(delta)), chunk({}, finish), usage];
  return chunks.map((one) => reply.next(one)).join('') + reply.end();
}

function whole(message: Partial<ChatResponseMessage>, finish?: FinishReason, thinking?: ShownThinking) {
  return JSON.parse(replyOf(thinking).whole(completion(message, finish)));
}

const call = (id: string, text: string, index = 0) => ({
  index,
  id,
  type: 'function' as const,
  function: { name: 'look', arguments: text },
});

describe('an answer in the Messages format', () => {
  it('begins with the estimated input and ends with the reported usage, in which input excludes cached tokens', () => {
    const [start, ...others] = eventsOf(streamed([{ content: 'Hi' }]));
    expect(start).toEqual({
      type: 'message_start',
      message: {
        id: 'msg_abc',
        type: 'message',
        role: 'assistant',
        model: 'public',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
      },
    });
    expect(others).toEqual([
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { input_tokens: 10, cache_creation_input_tokens: 30, cache_read_input_tokens: 60, output_tokens: 20 },
      },
      { type: 'message_stop' },
    ]);
  });

  it('buffers interleaved calls, so that one block is open at a time', () => {
    const message = messageOfEvents(
      streamed(
        [
          { tool_calls: [call('a', '{"x":', 0)] },
          { tool_calls: [call('b', '{"y":', 1)] },
          { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
          { tool_calls: [{ index: 1, function: { arguments: '2}' } }] },
        ],
        'tool_calls',
      ),
    );
    expect(message.content).toEqual([
      { type: 'tool_use', id: 'a', name: 'look', input: { x: 1 } },
      { type: 'tool_use', id: 'b', name: 'look', input: { y: 2 } },
    ]);
  });

  it.each<[FinishReason, Partial<ChatResponseMessage>, string]>([
    ['stop', { content: 'a' }, 'end_turn'],
    ['length', { content: 'a' }, 'max_tokens'],
    ['content_filter', { content: 'a' }, 'refusal'],
    ['stop', { refusal: 'No.' }, 'refusal'],
    ['tool_calls', { tool_calls: [call('a', '{}')] }, 'tool_use'],
    ['stop', { tool_calls: [call('a', '{}')] }, 'tool_use'],
    ['length', { tool_calls: [call('a', '{"x"')] }, 'max_tokens'],
    ['content_filter', { tool_calls: [call('a', '{}')] }, 'refusal'],
    ['length', { refusal: 'No' }, 'max_tokens'],
    ['tool_calls', { content: 'a' }, 'end_turn'],
  ])('finish %s of %j is %s, in JSON and in a stream', (finish, message, reason) => {
    expect(whole(message, finish).stop_reason).toBe(reason);
    expect(messageOfEvents(streamed([message as ChatDelta], finish)).stop_reason).toBe(reason);
  });

  it('streams each of several calls as soon as the call before it is complete', () => {
    const reply = replyOf();
    const next = (...calls: ReturnType<typeof call>[]) => reply.next(chunk({ tool_calls: calls }));
    expect(next(call('a', '{"x":1}'))).toContain('"id":"a"');
    const second = next(call('b', '{"y"', 1));
    expect(second).toContain('content_block_stop');
    expect(second).toContain('"partial_json":"{\\"y\\""');
    expect(next(call('c', '{}', 2))).toBe('');
    expect(reply.next(chunk({ tool_calls: [{ index: 1, function: { arguments: ':2}' } }] }))).toContain('"id":"c"');
    expect(reply.next(chunk({ content: 'Done.' }))).toContain('"text":"Done."');
  });

  it('has the stop sequence that the upstream reports, in JSON and in a stream', () => {
    const stopped = completion({ content: 'a' });
    Object.assign(stopped.choices[0] ?? {}, { stop_reason: 'END' });
    const expected = { stop_reason: 'stop_sequence', stop_sequence: 'END' };
    expect(JSON.parse(replyOf().whole(stopped))).toMatchObject(expected);
    const reply = replyOf();
    const last = chunk({}, 'stop');
    Object.assign(last.choices[0] ?? {}, { stop_reason: 'END' });
    const text = reply.next(chunk({ content: 'a' })) + reply.next(last) + reply.end();
    expect(messageOfEvents(text)).toMatchObject(expected);
  });

  it.each([
    ['{"n": 12345678901234567890}', '{"n": 12345678901234567890}'],
    ['', '{}'],
    ['{"cut', '{"_raw":"{\\"cut"}'],
    ['[1]', '{"_raw":"[1]"}'],
  ])('arguments %j become the input %j', (text, input) => {
    expect(replyOf().whole(completion({ tool_calls: [call('a', text)] }))).toContain(`"input":${input}}`);
  });

  it('names tools as the client does', () => {
    const tool = { ...call('a', '{}'), function: { name: 'short', arguments: '{}' } };
    expect(whole({ tool_calls: [tool] }).content[0].name).toBe(LONG_NAME);
    expect(messageOfEvents(streamed([{ tool_calls: [tool] }])).content[0]?.name).toBe(LONG_NAME);
  });

  it('has the text of a refusal', () => {
    expect(whole({ refusal: 'I will not.' }).content).toEqual([{ type: 'text', text: 'I will not.' }]);
  });

  it('shows thinking only if it is on, and only its signature if its display is omitted', () => {
    const message = { reasoning_content: 'Hm.', content: 'a' };
    const signature = encodeReasoning({});
    expect(whole(message).content[0]).toEqual({ type: 'thinking', thinking: 'Hm.', signature });
    expect(whole(message, 'stop', 'signature only').content[0]).toEqual({ type: 'thinking', thinking: '', signature });
    expect(whole(message, 'stop', 'hidden').content).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('has the data that a provider needs back in the signature before the tool call', () => {
    const extra = { google: { thought_signature: 'sig' } };
    const [thinking, tool] = whole({
      reasoning_content: 'Hm.',
      tool_calls: [{ ...call('a', '{}'), extra_content: extra }],
    }).content;
    expect(thinking).toMatchObject({ type: 'thinking', thinking: 'Hm.' });
    expect(decodeReasoning(thinking.signature)).toEqual({ call: extra });
    expect(tool.type).toBe('tool_use');
  });

  it('carries fields of the message, including fields that a stream has after its calls', () => {
    const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 'sig' }];
    const message = messageOfEvents(
      streamed([{ tool_calls: [call('a', '{}')] }, { reasoning_details: details }], 'tool_calls'),
    );
    expect(message.content.map(({ type }) => type)).toEqual(['tool_use', 'thinking']);
    expect(decodeReasoning(message.content[1]?.signature)).toEqual({ message: { reasoning_details: details } });
  });

  it('ends with text if there are no calls', () => {
    const late = { extra_content: { google: { thought_signature: 'sig' } } };
    const { content } = messageOfEvents(streamed([{ content: 'Done.' }, late]));
    expect(content).toEqual([{ type: 'text', text: 'Done.' }]);
  });

  it('an answer in the Messages format of a native upstream is passed on unchanged', () => {
    const reply = replyOf();
    expect(replyOf().whole({ ...completion({}), nativeText: '{"id":"msg_1"}' })).toBe('{"id":"msg_1"}');
    const events = (text: string, isLast = false) => ({ ...chunk({}), nativeEvents: { text, isLast } });
    expect(reply.next(events('event: a\n\n'))).toBe('event: a\n\n');
    expect(reply.next({ ...HEAD, object: 'chat.completion.chunk', choices: [], usage: USAGE })).toBe('');
    expect(reply.next(events('event: message_stop\n\n', true))).toBe('event: message_stop\n\n');
    expect(reply.end()).toBe('');
  });

  it('sends heartbeats as pings, and errors as events', () => {
    expect(replyOf().heartbeat).toBe('event: ping\ndata: {"type":"ping"}\n\n');
    const error = new GatewayError(503, { message: 'Busy.', type: 'server_error', param: null, code: 'overloaded' });
    expect(eventsOf(replyOf().fail(error))).toEqual([
      { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' }, request_id: 'req_abc' },
    ]);
  });
});
