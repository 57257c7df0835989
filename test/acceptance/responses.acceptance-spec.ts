import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { responsesFormat } from '../../src/apis/responses/responses.format.js';
import type { Reply } from '../../src/completions/formats/call-format.js';
import { upstreamIncomplete } from '../../src/upstreams/contract/upstream.error.js';
import { type ListedAdapter, PROVIDERS } from '../../src/upstreams/providers/providers.js';
import { bytesOf, CALL, replay } from '../support/adapter-checks.js';
import type { AnswerChoice } from '../support/answer.js';
import { anyChunks } from '../support/chat-chunks.js';
import type { Exchange } from '../support/exchanges.js';
import { responsesReader } from '../support/responses-answer.js';
import { eventsIn, ResponsesFollower } from '../support/responses-events.js';
import type { UpstreamReader } from '../support/upstream-reader.js';
import { readerOf } from '../support/upstream-readers.js';
import { documentFaults, eventFaults } from './openai-document.js';
import { recordingsOf } from './shared-recordings.js';

const REQUESTED = {
  ...{ model: 'public-model', input: 'Hi', instructions: 'Be kind', user: 'u', max_output_tokens: 100 },
  ...{ reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] },
  tools: [
    { type: 'function', name: 'f', parameters: { type: 'object' } },
    { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'regex', definition: 'a' } },
    { type: 'namespace', name: 'n', description: 'd', tools: [{ type: 'function', name: 'f' }] },
  ],
  ...{ tool_choice: 'auto', text: { format: { type: 'json_schema', name: 's', schema: {} }, verbosity: 'low' } },
};

function replyTo(stream: boolean, fields: object = REQUESTED): Reply {
  const body = { model: 'public-model', input: 'Hi', stream, ...fields };
  const { request, reply } = responsesFormat.read(body, { headers: {}, path: '/v1/responses' });
  return reply({ id: CALL.id, startedAt: new Date(0), request, estimatedInputTokens: 1 });
}

describe('any answer is valid according to OpenAI’s document', () => {
  it.each([
    ['with all settings', REQUESTED],
    ['with none', {}],
  ])('%s', (_how, fields) => {
    fc.assert(
      fc.property(anyChunks, fc.boolean(), (chunks, fails) => {
        const reply = replyTo(true, fields);
        const end = () => (fails ? reply.fail(upstreamIncomplete()) : reply.end());
        const { events, faults } = new ResponsesFollower(
          eventsIn(chunks.map((chunk) => reply.next(chunk)).join('') + end()),
        );
        expect(faults).toEqual([]);
        expect(events.flatMap(eventFaults)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

it('the document rejects invalid answers', () => {
  expect(documentFaults('Response', { id: 'resp_1' })).not.toEqual([]);
  expect(eventFaults({ type: 'response.output_text.delta' })).not.toEqual([]);
  expect(eventFaults({ type: 'response.unheard_of' })).not.toEqual([]);
});

describe.each(PROVIDERS.map((adapter) => [adapter.protocol, adapter] as const))('%s', (protocol, adapter) => {
  const reader = readerOf(protocol);
  const recordings = (reader.folders ?? [protocol]).flatMap(recordingsOf).filter(reader.isChat);

  for (const recording of recordings.filter(({ status }) => status < 400)) {
    if (recording.stream !== null && reader.streamError(recording.stream)) continue;
    // Legacy tool calls answer requests that this API cannot make.
    if (reader.answer(recording).choices[0]?.functionCall) continue;
    it(`preserves ${recording.file}`, () => expectStored(adapter, reader, recording));
  }
});

async function expectStored(adapter: ListedAdapter, reader: UpstreamReader, recording: Exchange): Promise<void> {
  const expected = reader.answer(recording);
  const reported = responsesReader.answer({ ...recording, stream: null, body: await responseOf(adapter, recording) });
  const [choice, sent] = [reported.choices[0], expected.choices[0]];
  expect(choice && withoutSeams(choice)).toEqual(sent && withoutSeams({ ...sent, finish: finishOf(sent) }));
  if (expected.usage) expect(reported.usage).toEqual(expected.usage);
}

async function responseOf(adapter: ListedAdapter, recording: Exchange): Promise<unknown> {
  if (recording.stream === null) {
    const completion = adapter.fromResponse(structuredClone(recording.body), CALL);
    const response = JSON.parse(replyTo(false).whole(completion));
    expect(documentFaults('Response', response)).toEqual([]);
    return response;
  }
  const chunks = await replay(adapter, [bytesOf(recording)]);
  const reply = replyTo(true);
  const text = chunks.map((chunk) => reply.next(chunk)).join('') + reply.end();
  const stream = new ResponsesFollower(eventsIn(text));
  expect(stream.faults).toEqual([]);
  expect(stream.events.flatMap(eventFaults)).toEqual([]);
  return stream.response;
}

/** Reasoning that was interrupted by text is several items, which the reader joins with empty lines. */
function withoutSeams({ reasoning, ...choice }: AnswerChoice): object {
  return { ...choice, reasoning: reasoning.replaceAll('\n\n', '') };
}

/** The format states only whether an answer was cut; other details are in its items. */
function finishOf({ finish, toolCalls }: AnswerChoice): string {
  if (finish === 'length' || finish === 'content_filter') return finish;
  return toolCalls.length > 0 ? 'tool_calls' : 'stop';
}
