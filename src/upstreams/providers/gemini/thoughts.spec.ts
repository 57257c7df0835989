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
