import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { toError } from './failure.js';

function refused(status: number, type: string, message: string, request: Partial<ChatCompletionRequest> = {}) {
  const headers = { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` };
  return toError(status, headers, { message }, providerCall(request));
}

describe('errors of Bedrock', () => {
  it.each([
    [403, 'AccessDeniedException', 502],
    [403, 'ExpiredTokenException', 502],
    [404, 'ResourceNotFoundException', 502],
    [408, 'ModelTimeoutException', 504],
    [424, 'ModelErrorException', 502],
    [429, 'ModelNotReadyException', 429],
    [400, 'ThrottlingException', 429],
    [500, 'InternalServerException', 502],
    [503, 'ServiceUnavailableException', 503],
  ])('%i %s is a %i', (status, type, reported) => expect(refused(status, type, 'No.').status).toBe(reported));

  it('are retried if the model failed', () => {
    expect(refused(424, 'ModelErrorException', 'No.').advice).toBe('retry');
  });

  it('may have the type in the body, and the message under Message', () => {
    const body = { __type: 'com.amazon.coral.service#ThrottlingException', Message: 'Slower.' };
    expect(toError(400, {}, body, providerCall())).toMatchObject({ status: 429, failure: { message: 'Slower.' } });
  });

  it('about a spent quota are for the administrator', () => {
    for (const error of [
      refused(400, 'ServiceQuotaExceededException', 'You are over your quota.'),
      refused(429, 'ThrottlingException', 'Too many tokens per day, please wait before trying again.'),
    ]) {
      expect(error.status).toBe(502);
      expect(error.headers['x-should-retry']).toBe('false');
    }
  });

  it.each([
    'The provided model identifier is invalid.',
    'Invocation of model ID amazon.nova-2-lite-v1:0 with on-demand throughput isn\u2019t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
  ])('about the configured model are for the administrator: %s', (message) => {
    const error = refused(400, 'ValidationException', message);
    expect(error).toMatchObject({ status: 502, advice: 'other-target', failure: { status: 404 } });
    expect(error.failure.message).toBe(
      `${message} The target's model in models.yaml must be an id or inference profile that this region has.`,
    );
    expect(error.body.message).not.toContain('models.yaml');
  });

  it.each([
    'Input is too long for requested model.',
    'The model returned the following errors: prompt is too long: 214341 tokens > 200000 maximum',
    'Too many input tokens. Max input tokens: 128000, request input token count: 150001',
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length.',
    'The model returned the following errors: input length and `max_tokens` exceed context limit: 1 + 2 > 3',
  ])('about a long context have their own code: %s', (message) => {
    expect(refused(400, 'ValidationException', message).body).toMatchObject({
      code: 'context_length_exceeded',
      param: 'messages',
    });
  });

  it.each([
    ["This model doesn't support the stopSequences field. Remove stopSequences and try again.", 'stop'],
    ["Value '3.0' at 'inferenceConfig.temperature' failed to satisfy constraint", 'temperature'],
    ['The maximum tokens you requested exceeds the model limit of 10000. Try with a lower maxTokens.', 'max_tokens'],
    ['Malformed input request: #: extraneous key [frequency_penalty] is not permitted', 'frequency_penalty'],
    ["This model doesn't support tool use.", 'tools'],
    ['A conversation must start with a user message.', 'messages'],
  ])("name the caller's field: %s", (message, param) => {
    expect(refused(400, 'ValidationException', message, { max_tokens: 1 }).body.param).toBe(param);
  });
});
