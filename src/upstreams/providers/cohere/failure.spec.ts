import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { toError } from './failure.js';

function reported(status: number, message: string, request: Partial<ChatCompletionRequest> = {}) {
  return toError(status, {}, { id: 'x', message }, providerCall(request));
}

describe('an error response', () => {
  it.each([
    ['invalid request: temperature must be between 0 and 2.0 inclusive.', 'temperature'],
    ['invalid request: presence_penalty must be between 0 and 1 inclusive.', 'presence_penalty'],
    ['invalid request: p must be between 0.01 and 0.99 inclusive.', 'top_p'],
    ['invalid request: stop_sequences must have at most 5 elements', 'stop'],
    ["invalid request: response_format validation: invalid 'json_schema' provided", 'response_format'],
    ['schema must be an object', 'response_format'],
    ['invalid request: thinking is not supported for this model', 'reasoning_effort'],
    ['invalid request: tool_choice is not supported by the provided model', 'tool_choice'],
    ["invalid request: tool names can only contain certain characters (provided name: 'x y').", 'tools'],
    ['tool call id not found in previous tool calls', 'messages'],
    ['cannot have duplicate tool ids', 'messages'],
    ['message must not be empty in a turn', 'messages'],
    [
      'too many tokens: max tokens must be less than or equal to 4096, the maximum output length for this model.',
      'max_tokens',
    ],
    ['something else entirely', null],
  ])("names the caller's field: %s", (message, param) => {
    for (const status of [400, 422]) {
      expect(reported(status, message)).toMatchObject({ status: 400, body: { message, param, code: 'invalid_value' } });
    }
  });

  it('names the output limit field that the caller used', () => {
    const message = 'too many tokens: max tokens must be less than or equal to 4096';
    expect(reported(400, message, { max_completion_tokens: 9 }).body.param).toBe('max_completion_tokens');
  });

  it.each([
    'too many tokens: size limit exceeded by 168512 tokens. The limit for this model is 132000 tokens.',
    'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.',
  ])('an error response for a long prompt has its own code: %s', (message) => {
    expect(reported(400, message).body).toMatchObject({ code: 'context_length_exceeded', param: 'messages' });
  });
});

describe('a limit', () => {
  it('a limit for a minute is a rate limit', () => {
    const message = 'You are using a Trial key, which is limited to 40 API calls / minute.';
    expect(reported(429, message)).toMatchObject({ status: 429, body: { code: 'upstream_rate_limited' } });
  });

  it("a limit for a month is for the account's owner", () => {
    const message = 'You are using a Trial key, which is limited to 1000 API calls / month.';
    expect(reported(429, message)).toMatchObject({ status: 502, headers: { 'x-should-retry': 'false' } });
  });
});

it('an error in another format is mapped by its status', () => {
  const call = providerCall();
  expect(toError(400, {}, 'no such thing', call).body.message).toBe('no such thing');
  expect(toError(400, {}, { error: { message: 'bad' } }, call).body.message).toBe('bad');
  expect(toError(503, { 'retry-after': '3' }, '<html>503</html>', call)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '3' },
  });
});
