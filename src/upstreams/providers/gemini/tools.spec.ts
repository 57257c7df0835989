import { describe, expect, it } from '@jest/globals';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { from, lastValueFrom, toArray } from 'rxjs';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { AssistantMessage } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { openAiDialect } from '../openai/openai.dialect.js';
import { geminiAdapter } from './gemini.adapter.js';
import type { Conversation } from './messages.js';
import { PartialArguments } from './tools.js';

function joined(pieces: unknown, first?: unknown): unknown {
  const args = new PartialArguments(first);
  args.add(pieces);
  return JSON.parse(args.toJson());
}

describe('PartialArguments', () => {
  it('puts every kind of value at its path', () => {
    const pieces = [
      { jsonPath: '$.name', stringValue: 'Zürich' },
      { jsonPath: '$.orders[0].count', numberValue: 0 },
      { jsonPath: '$.orders[0].paid', boolValue: false },
      { jsonPath: '$.orders[1].note', nullValue: 'NULL_VALUE' },
      { jsonPath: "$['a.b'][\"it's\"].deep", stringValue: '' },
      { jsonPath: '$.grid[0][1]', numberValue: 2 },
    ];
    expect(joined(pieces)).toEqual({
      name: 'Zürich',
      orders: [{ count: 0, paid: false }, { note: null }],
      'a.b': { "it's": { deep: '' } },
      grid: [[2]],
    });
  });

  it('joins pieces of text and keeps initial values', () => {
    const pieces = ['He', 'llo', ''].map((stringValue) => ({ jsonPath: '$.text', stringValue, willContinue: true }));
    expect(joined(pieces, { id: 7 })).toEqual({ id: 7, text: 'Hello' });
  });

  it.each([undefined, [null, 7, {}, { jsonPath: 3 }, { jsonPath: '' }, { jsonPath: '$' }]])(
    'is an empty object for %j',
    (pieces) => expect(joined(pieces)).toEqual({}),
  );

  it('does not reach prototypes of initial values', () => {
    const before = JSON.parse('{"a":{"b":[{}]},"__proto__":{"own":1}}');
    const pieces = ['$.a.__proto__.polluted', '$.a.b[0].constructor.prototype.polluted', '$.__proto__.polluted'];
    const args = new PartialArguments(before);
    args.add(pieces.map((jsonPath) => ({ jsonPath, boolValue: true })));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(args.toJson()).toBe(
      '{"a":{"b":[{"constructor":{"prototype":{"polluted":true}}}],"__proto__":{"polluted":true}},' +
        '"__proto__":{"own":1,"polluted":true}}',
    );
  });

  it('does not reach a prototype, and does not create a long list for one entry', () => {
    const args = new PartialArguments(undefined);
    args.add([
      { jsonPath: '$.__proto__.polluted', boolValue: true },
      { jsonPath: '$.constructor.prototype.polluted', boolValue: true },
      { jsonPath: '$.list[4294967294]', numberValue: 1 },
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(args.toJson()).toBe(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"list":[1]}',
    );
  });
});

const adapter = geminiAdapter;
const call = providerCall({ stream: true });

function event(parts: JsonObject[], finishReason?: string): JsonObject {
  return { candidates: [{ content: { parts, role: 'model' }, finishReason }] };
}

describe('thought signatures', () => {
  const parts = [
    { text: 'One moment.', thoughtSignature: 'dGV4dA==' },
    { functionCall: { id: 'x', name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
    { functionCall: { id: 'y', name: 'g', args: {} } },
  ];

  /** The upstream request after a client sends a message back. */
  function sentBack(message: unknown): unknown {
    const messages = [{ role: 'user' as const, content: 'Hi' }, message as AssistantMessage];
    const results = (message as AssistantMessage).tool_calls?.map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: '1',
    }));
    const given = {
      ...providerCall({ messages: [...messages, ...(results ?? [])] }),
      upstreamModel: 'gemini-3.6-flash',
    };
    return (adapter.toRequest(given).body.contents as Conversation['contents'])[1]?.parts;
  }

  it('are restored from a whole answer', () => {
    const { message } = adapter.fromResponse(event(parts, 'STOP'), call).choices[0] ?? {};
    expect(sentBack(JSON.parse(JSON.stringify(message)))).toEqual(parts);
  });

  it('are restored from a stream merged by the SDK', async () => {
    const [, signed = {}, unsigned = {}] = parts;
    const events = [
      event([{ text: 'One ' }]),
      event([{ text: 'moment.' }, signed]),
      event([unsigned, { text: '', thoughtSignature: 'dGV4dA==' }]),
      event([{ text: '' }], 'STOP'),
    ];
    const framed = events.map((value) => ({ event: '', data: JSON.stringify(value) }));
    const chunks = await lastValueFrom(from(framed).pipe(adapter.fromStream(call), toArray()));
    const lines = chunks.map((chunk) => Buffer.from(`${JSON.stringify(chunk)}\n`));
    const gathered = ChatCompletionStream.fromReadableStream(ReadableStream.from(lines));
    const [choice] = (await gathered.finalChatCompletion()).choices;
    expect(sentBack(JSON.parse(JSON.stringify(choice?.message)))).toEqual(parts);
  });

  it('are not sent to another upstream that continues the conversation', () => {
    const { message } = adapter.fromResponse(event(parts, 'STOP'), call).choices[0] ?? {};
    const messages = [{ role: 'user' as const, content: 'Hi' }, message as AssistantMessage];
    const { body } = openAiAdapter(openAiDialect).toRequest(providerCall({ messages }));
    expect(JSON.stringify(body)).toContain('"id":"x"');
    expect(JSON.stringify(body)).not.toMatch(/extra_content|Y2FsbA|dGV4dA/);
  });
});
