import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { reportedFailure, toError } from './failure.js';

interface Refused {
  status?: string;
  details?: JsonObject[];
  headers?: Record<string, string>;
  request?: Partial<ChatCompletionRequest>;
}

function reported(code: number, message: string, { status, details, headers = {}, request = {} }: Refused = {}) {
  return toError(code, headers, { error: { code, message, status, details } }, providerCall(request));
}

const violation = (field: string) => ({
  details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description: 'x' }] }],
});

describe('an error response', () => {
  it.each([
    ['generation_config.temperature', 'temperature'],
    ['generationConfig.topP', 'top_p'],
    ['generation_config.stop_sequences[0]', 'stop'],
    ['generation_config.candidate_count', 'n'],
    ['generation_config.response_json_schema', 'response_format'],
    ['generation_config.response_logprobs', 'logprobs'],
    ['generation_config.thinking_config.thinking_level', 'reasoning_effort'],
    ['generation_config.max_output_tokens', 'max_tokens'],
    ['tools[0].function_declarations[0].name', 'tools'],
    ['tool_config.function_calling_config', 'tool_choice'],
    ['contents[0].parts[1]', 'messages'],
    ['something.else', null],
  ])("names the caller's field for %s", (field, param) => {
    expect(reported(400, 'No.', violation(field)).body).toMatchObject({ param, code: 'invalid_value' });
  });

  it.each<[string, Partial<ChatCompletionRequest>, string | null]>([
    ['* GenerateContentRequest.generation_config.seed: bad\n', {}, 'seed'],
    ["Invalid value at 'generation_config.seed' (TYPE_INT32), 4294967296", {}, 'seed'],
    ['Penalty is not enabled for this model', { presence_penalty: 1 }, 'presence_penalty'],
    ['Penalty is not enabled for this model', { presence_penalty: 0, frequency_penalty: 0 }, 'frequency_penalty'],
    ['* GenerateContentRequest.contents: contents is not specified\n', {}, 'messages'],
    ['Please use a valid role: user, model.', {}, null],
  ])("names the caller's field if only its message does: %s", (message, request, param) => {
    expect(reported(400, message, { request }).body).toMatchObject({ message: message.trim(), param });
  });

  it('names the output limit field that the caller used', () => {
    const request = { max_completion_tokens: 9 };
    const refused = reported(400, 'No.', { ...violation('generation_config.max_output_tokens'), request });
    expect(refused.body.param).toBe('max_completion_tokens');
  });

  it('an error response for a long prompt has its own code', () => {
    const message = 'The input token count (1248576) exceeds the maximum number of tokens allowed (1048576).';
    expect(reported(400, message).body).toMatchObject({ code: 'context_length_exceeded', param: 'messages' });
  });

  it("shows neither the upstream's model nor its project", () => {
    const { body } = reported(400, 'Bad projects/secret-7/locations/l/publishers/google/models/upstream-model.');
    expect(body.message).toBe('Bad projects/[removed]/locations/l/publishers/google/models/public-model.');
  });
});

describe("an error about the gateway's configuration", () => {
  it.each<[number, string, Refused]>([
    [400, 'API key not valid. Please pass a valid API key.', {}],
    [400, 'API key expired. Please renew the API key.', { status: 'INVALID_ARGUMENT' }],
    [400, 'No.', { details: [{ reason: 'API_KEY_INVALID' }] }],
    [400, 'User location is not supported for the API use.', { status: 'FAILED_PRECONDITION' }],
    [403, 'Permission denied.', {}],
    [400, 'The free tier is not for you. Please enable billing on your project.', { status: 'FAILED_PRECONDITION' }],
    [429, 'Quota exceeded for metric: free_tier_requests, limit: 0, model: x', {}],
    [429, 'Your prepayment credits are depleted.', {}],
  ])('is a 502 without details: %i %s', (code, message, more) => {
    const error = reported(code, message, more);
    expect(error.status).toBe(502);
    expect(error.body.message).not.toContain(message);
    expect(error.headers['x-should-retry']).toBe('false');
  });
});

describe('a rate limit', () => {
  const info = { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }] };

  it.each<[string, string, Refused, string | undefined]>([
    ['its details', 'No.', info, '34400'],
    ['its message', 'Quota exceeded. Please retry in 48.939935699s.', {}, '48940'],
    ['a header, if there is one', 'No.', { ...info, headers: { 'retry-after': '7' } }, '7000'],
  ])('takes the wait from %s', (_where, message, more, wait) => {
    const error = reported(429, message, more);
    expect([error.status, error.headers['retry-after-ms']]).toEqual([429, wait]);
  });

  it('a rate limit of a quota that resets soon is not a spent quota', () => {
    const message = 'You exceeded your current quota, please check your plan and billing details. limit: 1000000';
    expect(reported(429, message).advice).toBe('retry');
  });
});

describe('an error body', () => {
  const call = providerCall();
  const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' };

  it.each([[{ error }], [[{ error }]], [{ error: { ...error, code: undefined } }]])(
    'is read with any wrapper, including inside a stream: %j',
    (body) => expect(reportedFailure(body, call).failure).toMatchObject({ status: 503, message: error.message }),
  );

  it('an error body in another format is mapped by its status', () => {
    expect(toError(500, {}, '<html>', call).status).toBe(502);
    expect(toError(400, {}, 'Bad request', call).body.message).toBe('Bad request');
    expect(toError(400, {}, null, call).status).toBe(400);
    expect(reportedFailure({ error: 'odd' }, call).status).toBe(502);
  });
});
