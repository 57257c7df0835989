import { describe, expect, it } from '@jest/globals';
import { awsException } from '../../../../test/support/aws-event-stream.js';
import { callTo, chunksOf, invokedChunk } from '../../../../test/support/native-checks.js';
import type { NativeBody } from '../../contract/native.body.js';
import { NativeBedrockMessages } from './bedrock.adapter.js';

const native = new NativeBedrockMessages();

function bodyOf(betas?: string): NativeBody {
  const fields = { model: 'public-model', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'Hi' }] };
  return {
    api: 'messages',
    fields,
    headers: { 'anthropic-version': '2023-06-01', ...(betas && { 'anthropic-beta': betas }) },
  };
}

describe('a native request to Claude on Bedrock', () => {
  it('has the model in the path, and the version and beta features in the body', () => {
    const { path, headers, body } = native.toRequest(callTo('bedrock'), bodyOf('effort-2025-11-24, new-2027-01-01'));
    expect(path).toBe('/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream');
    expect(headers).toEqual({});
    expect(body).toEqual({
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['effort-2025-11-24', 'new-2027-01-01'],
    });
  });

  it('has no higher output limit than the inner request', () => {
    const call = callTo('bedrock', { max_completion_tokens: 50 });
    expect(native.toRequest(call, bodyOf()).body.max_tokens).toBe(50);
  });

  it('is an invocation if it is not streamed', () => {
    const { path, body } = native.toRequest(callTo('bedrock', { stream: false }), bodyOf());
    expect(path).toMatch(/\/invoke$/);
    expect(body).not.toHaveProperty('anthropic_beta');
  });

  it('is repeated with known beta features only if one is refused', () => {
    const message = 'The model returned the following errors: invalid beta flag';
    const { failure } = native.toError(400, {}, { message }, callTo('bedrock'));
    const again = native.withoutRefused(bodyOf('effort-2025-11-24,new-2027-01-01'), failure);
    expect(again?.body.headers['anthropic-beta']).toBe('effort-2025-11-24');
    expect(again?.leftOut).toEqual(['anthropic-beta']);
    expect(native.withoutRefused(bodyOf('effort-2025-11-24'), failure)).toBeNull();
    expect(native.withoutRefused(bodyOf(), failure)).toBeNull();
  });

  it('is repeated without the thinking that the model refuses', () => {
    const message = 'messages.1.content.0: Invalid `signature` in `thinking` block';
    const { failure } = native.toError(400, {}, { message }, callTo('bedrock'));
    expect(failure.refusedPart).toBe('reasoning');
    expect(native.withoutRefused(bodyOf(), failure)).toBeNull();
  });
});

describe('a native stream of Claude on Bedrock', () => {
  it('fails with the exception that Bedrock reports in it', async () => {
    const start = invokedChunk('{"type":"message_start","message":{"model":"m","usage":{"input_tokens":1}}}');
    const failed = awsException('throttlingException', { message: 'Too many requests.' });
    await expect(chunksOf({ native, call: callTo('bedrock') }, [start, failed])).rejects.toMatchObject({
      failure: { status: 429 },
    });
  });
});
