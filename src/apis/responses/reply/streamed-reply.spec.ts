import { describe, expect, it } from '@jest/globals';
import { chunk, completion, usageChunk } from '../../../../test/support/chat-chunks.js';
import { eventsIn, ResponsesFollower } from '../../../../test/support/responses-events.js';
import { DETAILED_USAGE, replyTo, streamed } from '../../../../test/support/responses-reply.js';
import { GatewayError } from '../../../common/gateway.error.js';

describe('a stream', () => {
  it('sends each delta immediately, and ends with the complete response', () => {
    const reply = replyTo({ stream: true });
    const first = eventsIn(reply.next(chunk({ role: 'assistant', content: '' })));
    expect(first.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
    const second = eventsIn(reply.next(chunk({ content: 'Hel' })));
    expect(second.at(-1)).toMatchObject({ type: 'response.output_text.delta', delta: 'Hel', logprobs: [] });
    expect(reply.next(chunk({ content: 'lo' }))).toBe(
      'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":5,"item_id":"msg_ab0","output_index":0,"content_index":0,"delta":"lo","logprobs":[]}\n\n',
    );
    reply.next(chunk({}, 'stop'));
    const done = eventsIn(reply.next(usageChunk(DETAILED_USAGE)));
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

  it('has no [DONE], and sends heartbeats as comments', () => {
    expect(replyTo().heartbeat).toBe(': ping\n\n');
    expect(replyTo({ stream: true }).end()).not.toContain('[DONE]');
  });

  it('a stream that was cut by the output limit ends as incomplete', () => {
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
    [400, 'invalid_prompt'],
  ])('a stream that fails with %d ends with an error and a failed response with the code %s', (status, code) => {
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

  const errorOf = (status: number, code: string, headers = {}) =>
    new GatewayError(status, { message: 'No. Please try again later.', type: 't', param: null, code }, headers);

  it.each([
    ['context_length_exceeded', errorOf(400, 'context_length_exceeded'), 'No. Please try again later.'],
    ['insufficient_quota', errorOf(429, 'insufficient_quota'), 'No. Please try again later.'],
    [
      'rate_limit_exceeded',
      errorOf(429, 'upstream_rate_limited', { 'retry-after': '20' }),
      'No. Please try again in 20s.',
    ],
  ])('a stream that fails with %s says so in both events, with the time to wait', (code, error, message) => {
    const { events, response } = new ResponsesFollower(eventsIn(replyTo({ stream: true }).fail(error)));
    expect(events.at(-2)).toMatchObject({ type: 'error', code, message });
    expect(response.error).toEqual({ code, message });
  });

  it('a stream that fails before its first event sends the initial events first', () => {
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

  it('is sent unchanged', () => {
    expect(replyTo().whole({ ...completion({ content: 'x' }), nativeText: '{"id": "resp_1"}' })).toBe(
      '{"id": "resp_1"}',
    );
  });

  it('streams unchanged, with the last event at the end', () => {
    const reply = replyTo({ stream: true });
    const last = event('response.completed', 2);
    const texts = [native(created), native(event('x', 1)), usageChunk(DETAILED_USAGE), native(last, true)].map(
      (chunk) => reply.next(chunk),
    );
    expect(texts).toEqual([created, event('x', 1), '', '']);
    expect(reply.end()).toBe(last);
  });

  it('a native answer that fails ends with the upstream’s response and the next event numbers', () => {
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
