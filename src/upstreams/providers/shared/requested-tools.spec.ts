import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../../../test/support/core-time.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import { type ModelTraits, UNKNOWN_TRAITS } from '../../../config/models.settings.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { PROVIDERS } from '../providers.js';
import { nearestEffort, offeredFunctions } from './requested-tools.js';

const EFFORTS: ModelTraits['efforts'] = ['low', 'medium', 'high'];

function sent(protocol: string, effort: string, efforts: ModelTraits['efforts'], upstreamModel = 'some-model') {
  const adapter = PROVIDERS.find((candidate) => candidate.protocol === protocol);
  if (!adapter) throw new Error(`no adapter ${protocol}`);
  const request = { messages: [{ role: 'user' as const, content: 'Hi' }], reasoning_effort: effort };
  const call: ProviderCall = {
    ...providerCall(request),
    upstreamModel,
    traits: { ...UNKNOWN_TRAITS, efforts },
  };
  return adapter.toRequest(call);
}

it.each([
  ['low', ['none', 'high'], 'high'],
  ['minimal', ['none', 'high'], 'high'],
  ['none', ['none', 'high'], 'none'],
  ['max', ['none', 'high'], 'high'],
  ['none', ['low', 'medium', 'high'], 'low'],
  ['xhigh', ['low', 'medium', 'high', 'max'], 'max'],
  ['medium', ['low', 'medium', 'high'], 'medium'],
  ['default', ['low'], 'default'],
])('the nearest effort to %s of %j is %s', (effort, levels, nearest) => {
  expect(nearestEffort(effort, levels)).toBe(nearest);
});

it('the allowed ones of 12,000 functions are found at once', async () => {
  const functions = (prefix: string) =>
    Array.from({ length: 12_000 }, (_, index) => ({
      type: 'function' as const,
      function: { name: `${prefix.repeat(20)}${index}` },
    }));
  const allowed_tools = { mode: 'auto' as const, tools: [...functions('b'), ...functions('a').slice(-1)] };
  const request = {
    model: 'm',
    messages: [],
    tools: functions('a'),
    tool_choice: { type: 'allowed_tools' as const, allowed_tools },
  };
  const found: unknown[] = [];
  expect(await coreMsOf(() => found.push(...offeredFunctions(request)))).toBeLessThan(200);
  expect(found).toEqual(request.tools.slice(-1));
});

describe('an effort that a model is declared not to have', () => {
  it.each([
    'openai',
    'azure',
    'mistral',
    'xai',
    'groq',
    'ollama',
    'perplexity',
    'together',
    'vllm',
    'openai-compatible',
  ])('becomes the nearest in Chat Completions of %s', (protocol) => {
    const words = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'other'];
    expect(words.map((word) => sent(protocol, word, EFFORTS).body.reasoning_effort)).toEqual([
      'low',
      'low',
      'low',
      'medium',
      'high',
      'high',
      'high',
      'other',
    ]);
  });

  it('becomes the nearest in the formats of other APIs', () => {
    expect(sent('openai-responses', 'none', EFFORTS).body.reasoning).toEqual({ effort: 'low' });
    expect(sent('openrouter', 'max', EFFORTS).body.reasoning).toEqual({ effort: 'high' });
    expect(sent('cohere', 'none', EFFORTS).body.thinking).toEqual({ type: 'enabled', token_budget: 2048 });
  });

  it('takes precedence over what the name of the model tells', () => {
    expect(sent('openai', 'minimal', ['minimal', 'high'], 'gpt-5.6-sol').body.reasoning_effort).toBe('minimal');
    expect(sent('openai', 'minimal', null, 'gpt-5.6-sol').body.reasoning_effort).toBe('low');
    expect(sent('mistral', 'low', ['none', 'low'], 'mistral-small').body.reasoning_effort).toBe('low');
    expect(sent('mistral', 'low', null, 'mistral-small').body.reasoning_effort).toBe('high');
  });

  it('is not named as ignored, like other translated values', () => {
    expect(sent('xai', 'none', EFFORTS).ignored).toEqual([]);
  });
});
