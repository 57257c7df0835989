import { describe, expect, it } from '@jest/globals';
import { messages } from './message.checks.js';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{' } };

function faultIn(...list: unknown[]): [code: string, path: string] | null {
  const fault = messages.faultIn(list);
  return fault && [fault.code, fault.path];
}

function faultInPart(part: unknown, role = 'user'): [code: string, path: string] | null {
  return faultIn({ role, tool_call_id: 'call_1', content: [part] });
}

describe('messages', () => {
  it.each([
    { role: 'user', content: '', name: 'ann' },
    { role: 'assistant', content: 'x', refusal: null, annotations: [], audio: null },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'assistant', tool_calls: [{ id: '', type: 'custom', custom: { name: 'c', input: '' } }] },
    { role: 'assistant', function_call: { name: 'f', arguments: '' } },
    { role: 'assistant', content: null, refusal: 'no' },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
    { role: 'assistant', audio: { id: 'audio_1' } },
    { role: 'assistant', content: null, reasoning_content: 'Let me see.' },
    { role: 'function', content: null, name: 'f' },
    { role: 'user', content: 'x', unknown: [{ deep: true }] },
  ])('may contain %j', (message) => {
    expect(faultIn(message)).toBeNull();
  });

  it.each<[code: string, path: string, message: unknown]>([
    ['invalid_type', '[1]', null],
    ['missing_required_parameter', '[1].role', { content: 'x' }],
    ['invalid_type', '[1].role', { role: 1, content: 'x' }],
    ['invalid_value', '[1].role', { role: 'robot', content: 'x' }],
    ['invalid_value', '[1].role', { role: '__proto__', content: 'x' }],
    ['missing_required_parameter', '[1].content', { role: 'user' }],
    ['invalid_type', '[1].content', { role: 'user', content: null }],
    ['invalid_type', '[1].content', { role: 'user', content: { type: 'text', text: 'x' } }],
    ['invalid_type', '[1].content', { role: 'system', content: 3 }],
    ['invalid_value', '[1].content', { role: 'user', content: [] }],
    ['invalid_type', '[1].name', { role: 'user', content: 'x', name: 1 }],
    ['missing_required_parameter', '[1].content', { role: 'assistant' }],
    ['invalid_type', '[1].content', { role: 'assistant', content: null }],
    ['invalid_type', '[1].tool_calls', { role: 'assistant', tool_calls: call }],
    ['missing_required_parameter', '[1].tool_calls[0].id', toolCall({ id: undefined })],
    ['invalid_value', '[1].tool_calls[0].type', toolCall({ type: 'magic' })],
    ['invalid_type', '[1].tool_calls[0].function.arguments', toolCall({ function: { name: 'f', arguments: {} } })],
    ['missing_required_parameter', '[1].audio.id', { role: 'assistant', audio: {} }],
    ['missing_required_parameter', '[1].tool_call_id', { role: 'tool', content: 'x' }],
    ['missing_required_parameter', '[1].content', { role: 'function', name: 'f' }],
    ['missing_required_parameter', '[1].name', { role: 'function', content: 'x' }],
  ])('give %s at %s for %j', (code, path, message) => {
    expect(faultIn({ role: 'user', content: 'x' }, message)).toEqual([code, path]);
  });

  it('lose nulls that mean "not set", as in SDK objects that are sent back', () => {
    const message = { role: 'assistant', content: 'x', name: null, tool_calls: null, function_call: null };
    expect(faultIn(message)).toBeNull();
    expect(message).toEqual({ role: 'assistant', content: 'x', function_call: null });
  });
});

describe('content parts', () => {
  it.each([
    { type: 'text', text: '', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } },
    { type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
    { type: 'image_url', image_url: { url: 'DATA:image/svg+xml;charset=utf-8;BASE64,PHN2Zz4=', detail: null } },
    { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'high' } },
    { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
  ])('content parts of a user may be %j', (part) => {
    expect(faultInPart(part)).toBeNull();
  });

  it.each<[code: string, path: string, part: unknown]>([
    ['missing_required_parameter', '.type', { text: 'x' }],
    ['invalid_value', '.type', { type: 'video_url', video_url: {} }],
    ['invalid_value', '.type', { type: 'refusal', refusal: 'x' }],
    ['missing_required_parameter', '.text', { type: 'text' }],
    ['invalid_type', '.text', { type: 'text', text: null }],
    ['invalid_type', '.image_url', { type: 'image_url', image_url: PNG }],
    ['invalid_value', '.image_url.detail', { type: 'image_url', image_url: { url: PNG, detail: 'best' } }],
    [
      'invalid_value',
      '.prompt_cache_breakpoint.ttl',
      { type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit', ttl: '1h' } },
    ],
    ['invalid_value', '.image_url.url', image('iVBORw0KGgo=')],
    ['invalid_value', '.image_url.url', image('data:image/png;base64,')],
    ['invalid_value', '.image_url.url', image('data:image/png,iVBORw0KGgo=')],
    ['invalid_value', '.image_url.url', image('data:text/plain;base64,eA==')],
    ['invalid_value', '.image_url.url', image('file:///etc/passwd')],
    ['invalid_value', '.image_url.url', image('https://')],
    ['invalid_value', '.input_audio.data', { type: 'input_audio', input_audio: { data: '', format: 'wav' } }],
    ['invalid_value', '.input_audio.data', { type: 'input_audio', input_audio: { data: 'data:x,y', format: 'wav' } }],
    ['invalid_value', '.input_audio.format', { type: 'input_audio', input_audio: { data: 'eA==', format: 'ogg' } }],
    ['invalid_value', '.file.file_data', { type: 'file', file: { file_data: 'data:application/pdf;base64,' } }],
    ['invalid_value', '.file.file_data', { type: 'file', file: { file_data: ' data:video/mp4;base64,AAAA' } }],
    ['invalid_type', '.file.file_id', { type: 'file', file: { file_id: 7 } }],
  ])('give %s at %s for %j', (code, path, part) => {
    expect(faultInPart(part)).toEqual([code, `[0].content[0]${path}`]);
  });

  it('content parts of role tool may be texts and images', () => {
    expect(faultInPart(image(PNG), 'tool')).toBeNull();
    expect(faultInPart({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, 'tool')).toEqual([
      'invalid_value',
      '[0].content[0].type',
    ]);
  });

  it.each(['system', 'assistant'])('content parts of role %s may not be images', (role) => {
    expect(faultInPart(image(PNG), role)).toEqual(['invalid_value', '[0].content[0].type']);
  });
});

function image(url: string): object {
  return { type: 'image_url', image_url: { url } };
}

function toolCall(fields: object): object {
  return { role: 'assistant', tool_calls: [{ ...call, ...fields }] };
}
