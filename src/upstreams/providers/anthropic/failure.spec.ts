import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { toError } from './failure.js';

function reported(status: number, message: string, request: Partial<ChatCompletionRequest> = {}) {
  return toError(status, {}, { type: 'error', error: { type: 'x', message } }, providerCall(request));
}

describe('an error response', () => {
  it.each([
    ['temperature: range: 0..1', 'temperature'],
    ['`temperature` is deprecated for this model.', 'temperature'],
    ['`temperature` and `top_p` cannot both be specified for this model. Please use only one.', 'top_p'],
    ['frequency_penalty: Extra inputs are not permitted', 'frequency_penalty'],
    ['stop_sequences: each stop sequence must contain non-whitespace', 'stop'],
    ['messages.3.content.0.text: text content blocks must be non-empty', 'messages'],
    ['tools.0.custom.input_schema.type: Field required', 'tools'],
    ["This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.", 'reasoning_effort'],
    ['output_config.format.schema: For object type, additionalProperties must be false', 'response_format'],
    ['max_tokens: 9 > 8, which is the maximum allowed number of output tokens', 'max_tokens'],
    ['Something else: entirely', null],
  ])("names the caller's field: %s", (message, param) => {
    expect(reported(400, message).body).toMatchObject({ message, param, code: 'invalid_value' });
  });

  it('names the output limit field that the caller used', () => {
    expect(reported(400, 'max_tokens: 9 > 8', { max_completion_tokens: 9 }).body.param).toBe('max_completion_tokens');
  });

  it.each([
    'prompt is too long: 3333404 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length',
  ])('an error response for a long prompt has its own code: %s', (message) => {
    expect(reported(400, message).body).toMatchObject({ code: 'context_length_exceeded', param: 'messages' });
  });

  it('an error response of the content filter has its own code', () => {
    expect(reported(400, 'Output blocked by content filtering policy').body.code).toBe('content_filter');
  });

  it.each([
    'Your credit balance is too low to access the Anthropic API.',
    'This organization has been disabled.',
    'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
  ])("about the account is not the caller's fault: %s", (message) => {
    expect(reported(400, message)).toMatchObject({ status: 502, headers: { 'x-should-retry': 'false' } });
  });

  it('an error response of a proxy before the API is mapped by its status', () => {
    const call = providerCall();
    expect(toError(413, {}, '<html>413</html>', call).body.code).toBe('request_too_large');
    expect(toError(529, { 'retry-after': '3' }, '', call)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '3' },
    });
    expect(toError(400, {}, { message: 'bad' }, call).body.message).toBe('bad');
  });
});
