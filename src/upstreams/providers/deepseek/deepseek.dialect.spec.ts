import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { UNKNOWN_TRAITS } from '../../../config/models.settings.js';
import type { ChatCompletionRequest, ChatMessage } from '../../contract/chat.types.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { deepseekDialect } from './deepseek.dialect.js';

const adapter = openAiAdapter(deepseekDialect);

it('an answer that DeepSeek ends because of missing resources counts as an overload', () => {
  const choice = { index: 0, message: { content: 'The' }, finish_reason: 'insufficient_system_resource' };
  expect(() => adapter.fromResponse({ choices: [choice] }, providerCall())).toThrow(
    expect.objectContaining({ status: 503 }),
  );
});

describe('the reasoning of earlier answers', () => {
  const user = { role: 'user' as const, content: 'Hi' };
  const call = { id: 'a', type: 'function' as const, function: { name: 'look', arguments: '{}' } };
  const calling = { role: 'assistant' as const, content: null, tool_calls: [call] };
  const result = { role: 'tool' as const, tool_call_id: 'a', content: 'a cat' };
  const answer = { role: 'assistant' as const, content: 'A cat.' };
  const sent = (...messages: ChatMessage[]) => adapter.toRequest(providerCall({ messages })).body.messages;

  it('is given back empty where the client lost it', () => {
    const lost = { reasoning_content: '' };
    expect(sent(user, calling, result, answer, user)).toEqual([
      ...[user, { ...calling, ...lost }, result, { ...answer, ...lost }, user],
    ]);
  });

  it('is not added to the beginning of an answer that the model continues', () => {
    const prefix = { ...answer, prefix: true };
    expect(sent(user, prefix)).toEqual([user, prefix]);
  });

  it('is given back as the client sent it', () => {
    const thoughtful = { ...calling, reasoning_content: 'I must look.' };
    expect(sent(user, thoughtful, result)).toEqual([user, thoughtful, result]);
  });
});

describe('the thinking of DeepSeek', () => {
  const sampling = { temperature: 0.5, top_p: 0.9 };
  const sent = (
    fields: Partial<ChatCompletionRequest>,
    efforts: ('low' | 'high' | 'max')[] | null = ['low', 'high', 'max'],
  ) => adapter.toRequest({ ...providerCall(fields), traits: { ...UNKNOWN_TRAITS, efforts } });

  it('has three efforts, and a separate field turns it off', () => {
    const bodies = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'].map(
      (reasoning_effort) => sent({ reasoning_effort }).body,
    );
    expect(bodies.map((body) => body.reasoning_effort)).toEqual([
      ...[undefined, 'low', 'low', 'high', 'high', 'high', 'max'],
    ]);
    expect(bodies.map((body) => body.thinking)).toEqual([{ type: 'disabled' }, ...Array(6).fill(undefined)]);
  });

  it('excludes temperature and top_p, which are left out and named', () => {
    for (const fields of [{}, { reasoning_effort: 'low' }, { thinking: { type: 'enabled' } }]) {
      const { body, ignored } = sent({ ...sampling, ...fields });
      expect(body).not.toHaveProperty('temperature');
      expect(body).not.toHaveProperty('top_p');
      expect(ignored).toEqual(['temperature', 'top_p']);
    }
  });

  it('allows temperature and top_p when it is off', () => {
    for (const fields of [{ reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }]) {
      expect(sent({ ...sampling, ...fields })).toMatchObject({ body: sampling, ignored: [] });
    }
    expect(sent(sampling, null)).toMatchObject({ body: sampling, ignored: [] });
  });

  it('goes together with pictures of the user', () => {
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
    ];
    expect(sent({ messages: [{ role: 'user', content }] }).body.messages).toEqual([{ role: 'user', content }]);
  });
});
