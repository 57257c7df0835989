import { describe, expect, it } from '@jest/globals';
import type { Model } from '../../models/model.types.js';
import { withNativeForm } from '../../upstreams/tokens/native-walk.js';
import { reasons } from './reasoning.js';

const model = { capabilities: ['reasoning'], targets: [{ traits: { efforts: ['none', 'low'] } }] } as unknown as Model;

describe('a model whose reasoning a native request turns off', () => {
  it.each<[boolean, 'responses' | 'messages', object]>([
    [false, 'responses', { reasoning: { effort: 'none', summary: 'auto', context: 'auto' } }],
    [false, 'messages', { thinking: { type: 'disabled', budget_tokens: 1024 } }],
    [true, 'responses', { reasoning: { effort: 'none', mode: 'pro' } }],
    [true, 'messages', { thinking: { type: 'enabled', budget_tokens: 1024 }, output_config: { effort: 'none' } }],
    [true, 'responses', { enable_thinking: true }],
  ])('may reason (%s) at %s with %j', (isExpected, api, fields) => {
    const request = { model: 'm', messages: [], reasoning_effort: 'none' };
    expect(reasons(model, withNativeForm(request, { api, fields: { ...fields } }))).toBe(isExpected);
  });
});
