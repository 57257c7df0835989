import { expect, it } from '@jest/globals';
import type { MessagesRequest } from '../request/messages.types.js';
import { clientPath } from './chat-request.js';

const PNG = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png', data: 'AAAA' } };
const request: MessagesRequest = {
  model: 'm',
  system: 'Be kind.',
  tools: [
    { type: 'web_search_20250305', name: 'web_search', input_schema: {} },
    { name: 'f', input_schema: {} },
  ],
  output_config: { format: { type: 'json_schema', schema: {} } },
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'a' }, PNG] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
  ],
};

it.each([
  ['messages[0]', 'system'],
  ['messages[1].content[1]', 'messages[0].content[1]'],
  ['messages[1].content[1].image_url.url', 'messages[0].content[1]'],
  ['messages[2].tool_calls[0]', 'messages[1]'],
  ['messages[3]', 'messages[2]'],
  ['messages[4].content[0]', 'messages[2]'],
  ['tools[0].function.parameters', 'tools[1].input_schema'],
  ['stop', 'stop_sequences'],
  ['user', 'metadata.user_id'],
  ['response_format', 'output_config.format'],
  ['reasoning_effort', 'thinking'],
  ['temperature', 'temperature'],
])('the field %s of the inner form is %s of the client', (inner, path) => {
  expect(clientPath(inner, request)).toBe(path);
});

it('fields have the names that the client used', () => {
  expect(clientPath('reasoning_effort', { ...request, output_config: { effort: 'low' } })).toBe('output_config.effort');
  expect(clientPath('response_format', { ...request, output_config: null })).toBe('output_format');
});
