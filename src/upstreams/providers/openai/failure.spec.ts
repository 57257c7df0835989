import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { openAiAdapter } from './openai.adapter.js';
import { openAiDialect } from './openai.dialect.js';

const adapter = openAiAdapter(openAiDialect);
const call = providerCall({ max_tokens: 10 });

describe('an error response', () => {
  const errorFor = (status: number, body: unknown, headers = {}) => adapter.toError(status, headers, body, call);

  it("names the caller's field", () => {
    const body = { error: { message: 'too large', param: 'max_completion_tokens', type: 'invalid_request_error' } };
    expect(errorFor(400, body).body).toMatchObject({ param: 'max_tokens', code: 'invalid_value' });
  });

  it('keeps message and field so that a refused parameter can be found', () => {
    const message = "Unsupported value: 'temperature' does not support 0.2 with this model.";
    const { failure } = errorFor(400, { error: { message, param: 'temperature', code: 'unsupported_value' } });
    expect(failure).toMatchObject({ status: 400, message, param: 'temperature' });
  });

  it.each([
    [{ error: { message: 'x', code: 'context_length_exceeded' } }],
    [{ error: { message: "This model's maximum context length is 8192 tokens." } }],
    [{ message: 'Prompt contains 90000 tokens, too large for model with 32768 maximum context length' }],
    [{ error: "This model's maximum prompt length is 131072 but the request contains 200000 tokens." }],
    ['prompt is too long: 210000 tokens > 200000 maximum'],
  ])('finds a long context in %j', (body) => {
    expect(errorFor(400, body).body).toMatchObject({ code: 'context_length_exceeded', param: 'messages' });
  });

  it.each([
    [{ error: { message: 'Invalid value for max_tokens', param: 'max_tokens' } }],
    [{ error: { message: 'Too many tools' } }],
    [{}],
  ])('finds no long context in %j', (body) => {
    expect(errorFor(400, body).body.code).toBe('invalid_value');
  });

  it('finds a content filter', () => {
    const body = { error: { message: 'Filtered.', code: 'content_filter', innererror: {} } };
    expect(errorFor(400, body).body.code).toBe('content_filter');
  });

  it('distinguishes a spent quota from a rate limit', () => {
    const quota = { error: { message: 'You exceeded your current quota', type: 'insufficient_quota' } };
    expect(errorFor(429, quota)).toMatchObject({ status: 502, advice: 'other-target', failure: { quotaSpent: true } });
    const limit = { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } };
    expect(errorFor(429, limit, { 'retry-after': '9' })).toMatchObject({
      status: 429,
      advice: 'retry',
      headers: { 'retry-after': '9' },
    });
  });

  it.each([
    [{ detail: 'Not good' }, 'Not good', null],
    [{ error: 'Not good' }, 'Not good', null],
    [{ message: 'Not good' }, 'Not good', null],
    [[{ error: { message: 'Not good' } }], 'Not good', null],
    [{ error: { message: 'Not good', param: 'n' } }, 'Not good', 'n'],
    [
      { detail: [{ loc: ['body', 'messages', 0, 'user', 'name'], msg: 'No' }] },
      'messages[0].user.name: No',
      'messages[0].user.name',
    ],
    [{ message: { detail: [{ loc: ['body', 'n'], msg: 'No' }] }, object: 'error' }, 'n: No', 'n'],
    ['Not good', 'Not good', null],
    ['<html><h1>Bad</h1></html>', 'The upstream refused the request.', null],
    [undefined, 'The upstream refused the request.', null],
  ])('is read from %j', (body, message, param) => {
    expect(errorFor(400, body).body).toEqual({ message, param, type: 'invalid_request_error', code: 'invalid_value' });
  });
});
