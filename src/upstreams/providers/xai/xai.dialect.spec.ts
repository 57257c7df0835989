import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { xaiDialect } from './xai.dialect.js';

const adapter = openAiAdapter(xaiDialect);

it.each([
  ['default', 'default', []],
  ['priority', 'priority', []],
  ['auto', undefined, []],
  ['flex', undefined, ['service_tier']],
])('sends xAI only its own service tiers: %s', (service_tier, sent, named) => {
  const { body, ignored } = adapter.toRequest(providerCall({ service_tier }));
  expect(body.service_tier).toBe(sent);
  expect(ignored).toEqual(named);
});

it('sends xAI the results of calls with their ids', () => {
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'web_search', arguments: '{}' } };
  const messages = [
    { role: 'assistant' as const, content: null, tool_calls: [call] },
    { role: 'tool' as const, tool_call_id: 'call_1', content: 'Found.' },
  ];
  expect(adapter.toRequest(providerCall({ messages })).body.messages).toEqual(messages);
});

const call = providerCall();

function errorFor(status: number, error: string) {
  return adapter.toError(status, {}, { code: 'Client specified an invalid argument', error }, call);
}

describe('an error of xAI', () => {
  it.each([
    'Argument not supported on this model: presencePenalty',
    'Model grok-4.3 does not support parameter presencePenalty.',
  ])("has OpenAI's name of the parameter: %s", (message) => {
    expect(errorFor(400, message).body).toMatchObject({ param: 'presence_penalty', code: 'invalid_value' });
  });

  it("about a key is never the caller's 400", () => {
    expect(errorFor(400, 'Incorrect API key provided: xa***4f.')).toMatchObject({
      status: 502,
      advice: 'other-target',
    });
  });

  it('about content is not a refused credential', () => {
    const error = errorFor(403, 'Content violates usage guidelines. Team: 1, API key ID: 2, Failed check: X');
    expect(error).toMatchObject({ status: 400, body: { code: 'content_filter' } });
    expect(error.body.message).not.toContain('Team');
  });
});
