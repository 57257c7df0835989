import { expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { answerOfStream } from '../../../../test/support/client-answer.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import { parseExactly } from '../../../json/exact-json.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { framed } from '../../framing/framing.js';
import { PROVIDERS } from '../providers.js';

const DIGITS = '{"order":12345678901234567891,"parts":[9007199254740993]}';

const messages: ChatCompletionRequest['messages'] = [
  { role: 'user', content: 'Where is it?' },
  { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: DIGITS } }] },
  { role: 'tool', tool_call_id: 'c1', content: DIGITS },
];

function adapterOf(protocol: string) {
  const adapter = PROVIDERS.find((listed) => listed.protocol === protocol);
  if (!adapter) throw new Error(protocol);
  return adapter;
}

/** All adapters with code of their own for calls, and OpenAI's for all of its dialects. */
const SENDING = ['openai', 'anthropic', 'gemini', 'bedrock', 'cohere', 'mistral', 'openai-responses'];

it.each(SENDING)('%s receives every digit of a call and its result', (protocol) => {
  const { body } = adapterOf(protocol).toRequest(providerCall({ messages }));
  const sent = JSON.stringify(body).replaceAll('\\"', '"');
  expect(sent.split(DIGITS)).toHaveLength(3);
});

it.each([
  ['anthropic', `{"content":[{"type":"tool_use","id":"t","name":"find","input":${DIGITS}}],"stop_reason":"tool_use"}`],
  [
    'bedrock',
    `{"output":{"message":{"content":[{"toolUse":{"toolUseId":"t","name":"find","input":${DIGITS}}}]}},"stopReason":"tool_use"}`,
  ],
  [
    'gemini',
    `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"find","args":${DIGITS}}}]},"finishReason":"STOP"}]}`,
  ],
])('a whole answer of %s keeps every digit', (protocol, text) => {
  const { choices } = adapterOf(protocol).fromResponse(parseExactly(text), providerCall({ messages }));
  expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'find', arguments: DIGITS } });
  expect(adapterOf(protocol).argumentsAreValues).toBe(true);
});

it.each([
  [
    'anthropic',
    [
      `{"type":"message_start","message":{}}`,
      `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"find","input":${DIGITS}}}`,
      '{"type":"content_block_stop","index":0}',
      '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}',
    ],
  ],
  [
    'gemini',
    [
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"find","args":${DIGITS}}}]},"finishReason":"STOP"}]}`,
    ],
  ],
  [
    'gemini',
    [
      '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"find","willContinue":true}}]}}]}',
      '{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.order","numberValue":12345678901234567891}],"willContinue":true}}]}}]}',
      '{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.parts[0]","numberValue":9007199254740993}]}}]},"finishReason":"STOP"}]}',
    ],
  ],
])('a stream of %s keeps every digit', async (protocol, events) => {
  const adapter = adapterOf(protocol);
  const named = protocol === 'anthropic' ? (data: string) => `event: ${JSON.parse(data).type}\n` : () => '';
  const bytes = Buffer.from(events.map((data) => `${named(data)}data: ${data}\n\n`).join(''));
  const chunks = from([bytes]).pipe(framed(adapter.framing), adapter.fromStream(providerCall({ stream: true })));
  const reported = answerOfStream(await lastValueFrom(chunks.pipe(toArray())));
  expect(reported.choices[0]?.toolCalls).toMatchObject([{ name: 'find', arguments: DIGITS }]);
});
