import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatMessage } from '../../contract/chat.types.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { openAiCompatibleDialect } from './openai-compatible.dialect.js';

const adapter = openAiAdapter(openAiCompatibleDialect);
const call = providerCall();

function answered(message: object, finish = 'stop') {
  return adapter.fromResponse({ choices: [{ index: 0, message, finish_reason: finish }] }, call).choices[0];
}

describe('an OpenAI-compatible server', () => {
  it('gets no fields that control it or redirect the call', () => {
    const known = { top_k: 5, functions: [], made_up: { x: 1 } };
    const { body } = adapter.toRequest(providerCall({ ...known, bootstrap_host: '10.0.0.1', lora_path: 'other' }));
    expect(body).toMatchObject(known);
    expect(Object.keys(body)).toHaveLength(6);
  });

  it('gets only known fields for models with a price, and the others are named', () => {
    const known = { top_k: 5, seed: 1, chat_template_kwargs: { thinking: true }, guided_json: {} };
    const others = { n_predict: 9, max_new_tokens: 9, n_cmpl: 9, num_return_sequences: 9, use_beam_search: true };
    const written = { best_of: '9', N: 9, Max_Tokens: 9, made_up: 9 };
    const call = { ...providerCall({ ...known, ...others, ...written, max_tokens: 5 }), isPaid: true };
    const { body, ignored } = adapter.toRequest(call);
    expect(body).toEqual({ model: 'upstream-model', messages: [], stream: false, max_tokens: 5, ...known });
    expect(ignored).toEqual([...Object.keys(others), ...Object.keys(written)]);
  });

  it('gets only known fields in text completions for models with a price', () => {
    const fields = { prompt: 'Hi', max_tokens: 5, top_k: 5, n_predict: 9, use_beam_search: true };
    const native = { api: 'completions' as const, fields, headers: {} };
    const api = adapter.textCompletions?.(call);
    expect(api?.toRequest({ ...providerCall(), isPaid: true }, native).body).toEqual({
      model: 'upstream-model',
      ...{ prompt: 'Hi', max_tokens: 5, top_k: 5 },
    });
    expect(api?.toRequest(providerCall(), native).body).toMatchObject({ n_predict: 9, use_beam_search: true });
  });

  it('gets only the reasoning of tool calls back', () => {
    const calls = [{ id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } }];
    const thoughtful = { role: 'assistant' as const, content: 'a', reasoning_content: 'Hm.' };
    const messages: ChatMessage[] = [
      thoughtful,
      { ...thoughtful, tool_calls: calls },
      { ...thoughtful, tool_calls: [] },
    ];
    expect(adapter.toRequest(providerCall({ messages })).body.messages).toEqual([
      { role: 'assistant', content: 'a' },
      messages[1],
      { role: 'assistant', content: 'a' },
    ]);
  });

  it('may use either name for reasoning', () => {
    expect(answered({ content: 'a', reasoning: 'Hm.' })?.message.reasoning_content).toBe('Hm.');
    expect(answered({ content: 'a', reasoning_content: 'Hm.', reasoning: 'Hm.' })?.message.reasoning_content).toBe(
      'Hm.',
    );
    expect(answered({ content: 'a', reasoning_content: '', reasoning: null })?.message).not.toHaveProperty(
      'reasoning_content',
    );
  });

  it.each(['abort', 'network_error'])('an OpenAI-compatible server that ends with "%s" has failed', (finish) => {
    expect(() => answered({ content: 'a' }, finish)).toThrow(expect.objectContaining({ status: 502 }));
  });

  it('an OpenAI-compatible server that ends an answer because of its content is a content filter', () => {
    expect(answered({ content: '' }, 'sensitive')?.finish_reason).toBe('content_filter');
  });
});
