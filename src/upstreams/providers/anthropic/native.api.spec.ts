import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { NativeBody } from '../../contract/native.body.js';
import { NativeMessages } from './native.api.js';

const native = new NativeMessages();

function bodyOf(fields: object, headers: NativeBody['headers'] = {}): NativeBody {
  return { api: 'messages', fields: { model: 'public-model', max_tokens: 8000, ...fields }, headers };
}

describe('a native Messages request', () => {
  it("has the client's version and beta features", () => {
    const headers = { 'anthropic-version': '2024-10-22', 'anthropic-beta': 'a-2025-01-01,b-2025-01-02' };
    expect(native.toRequest(providerCall(), bodyOf({}, headers))).toMatchObject({ path: '/v1/messages', headers });
    expect(native.toRequest(providerCall(), bodyOf({})).headers).toEqual({ 'anthropic-version': '2026-10-21' });
  });

  it.each([
    ['fits below a limit that was lowered', 2000, { type: 'enabled', budget_tokens: 1999 }],
    ['is disabled if the limit leaves no room', 1024, { type: 'disabled' }],
    ['does not change below the limit', 4097, { type: 'enabled', budget_tokens: 4096 }],
    ['does not change if the limit is the client’s', 9000, { type: 'enabled', budget_tokens: 4096 }],
  ])('a budget for thinking %s', (_what, limit, expected) => {
    const call = providerCall({ max_tokens: limit });
    const { body } = native.toRequest(call, bodyOf({ thinking: { type: 'enabled', budget_tokens: 4096 } }));
    expect(body.thinking).toEqual(expected);
  });

  it('reads the text of an answer with a schema as content immediately', () => {
    const schema = { type: 'object', additionalProperties: true };
    const format = { type: 'json_schema' as const, json_schema: { name: 'a', schema } };
    const answer = { content: [{ type: 'tool_use', id: 't', name: 'a', input: {} }], stop_reason: 'tool_use' };
    const completion = native.fromResponse(JSON.stringify(answer), providerCall({ response_format: format }));
    expect(completion.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } });
  });
});

describe('thinking that the API refuses', () => {
  const refusal = (message: string) =>
    native.toError(400, {}, { type: 'error', error: { type: 'invalid_request_error', message } }, providerCall())
      .failure;
  const failure = refusal('messages.1.content.0: Invalid `signature` in `thinking` block');

  const user = { role: 'user', content: 'Hi' };
  const use = { type: 'tool_use', id: 't', name: 'f', input: {} };
  const thoughtful = {
    role: 'assistant',
    content: [{ type: 'thinking', thinking: 'Hm', signature: 's' }, { type: 'redacted_thinking', data: 'd' }, use],
  };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: '1' }] };

  it.each([
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    'messages.1.content.0: Invalid `data` in `redacted_thinking` block',
    'messages.1.content.0.thinking.signature: Field required',
    'messages.3.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
  ])('is recognized: %s', (message) => {
    expect(refusal(message).refusedPart).toBe('reasoning');
  });

  it.each(['`thinking.budget_tokens` must be at least 1024', 'max_tokens: Field required'])(
    'is not recognized in another error: %s',
    (message) => {
      expect(refusal(message).refusedPart).toBeUndefined();
    },
  );

  it('is left out, including messages with nothing else', () => {
    const only = { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm', signature: 's' }] };
    const again = native.withoutRefused(
      bodyOf({ messages: [user, only, user, thoughtful, result, user], x: 1 }),
      failure,
    );
    expect(again?.body.fields).toEqual({
      model: 'public-model',
      max_tokens: 8000,
      messages: [user, user, { role: 'assistant', content: [use] }, result, user],
      x: 1,
    });
    expect(again?.leftOut).toEqual(['messages[1].content[0]', 'messages[3].content[0]', 'messages[3].content[1]']);
  });

  it.each([
    [
      'continues without thinking, as a budget requires the blocks',
      { type: 'enabled', budget_tokens: 2000 },
      undefined,
    ],
    ['continues unchanged if the model decides', { type: 'adaptive' }, { type: 'adaptive' }],
  ])('a tool loop %s', (_what, thinking, expected) => {
    const again = native.withoutRefused(bodyOf({ messages: [user, thoughtful, result], thinking }), failure);
    expect(again?.body.fields.thinking).toEqual(expected);
  });

  it('cannot be left out if the conversation has none', () => {
    expect(native.withoutRefused(bodyOf({ messages: [user] }), failure)).toBeNull();
    expect(native.withoutRefused(bodyOf({ messages: [user, thoughtful] }), { status: 400 })).toBeNull();
  });
});
