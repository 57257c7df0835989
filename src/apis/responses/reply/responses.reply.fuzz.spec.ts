import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyChunks, chunk, completion, usageChunk } from '../../../../test/support/chat-chunks.js';
import { eventsIn, ResponsesFollower } from '../../../../test/support/responses-events.js';
import type { ChatCompletionChunk } from '../../../upstreams/contract/chat.types.js';
import { upstreamIncomplete } from '../../../upstreams/contract/upstream.error.js';
import { responsesFormat } from '../responses.format.js';

const USAGE = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const requested = fc.record({
  summary: fc.boolean(),
  include: fc.subarray(['reasoning.encrypted_content', 'message.output_text.logprobs']),
});

function replyTo({ summary, include }: { summary: boolean; include: string[] }) {
  const body = { model: 'm', input: 'Hi', stream: true, include, ...(summary && { reasoning: { summary: 'auto' } }) };
  const { request, reply } = responsesFormat.read(body, { headers: {}, path: '/v1/responses' });
  return reply({ id: 'chatcmpl-1', startedAt: new Date(0), request, estimatedInputTokens: 1 });
}

function joined(chunks: readonly ChatCompletionChunk[]) {
  const sum = { content: '', refusal: '', reasoning: '', calls: new Map<number, string>() };
  for (const { choices } of chunks) {
    for (const { delta } of choices) {
      sum.content += delta.content ?? '';
      sum.refusal += delta.refusal ?? '';
      sum.reasoning += delta.reasoning_content ?? '';
      for (const { index, function: called, custom } of delta.tool_calls ?? []) {
        const text = called?.arguments ?? (custom as { input?: string } | undefined)?.input ?? '';
        sum.calls.set(index, (sum.calls.get(index) ?? '') + text);
      }
    }
  }
  return sum;
}

it('any stream of chunks becomes events in the order of the format, whose deltas add up to the final response', () => {
  fc.assert(
    fc.property(anyChunks, requested, (chunks, requested) => {
      const reply = replyTo(requested);
      const sse = chunks.map((chunk) => reply.next(chunk)).join('') + reply.end();
      const stream = new ResponsesFollower(eventsIn(sse));
      expect(stream.faults).toEqual([]);
      const { output } = stream.response;
      const sum = joined(chunks);
      const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
      expect(parts.map((part) => ('text' in part ? part.text : '')).join('')).toBe(sum.content);
      expect(parts.map((part) => ('refusal' in part ? part.refusal : '')).join('')).toBe(sum.refusal);
      const summaries = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []));
      expect(summaries.map(({ text }) => text).join('')).toBe(requested.summary ? sum.reasoning : '');
      const calls = output.flatMap((item) =>
        item.type === 'function_call' ? [item.arguments] : item.type === 'custom_tool_call' ? [item.input] : [],
      );
      expect(calls).toEqual([...sum.calls.values()]);
      expect(new Set(output.map(({ id }) => id)).size).toBe(output.length);
    }),
    { numRuns: 2000 },
  );
});

it('a stream that fails at any position ends with an error and a failed response', () => {
  fc.assert(
    fc.property(anyChunks, requested, fc.nat(), (chunks, requested, position) => {
      const reply = replyTo(requested);
      const sent = chunks.slice(0, position % chunks.length);
      const sse = sent.map((chunk) => reply.next(chunk)).join('') + reply.fail(upstreamIncomplete());
      const stream = new ResponsesFollower(eventsIn(sse));
      expect(stream.faults).toEqual([]);
      expect(stream.response).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
    }),
    { numRuns: 500 },
  );
});

it('an answer is the same response in JSON and as a stream', () => {
  const text = fc.option(fc.string({ minLength: 1 }), { nil: null });
  const call = fc.record({
    id: fc.string({ minLength: 1 }),
    type: fc.constant('function' as const),
    function: fc.record({
      name: fc.constantFrom('f', 'g'),
      arguments: fc.json({ maxDepth: 1 }).map((a) => `{"a":${a}}`),
    }),
    extra_content: fc.constant({ google: { thought_signature: 'c2ln' } }),
  });
  const message = fc.record({ thought: text, content: text, refusal: text, calls: fc.array(call, { maxLength: 3 }) });
  fc.assert(
    fc.property(message, requested, ({ thought, content, refusal, calls }, requested) => {
      const reasoning = thought === null ? {} : { reasoning_content: thought };
      const tool_calls = calls.length > 0 ? { tool_calls: calls } : {};
      const finish = calls.length > 0 ? 'tool_calls' : 'stop';
      const whole = JSON.parse(
        replyTo(requested).whole(completion({ ...reasoning, content, refusal, ...tool_calls }, finish)),
      );
      const deltas = [
        ...[...(thought ?? '')].map((reasoning_content) => ({ reasoning_content })),
        ...[...(content ?? '')].map((content) => ({ content })),
        ...[...(refusal ?? '')].map((refusal) => ({ refusal })),
        ...calls.flatMap(({ function: { name, arguments: args }, ...call }, index) => [
          { tool_calls: [{ ...call, index, function: { name, arguments: '' } }] },
          ...[...args].map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
        ]),
      ];
      const reply = replyTo(requested);
      const chunks = [...deltas.map((delta) => chunk(delta)), chunk({}, finish), usageChunk(USAGE)];
      const stream = new ResponsesFollower(eventsIn(chunks.map((chunk) => reply.next(chunk)).join('') + reply.end()));
      expect(stream.faults).toEqual([]);
      expect(stream.response).toEqual(whole);
    }),
    { numRuns: 500 },
  );
});
