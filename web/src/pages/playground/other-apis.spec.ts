import { expect, it } from '@jest/globals';
import type { ChatRequest } from './chat-settings';
import { requestFor } from './other-apis';

const PNG = 'data:image/png;base64,AAAA';
const schema = { type: 'object' };
const request: ChatRequest = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Be kind.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image_url', image_url: { url: PNG } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'one' },
  ],
  temperature: 0.5,
  max_completion_tokens: 100,
  stop: ['END'],
  reasoning_effort: 'low',
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
  tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: schema } }],
  stream: true,
  stream_options: { include_usage: true },
};

it('writes the request of the form for Responses', () => {
  expect(requestFor('responses', request)).toEqual({
    model: 'm',
    input: [
      { role: 'system', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: PNG },
        ],
      },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c', output: 'one' },
    ],
    temperature: 0.5,
    max_output_tokens: 100,
    reasoning: { effort: 'low' },
    text: { format: { type: 'json_schema', name: 'answer', schema, strict: true } },
    tools: [{ type: 'function', name: 'f', description: 'd', parameters: schema }],
    stream: true,
  });
});

it('writes the request of the form for Messages', () => {
  expect(requestFor('messages', request)).toEqual({
    model: 'm',
    max_tokens: 100,
    system: 'Be kind.',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'one' }] },
    ],
    temperature: 0.5,
    stop_sequences: ['END'],
    thinking: { type: 'adaptive' },
    output_config: { effort: 'low', format: { type: 'json_schema', schema } },
    tools: [{ name: 'f', description: 'd', input_schema: schema }],
    stream: true,
  });
});

it('leaves a request for Chat Completions as it is', () => {
  expect(requestFor('chat', request)).toBe(request);
});
