import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../common/gateway.error.js';
import type { ChatMessage, ContentPart } from '../../contract/chat.types.js';
import { toMessages } from './messages.js';
import { toolNames } from './tools.js';

const sent = (...messages: ChatMessage[]) => toMessages(messages, toolNames({}));
const call = (id: string, text: string, name = 'f') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: text },
});

describe('a conversation', () => {
  it('keeps its order and roles; developer becomes system', () => {
    expect(
      sent(
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Hi', name: 'Ann' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
        { role: 'user', content: 'Bye' },
      ),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
      { role: 'user', content: 'Bye' },
    ]);
  });

  it('accepts images, embedded or by URL', () => {
    const content: ContentPart[] = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
    ];
    expect(sent({ role: 'user', content })).toEqual([{ role: 'user', content }]);
  });

  it('refuses other parts, with their path', () => {
    const file: ContentPart = { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } };
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Hi' },
      { role: 'user', content: [{ type: 'text', text: 'x' }, file] },
    ];
    expect(() => sent(...messages)).toThrow(GatewayError);
    expect(() => sent(...messages)).toThrow(
      expect.objectContaining({ body: expect.objectContaining({ param: 'messages[1].content[1]' }) }),
    );
  });

  it('drops empty content, except of a tool result', () => {
    expect(
      sent(
        { role: 'system', content: ' ' },
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'Hi' },
          ],
        },
        { role: 'assistant', content: '' },
        { role: 'assistant', content: '', tool_calls: [call('a', '')] },
        { role: 'tool', tool_call_id: 'a', content: '' },
      ),
    ).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', tool_calls: [call('a', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: '(empty)' },
    ]);
    expect(sent({ role: 'user', content: '' })).toEqual([{ role: 'user', content: 'Begin.' }]);
  });

  it('keeps a refusal as text', () => {
    expect(sent({ role: 'assistant', content: null, refusal: 'No.' })).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'No.' }] },
    ]);
  });

  it('refuses an earlier audio answer', () => {
    expect(() => sent({ role: 'assistant', audio: { id: 'audio_1' } })).toThrow(
      expect.objectContaining({ body: expect.objectContaining({ param: 'messages[0].audio' }) }),
    );
  });
});

describe('tool calls', () => {
  it('keep arguments that are objects, and wrap other arguments as text', () => {
    const calls = [call('a', '{ "x": 1 }'), call('b', '[1]'), call('c', '{"x'), call('d', '')];
    const [message] = sent({ role: 'assistant', tool_calls: calls });
    expect(message?.tool_calls).toEqual([
      call('a', '{ "x": 1 }'),
      call('b', '{"arguments":"[1]"}'),
      call('c', '{"arguments":"{\\"x"}'),
      call('d', '{}'),
    ]);
  });

  it('have unique ids, even if ids repeat in the conversation', () => {
    const round: ChatMessage[] = [
      { role: 'assistant', tool_calls: [call('call_0', '{}')] },
      {
        role: 'tool',
        tool_call_id: 'call_0',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ];
    expect(sent(...round, ...round)).toMatchObject([
      { tool_calls: [{ id: 'call_0' }] },
      { tool_call_id: 'call_0', content: 'a\nb' },
      { tool_calls: [{ id: 'call_0_' }] },
      { tool_call_id: 'call_0_' },
    ]);
  });

  it('tool calls of custom tools become calls of functions', () => {
    expect(
      sent(
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'run', input: 'ls' } }] },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ),
    ).toEqual([
      { role: 'assistant', tool_calls: [call('c', '{"input":"ls"}', 'run')] },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ]);
  });
});
