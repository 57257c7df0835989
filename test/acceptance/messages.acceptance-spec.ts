import { describe, expect, it } from '@jest/globals';
import { messagesFormat } from '../../src/apis/messages/messages.format.js';
import type { Reply } from '../../src/completions/formats/call-format.js';
import { type ListedAdapter, PROVIDERS } from '../../src/upstreams/providers/providers.js';
import { bytesOf, CALL, replay } from '../support/adapter-checks.js';
import type { Answer, AnswerChoice } from '../support/answer.js';
import type { Exchange } from '../support/exchanges.js';
import { messageOfEvents } from '../support/messages-events.js';
import type { UpstreamReader } from '../support/upstream-reader.js';
import { readerOf } from '../support/upstream-readers.js';
import { recordingsOf } from './shared-recordings.js';

const REQUESTED = {
  model: 'public-model',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  thinking: { type: 'adaptive' },
};

function replyTo(stream: boolean): Reply {
  const headers = { 'anthropic-version': '2023-06-01' };
  const { request, reply } = messagesFormat.read({ ...REQUESTED, stream }, { headers, path: '/v1/messages' });
  return reply({ id: CALL.id, startedAt: new Date(0), request, estimatedInputTokens: 1 });
}

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
  const message = await messageOf(adapter, recording);
  const expected = reader.answer(recording);
  const sent = expected.choices[0];
  expect(reported(message)).toEqual(sent && expectedReply(sent));
  if (expected.usage) expect(usageOf(message)).toEqual(usageWithoutReasoning(expected));
}

type Message = ReturnType<typeof messageOfEvents>;

async function messageOf(adapter: ListedAdapter, recording: Exchange): Promise<Message> {
  if (recording.stream === null) {
    return JSON.parse(replyTo(false).whole(adapter.fromResponse(structuredClone(recording.body), CALL)));
  }
  const chunks = await replay(adapter, [bytesOf(recording)]);
  const reply = replyTo(true);
  return messageOfEvents(chunks.map((chunk) => reply.next(chunk)).join('') + reply.end());
}

function reported({ content, stop_reason: reason }: Message) {
  const joined = (type: 'text' | 'thinking') =>
    content.map((block) => (block.type === type ? block[type] : '')).join('');
  const calls = content.filter(({ type }) => type === 'tool_use').map(({ id, name, input }) => ({ id, name, input }));
  return { text: joined('text'), thinking: joined('thinking'), calls, reason };
}

function expectedReply(choice: AnswerChoice): ReturnType<typeof reported> {
  const { content, refusal, reasoning, toolCalls } = choice;
  const calls = toolCalls.map(({ id, name, arguments: text }) => ({ id, name, input: inputOf(text) }));
  return { text: content + refusal, thinking: reasoning, calls, reason: reasonOf(choice) };
}

function reasonOf({ finish, refusal, toolCalls }: AnswerChoice): string {
  if (finish === 'length') return 'max_tokens';
  if (finish === 'content_filter') return 'refusal';
  if (toolCalls.length > 0) return 'tool_use';
  return refusal === '' ? 'end_turn' : 'refusal';
}

function inputOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON.
  }
  return { _raw: text };
}

function usageOf({ usage }: Message) {
  const { input_tokens = 0, cache_read_input_tokens: cached = 0, output_tokens: completion = 0 } = usage;
  return { prompt: input_tokens + cached + (usage.cache_creation_input_tokens ?? 0), cached, completion };
}

function usageWithoutReasoning({ usage }: Answer) {
  return { prompt: usage?.prompt, cached: usage?.cached, completion: usage?.completion };
}
