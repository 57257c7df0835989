import { expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { PROVIDERS } from '../providers.js';
import { ignoredFields } from './ignored-fields.js';

const requested = (fields: Record<string, unknown>) =>
  ignoredFields(providerCall(fields).request, (field) => field === 'temperature');

it('reports dropped fields that request something', () => {
  expect(requested({ temperature: 1, seed: 7, metadata: { a: 'b' }, verbosity: 'low', vendor: { own: 1 } })).toEqual([
    'seed',
    'metadata',
    'verbosity',
    'vendor',
  ]);
});

it('ignores fields that request the default', () => {
  const nothing = { n: 1, store: false, user: null, logit_bias: {}, stop: [], frequency_penalty: 0, seed: undefined };
  expect(
    requested({ ...nothing, stream: true, stream_options: { include_usage: true }, modalities: ['text'] }),
  ).toEqual([]);
  expect(requested({ parallel_tool_calls: true, service_tier: 'auto', verbosity: 'medium', user: '' })).toEqual([]);
});

it('skips names that are unsafe in a header, and limits the number of names', () => {
  expect(requested({ 'a\r\nset-cookie: x': 1, ü: 1 })).toEqual([]);
  expect(requested(Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`f${index}`, 1])))).toHaveLength(20);
});

it.each([
  ['anthropic', ['prediction', 'service_tier', 'seed']],
  ['bedrock', ['prediction', 'seed', 'user']],
  ['gemini', ['prediction', 'user', 'metadata']],
  ['cohere', ['prediction', 'service_tier', 'user', 'metadata']],
  ['mistral', ['service_tier']],
  ['openai', []],
])('%s reports the fields that it drops', (protocol, expected) => {
  const adapter = PROVIDERS.find((listed) => listed.protocol === protocol);
  const fields = { prediction: { type: 'content', content: 'x' }, service_tier: 'flex', seed: 7, user: 'u' };
  const call = providerCall({
    messages: [{ role: 'user', content: 'Hi' }],
    ...fields,
    metadata: { a: 'b' },
    temperature: 0.5,
    top_p: 0.5,
    stop: 'x',
    max_tokens: 5,
    tools: [{ type: 'function', function: { name: 'f' } }],
    tool_choice: 'auto',
    parallel_tool_calls: false,
    response_format: { type: 'json_object' },
    reasoning_effort: 'none',
    presence_penalty: 1,
  });
  expect(adapter?.toRequest(call).ignored ?? []).toEqual(expect.arrayContaining(expected));
  const taken = ['temperature', 'top_p', 'stop', 'max_tokens', 'tools', 'tool_choice', 'response_format'];
  for (const field of taken) expect(adapter?.toRequest(call).ignored ?? []).not.toContain(field);
});
