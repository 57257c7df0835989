import { describe, expect, it } from '@jest/globals';
import { toChatRequest, userTurn } from './chat-request';
import type { ChatRequest } from './chat-settings';
import { fromRequest } from './from-request';

const CALL = { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{"at":1}' } };
const REQUEST = {
  model: 'gpt',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: null, tool_calls: [CALL] },
    { role: 'tool', content: 'Nothing.', tool_call_id: 'call_1' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'And here?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGVs…' } },
      ],
    },
  ],
  temperature: 0.5,
  max_completion_tokens: 100,
  stop: ['END'],
} as unknown as ChatRequest;

describe('a request from the log in the playground', () => {
  it('is the same request again once its draft is sent, without images that the log has cut', () => {
    const { settings, turns, draft } = fromRequest(REQUEST);
    expect(draft).toMatchObject({ text: 'And here?', images: [{ name: 'image 2' }] });
    const again = toChatRequest(settings, [...turns, userTurn(draft.text, draft.images)]);
    const last = { role: 'user', content: (REQUEST.messages[4]?.content ?? []).slice(0, 2) };
    expect(again).toEqual({
      ...REQUEST,
      messages: [...REQUEST.messages.slice(0, 4), last],
    });
  });

  it('has no draft if an answer ends it', () => {
    const { turns, draft } = fromRequest({ ...REQUEST, messages: REQUEST.messages.slice(0, 4) });
    expect(draft.text).toBe('');
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });
});
