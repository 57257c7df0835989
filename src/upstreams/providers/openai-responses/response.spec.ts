import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { brokenPromises } from '../../../../test/support/client-answer.js';
import { singleBytes } from '../../../../test/support/exchanges.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionChunk, ToolCallDelta } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { framed } from '../../framing/framing.js';
import { responsesSurface } from './native.api.js';
import { openAiResponses } from './responses.adapter.js';

const adapter = openAiResponses(responsesSurface);
const call = providerCall({ stream: true });

function streamed(events: string): Promise<ChatCompletionChunk[]> {
  return lastValueFrom(from([Buffer.from(events)]).pipe(framed('sse'), adapter.fromStream(call), toArray()));
}

function deltas(chunks: readonly ChatCompletionChunk[]): JsonObject[] {
  return chunks.flatMap(({ choices }) => choices.map(({ delta }): JsonObject => delta));
}

const data = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const encrypted = `gAAAAABo0pZ${'Q'.repeat(40)}`;
const oslo = { url: 'https://example.com/oslo', title: 'Oslo' };

interface JoinedCall {
  index: number;
  id?: string;
  type?: string;
  name: string;
  input: string;
}

/** What a client joins from the chunks. */
function joined(chunks: readonly ChatCompletionChunk[]) {
  const calls: JoinedCall[] = [];
  const delta: JsonObject & { calls: JoinedCall[] } = { calls };
  for (const part of deltas(chunks)) {
    for (const [field, value] of Object.entries(part)) {
      if (field === 'tool_calls') continue;
      delta[field] = typeof value === 'string' && field !== 'role' ? `${delta[field] ?? ''}${value}` : value;
    }
    for (const { index, id, type, ...called } of (part.tool_calls ?? []) as ToolCallDelta[]) {
      const { name, arguments: text, input } = (called.function ?? called.custom) as Record<string, string | undefined>;
      calls[index] ??= { index, id, type, name: name ?? '', input: '' };
      calls[index].input += text ?? input ?? '';
    }
  }
  const finish_reason = chunks.flatMap(({ choices }) => choices).find((choice) => choice.finish_reason)?.finish_reason;
  return { delta, finish_reason };
}

describe('a stream of the Responses API from a server that sends no deltas', () => {
  const thought = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Look it up.' }],
    encrypted_content: encrypted,
  };
  const annotations = [{ type: 'url_citation', start_index: 0, end_index: 4, ...oslo }];
  const text = { type: 'output_text', text: 'Oslo: é.', annotations };
  const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [text] };
  const lookUp = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'look_up',
    arguments: '{"city":"Oslo"}',
  };
  const query = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'write_sql', input: 'SELECT 1' };
  const output = [thought, message, lookUp, query];
  const added = (item: object, at: number) => ({ type: 'response.output_item.added', output_index: at, item });
  const done = (item: object, at: number) => ({ type: 'response.output_item.done', output_index: at, item });
  const begun = [
    added({ ...thought, summary: [] }, 0),
    added({ ...message, content: [] }, 1),
    added({ ...lookUp, arguments: '' }, 2),
    added({ ...query, input: '' }, 3),
  ];
  const parts = [
    {
      type: 'response.content_part.done',
      output_index: 0,
      content_index: 0,
      part: { type: 'reasoning_text', text: '' },
    },
    { type: 'response.output_text.done', output_index: 1, content_index: 0, text: text.text },
    { type: 'response.content_part.done', output_index: 1, content_index: 0, part: text },
    { type: 'response.function_call_arguments.done', output_index: 2, item_id: 'fc_1', arguments: lookUp.arguments },
    { type: 'response.custom_tool_call_input.done', output_index: 3, item_id: 'ctc_1', input: query.input },
  ];
  const deltas = [
    { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'Look ' },
    { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'it up.' },
    { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Oslo: ' },
    { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'é.' },
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"city":' },
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '"Oslo"}' },
    { type: 'response.custom_tool_call_input.delta', output_index: 3, delta: 'SELECT 1' },
  ];
  const ended = output.map(done);
  const completed = { type: 'response.completed', response: { status: 'completed', output } };
  const empty = { type: 'response.completed', response: { status: 'completed', output: [] } };
  const withoutIndex = (events: object[]) => events.map((event) => ({ ...event, output_index: undefined }));
  const withoutPartIndex = (events: object[]) => events.map((event) => ({ ...event, content_index: undefined }));
  const withOtherIds = (events: object[]) =>
    events.map((event) => {
      const { item } = event as { item: object };
      return { ...event, item: { ...item, id: `other_${JSON.stringify(item).length}` } };
    });

  it.each<[string, object[]]>([
    ['all in the end of the response', [completed]],
    ['items that only end', [...ended, empty]],
    ['items that only end, without an index', [...withoutIndex(ended), completed]],
    ['the starts of items, and the rest in the end of the response', [...begun, completed]],
    ['starts and ends of items', [...begun, ...ended, completed]],
    ['starts and ends of items, with changed ids', [...begun, ...withOtherIds(ended), completed]],
    ['starts and ends of items, without an index', [...withoutIndex([...begun, ...ended]), completed]],
    ['text and arguments as wholes, and the rest in the end', [...begun, ...parts, completed]],
    ['each part three times', [...begun, ...parts, ...ended, completed]],
    ['deltas as well', [...begun, ...deltas, ...parts, ...ended, completed]],
    ['deltas as well, without an index', [...withoutIndex([...begun, ...deltas, ...ended]), completed]],
    ['deltas as well, without an index of the part', [...begun, ...withoutPartIndex(deltas), ...ended, completed]],
  ])('has everything exactly once, with %s', async (_name, events) => {
    const bytes = Buffer.from(data(...events));
    const chunks = await streamed(bytes.toString());
    expect(brokenPromises(chunks, call)).toEqual([]);
    const { delta, finish_reason } = joined(chunks);
    expect(finish_reason).toBe('tool_calls');
    expect(delta).toEqual({
      role: 'assistant',
      reasoning_content: 'Look it up.',
      content: 'Oslo: é.',
      annotations: [{ type: 'url_citation', url_citation: { start_index: 0, end_index: 4, ...oslo } }],
      calls: [
        { index: 0, id: 'call_1', type: 'function', name: 'look_up', input: '{"city":"Oslo"}' },
        { index: 1, id: 'call_2', type: 'custom', name: 'write_sql', input: 'SELECT 1' },
      ],
    });
    const pieces = from(singleBytes(bytes)).pipe(framed('sse'), adapter.fromStream(call), toArray());
    expect(await lastValueFrom(pieces)).toEqual(chunks);
  });

  it('has all calls that only end, even if they have the same index', async () => {
    const calls = ['a', 'b'].map((name) => ({
      type: 'function_call',
      call_id: name,
      name,
      arguments: `{"${name}":1}`,
    }));
    const { delta } = joined(await streamed(data(...calls.map((call) => done(call, 0)), empty)));
    expect(delta.calls).toMatchObject([
      { index: 0, id: 'a', input: '{"a":1}' },
      { index: 1, id: 'b', input: '{"b":1}' },
    ]);
  });

  it('invents no arguments for a call that was cut before them', async () => {
    const cut = { ...lookUp, arguments: '', status: 'incomplete' };
    const response = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [cut] };
    const { delta, finish_reason } = joined(await streamed(data({ type: 'response.incomplete', response })));
    expect(finish_reason).toBe('length');
    expect(delta.calls).toMatchObject([{ name: 'look_up', input: '' }]);
  });

  it('fails without a chunk if the response failed', async () => {
    const response = { status: 'failed', error: { code: 'server_error', message: 'It failed.' }, output };
    const chunks: ChatCompletionChunk[] = [];
    const stream = from([Buffer.from(data({ type: 'response.failed', response }))]);
    const reading = stream.pipe(framed('sse'), adapter.fromStream(call)).forEach((chunk) => void chunks.push(chunk));
    await expect(reading).rejects.toThrow(UpstreamError);
    expect(chunks).toEqual([]);
  });
});
