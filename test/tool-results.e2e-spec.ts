import { describe, expect, it } from '@jest/globals';
import { CALL_TABLE } from './support/api-table.js';
import { ApiTest, answerOf } from './support/api-test.js';

const IMAGE = 'data:image/png;base64,AAAA';
const CALL = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } };

/** A call, a message between, and a result with an image, as each API writes them. */
const QUESTIONS: Readonly<Record<string, object>> = {
  'chat.completions': {
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'developer', content: 'Be brief.' },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'image_url', image_url: { url: IMAGE } }] },
    ],
  },
  responses: {
    input: [
      { role: 'user', content: 'Go.' },
      { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
      { role: 'developer', content: 'Be brief.' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: IMAGE }] },
    ],
  },
  messages: {
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: {} }] },
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
          },
        ],
      },
    ],
  },
};

const test = await ApiTest.start();

const sent = () => (test.a.requests.at(-1) ?? { json: () => null }).json();

const NATIVE = CALL_TABLE.filter(([name]) => name.startsWith('native'));
const TRANSLATED = CALL_TABLE.filter(([name]) =>
  ['chat', 'translated Responses', 'translated Messages'].includes(name),
);

describe('the result of a tool, with an image and a message before it', () => {
  it.each(TRANSLATED)('follows its call, and its image follows in a user message: %s', async (_name, row) => {
    test.a.enqueue(answerOf(row, false));
    const response = await test.ask(row, QUESTIONS[row.client.api]);
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
    const { messages } = sent() as { messages: { role: string; content: unknown }[] };
    expect(messages.map(({ role }) => role.replace('developer', 'system'))).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'system',
    ]);
    expect(messages[2]?.content).toMatch(/next message of the user/);
    expect(messages[3]?.content).toEqual([
      { type: 'text', text: 'Images and files of the tool result c:' },
      { type: 'image_url', image_url: { url: IMAGE } },
    ]);
  });

  it.each(NATIVE)('stays as the client sent it: %s', async (_name, row) => {
    test.a.enqueue(answerOf(row, false));
    const response = await test.ask(row, QUESTIONS[row.client.api]);
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
    expect(sent()).toMatchObject(QUESTIONS[row.client.api] ?? {});
  });
});
