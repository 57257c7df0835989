import { expect, it } from '@jest/globals';
import { deepFreeze } from '../../../test/support/deep-freeze.js';
import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { withKnownMediaTypes } from './media-types.js';

const png = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const image = (url: string) => ({ type: 'image_url', image_url: { url, detail: 'low' } });

function request(...messages: object[]): ChatCompletionRequest {
  return deepFreeze({ model: 'm', messages, temperature: 0 }) as unknown as ChatCompletionRequest;
}

it('calls JPEG images image/jpeg wherever a message may have them', () => {
  const given = request(
    { role: 'user', content: [png, image('data:image/jpg;base64,AAAA'), image('DATA:image/JPG;x=y;base64,AA')] },
    { role: 'assistant', content: 'Here.', images: [image('data:image/jpg;base64,BBBB')] },
    { role: 'tool', tool_call_id: 'a', content: [image('data:image/jpg;base64,CCCC')] },
    { role: 'user', content: [{ type: 'file', file: { filename: 'a.jpg', file_data: 'data:image/jpg;base64,DD' } }] },
  );
  expect(withKnownMediaTypes(given)).toEqual(
    request(
      { role: 'user', content: [png, image('data:image/jpeg;base64,AAAA'), image('data:image/jpeg;x=y;base64,AA')] },
      { role: 'assistant', content: 'Here.', images: [image('data:image/jpeg;base64,BBBB')] },
      { role: 'tool', tool_call_id: 'a', content: [image('data:image/jpeg;base64,CCCC')] },
      {
        role: 'user',
        content: [{ type: 'file', file: { filename: 'a.jpg', file_data: 'data:image/jpeg;base64,DD' } }],
      },
    ),
  );
});

it('calls JPEG images image/jpeg in requests of the Messages and the Responses API', () => {
  const block = (media_type: string) => ({ type: 'image', source: { type: 'base64', media_type, data: 'AAAA' } });
  const messages = (type: string) => [
    { role: 'user', content: [block(type), { type: 'tool_result', tool_use_id: 'a', content: [block(type)] }] },
  ];
  expect(withKnownMediaTypes(deepFreeze({ messages: messages('image/jpg') }))).toEqual({
    messages: messages('image/jpeg'),
  });
  const input = (type: string) => [
    { role: 'user', content: [{ type: 'input_image', image_url: `data:${type};base64,AAAA` }] },
    { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_image', image_url: `data:${type},A` }] },
    { type: 'computer_call_output', output: { type: 'computer_screenshot', image_url: `data:${type};base64,AA` } },
  ];
  expect(withKnownMediaTypes(deepFreeze({ input: input('image/jpg') }))).toEqual({ input: input('image/jpeg') });
});

it('changes neither text nor the object of a request without such images', () => {
  const text = 'data:image/jpg;base64,AAAA';
  const given = request(
    { role: 'user', content: text },
    { role: 'user', content: [{ type: 'text', text }, png, image('https://example.com/data:image/jpg;')] },
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', function: { arguments: text } }] },
  );
  expect(withKnownMediaTypes(given)).toBe(given);
  const texts = { input: [text, { type: 'function_call_output', output: text }] };
  expect(withKnownMediaTypes(texts)).toBe(texts);
});
