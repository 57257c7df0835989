import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { GatewayError } from '../../../common/gateway.error.js';
import { UNKNOWN_TRAITS } from '../../../config/models.settings.js';
import type { ChatMessage, ToolCall } from '../../contract/chat.types.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { toMessages } from './messages.js';

function conversation(messages: ChatMessage[], call: Partial<ProviderCall> = {}) {
  return toMessages({ ...providerCall({ messages }), upstreamModel: 'gemini-2.5-flash', ...call });
}

const hello: ChatMessage = { role: 'user', content: 'Hello' };
const textPart = (text: string) => ({ parts: [{ text }] });
const toolCall = (id: string, args = '{}', more: object = {}): ToolCall => ({
  id,
  type: 'function',
  function: { name: `f_${id}`, arguments: args },
  ...more,
});
const calling = (...tool_calls: ToolCall[]): ChatMessage => ({ role: 'assistant', content: null, tool_calls });
const result = (tool_call_id: string, content: string): ChatMessage => ({ role: 'tool', tool_call_id, content });

describe('a prefilled answer', () => {
  const prefilled: ChatMessage = { role: 'assistant', content: 'The answer is' };

  it.each(['gemini-2.5-flash', 'gemini-3.1-pro-preview', 'gemini-3.5-flash'])('is continued by %s', (upstreamModel) => {
    const { contents } = conversation([hello, prefilled], { upstreamModel });
    expect(contents).toEqual([
      { role: 'user', ...textPart('Hello') },
      { role: 'model', ...textPart('The answer is') },
    ]);
  });

  it.each(['gemini-3.5-flash-lite', 'gemini-3.6-flash', 'gemini-4-pro'])('is refused for %s', (upstreamModel) => {
    const refusal = { status: 400, body: expect.objectContaining({ param: 'messages[1]' }) };
    expect(() => conversation([hello, prefilled], { upstreamModel })).toThrow(expect.objectContaining(refusal));
    const { contents } = conversation([hello, prefilled, { role: 'system', content: 'Go on' }], { upstreamModel });
    expect(contents.at(-1)?.role).toBe('user');
  });

  it('is continued or refused as the model declares, whatever its name', () => {
    const declaring = (prefill: boolean) => ({ ...UNKNOWN_TRAITS, prefill });
    const older = { upstreamModel: 'gemini-2.5-flash', traits: declaring(false) };
    expect(() => conversation([hello, prefilled], older)).toThrow(expect.objectContaining({ status: 400 }));
    const newer = { upstreamModel: 'gemini-3.8-flash', traits: declaring(true) };
    expect(conversation([hello, prefilled], newer).contents.at(-1)?.role).toBe('model');
  });
});

describe('a picture of an earlier answer', () => {
  const picture = (more: object = {}) => ({
    ...more,
    type: 'image_url',
    image_url: { url: 'data:image/png;base64,AA' },
  });
  const signed = { extra_content: { google: { thought_signature: 's' } } };
  const parts = (upstreamModel: string, ...images: object[]) =>
    conversation([hello, { role: 'assistant', content: 'Here.', images }, hello], { upstreamModel }).contents[1]?.parts;
  const inlineData = { mimeType: 'image/png', data: 'AA' };

  it('goes back with its signature, or with the placeholder from Gemini 3 on', () => {
    expect(parts('gemini-3-pro-image', picture(signed), picture())).toEqual([
      { text: 'Here.' },
      { inlineData, thoughtSignature: 's' },
      { inlineData, thoughtSignature: 'skip_thought_signature_validator' },
    ]);
    expect(parts('gemini-2.5-flash-image', picture())).toEqual([{ text: 'Here.' }, { inlineData }]);
  });

  it('is left out if it has another form', () => {
    const others = ['files/abc', 'gs://bucket/a', 'data:audio/mp3;base64,AA', 'data:video/mp4;base64,AA'];
    const images = [
      { url: 'x' },
      { type: 'image_url', image_url: 'x' },
      ...others.map((url) => ({ image_url: { url } })),
    ];
    expect(parts('gemini-2.5-flash-image', ...images)).toEqual([{ text: 'Here.' }]);
  });
});

describe('instructions', () => {
  it('are moved before the conversation', () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'A' },
      hello,
      { role: 'developer', content: [{ type: 'text', text: 'B' }] },
    ];
    expect(conversation(messages)).toEqual({
      systemInstruction: { parts: [{ text: 'A' }, { text: 'B' }] },
      contents: [{ role: 'user', ...textPart('Hello') }],
    });
  });

  it('instructions without a conversation become a user message', () => {
    expect(conversation([{ role: 'system', content: 'A' }])).toEqual({
      contents: [{ role: 'user', ...textPart('A') }],
    });
  });
});

describe('a tool round', () => {
  it('has all results of a turn together, by name, in the order of the calls, before the next user text', () => {
    const { contents } = conversation([
      hello,
      calling(toolCall('a', '{"x":1}'), toolCall('b', '')),
      result('b', 'plain'),
      result('a', '{"y":2}'),
      { role: 'user', content: 'And?' },
    ]);
    expect(contents.slice(1)).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'f_a', args: { x: 1 } } },
          { functionCall: { id: 'b', name: 'f_b', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'f_a', response: { y: 2 } } },
          { functionResponse: { id: 'b', name: 'f_b', response: { output: 'plain' } } },
          { text: 'And?' },
        ],
      },
    ]);
  });

  it('has no ids on Vertex AI, which matches by name and order', () => {
    const settings = { project: 'p', location: 'l' };
    const { contents } = conversation([hello, calling(toolCall('a')), result('a', '[1]')], { settings });
    expect(contents.slice(1)).toEqual([
      { role: 'model', parts: [{ functionCall: { name: 'f_a', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f_a', response: { output: '[1]' } } }] },
    ]);
  });

  it('wraps invalid arguments as text', () => {
    const { contents } = conversation([hello, calling(toolCall('a', '{"x":')), result('a', '{"broken')]);
    expect(contents[1]?.parts).toEqual([{ functionCall: { id: 'a', name: 'f_a', args: { arguments: '{"x":' } } }]);
    expect(contents[2]?.parts).toMatchObject([{ functionResponse: { response: { output: '{"broken' } } }]);
  });

  it.each(['{"properties":{"a":{"$ref":"#/$defs/A"}}}', '{"\\u0024ref":"x"}'])(
    'has a result with a $ref as text, as the API would resolve it: %s',
    (text) => {
      const { contents } = conversation([hello, calling(toolCall('a')), result('a', text)]);
      expect(contents[2]?.parts).toEqual([{ functionResponse: { id: 'a', name: 'f_a', response: { output: text } } }]);
    },
  );

  it('matches a reused id to its last call', () => {
    const again: ToolCall = { id: 'a', type: 'function', function: { name: 'other', arguments: '{}' } };
    const { contents } = conversation([
      hello,
      calling(toolCall('a')),
      result('a', '1'),
      calling(toolCall('b'), again),
      result('a', '2'),
      result('b', '3'),
    ]);
    expect(contents[4]?.parts).toMatchObject([
      { functionResponse: { name: 'f_b' } },
      { functionResponse: { name: 'other' } },
    ]);
  });

  it('is refused if a result has no call', () => {
    const ask = () => conversation([hello, result('x', '1')]);
    expect(ask).toThrow(GatewayError);
    expect(ask).toThrow(
      expect.objectContaining({ body: expect.objectContaining({ param: 'messages[1].tool_call_id' }) }),
    );
  });
});

describe('a thought signature', () => {
  const signed = { extra_content: { google: { thought_signature: 'c2ln' } } };
  const partsOf = (messages: ChatMessage[], upstreamModel: string) =>
    conversation(messages, { upstreamModel }).contents[1]?.parts;

  it('is sent back with its part', () => {
    const message: ChatMessage = { role: 'assistant', content: 'Sure.', ...signed };
    expect(partsOf([hello, message], 'gemini-3.1-pro-preview')).toEqual([{ text: 'Sure.', thoughtSignature: 'c2ln' }]);
    expect(partsOf([hello, calling(toolCall('a', '{}', signed), toolCall('b'))], 'gemini-3.1-pro-preview')).toEqual([
      { functionCall: { id: 'a', name: 'f_a', args: {} }, thoughtSignature: 'c2ln' },
      { functionCall: { id: 'b', name: 'f_b', args: {} } },
    ]);
  });

  it.each([
    ['gemini-3.6-flash', 'skip_thought_signature_validator'],
    ['gemini-flash-latest', 'skip_thought_signature_validator'],
    ['gemini-2.5-pro', undefined],
    ['gemma-3-27b-it', undefined],
  ])('a thought signature that was lost is replaced by a placeholder if %s requires one', (model, standIn) => {
    const parts = partsOf([hello, calling(toolCall('a'), toolCall('b'))], model);
    expect(parts?.map(({ thoughtSignature }) => thoughtSignature)).toEqual([standIn, undefined]);
  });
});

describe('an earlier answer', () => {
  it('has its text or refusal, without its reasoning', () => {
    const { contents } = conversation([
      hello,
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }], reasoning_content: 'Hm.' },
      { role: 'assistant', content: null, refusal: 'Never.' },
      hello,
    ]);
    expect(contents[1]).toEqual({ role: 'model', parts: [{ text: 'No.' }, { text: 'Never.' }] });
  });

  it('is refused if it is audio only', () => {
    const ask = () => conversation([hello, { role: 'assistant', audio: { id: 'audio_1' } }]);
    expect(ask).toThrow(expect.objectContaining({ body: expect.objectContaining({ param: 'messages[1].audio' }) }));
  });
});
