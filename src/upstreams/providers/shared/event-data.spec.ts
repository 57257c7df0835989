import { describe, expect, it } from '@jest/globals';
import { upstreamMessage } from './event-data.js';

const call = { model: 'nova-lite', upstreamModel: 'amazon.nova-lite-v1:0' };

describe('upstreamMessage', () => {
  it.each([
    'Incorrect API key provided: sk-proj-abcdefgh1234****WXYZ. Find it in your account.',
    'Incorrect API key provided: xa***4f. Find it in your account.',
    'Authentication Fails, Your api key: ****f00d is invalid',
    'Bad credential Bearer abc.def-123456789',
    'Limit reached for organization org-AbCdEf123456',
    'Limit reached in organization `org_01hxy2kz3q4r5s6t7u8v9w0x1y`',
    'Too many requests for team 11111111-2222-3333-4444-555555555555',
    'gsk_1234567890abcdef is no key',
    'token eyJhbGciOi1.eyJzdWIi2.sig',
    'AIzaSyA1234567890 and AKIAIOSFODNN7EXAMPLE',
    'User: arn:aws:iam::123456789012:user/gateway may not do this.',
  ])('removes secrets from "%s"', (text) => {
    const message = upstreamMessage(text, call);
    expect(message).toContain('[removed]');
    expect(message).not.toMatch(/\*\*|\d{3}|org[-_]|f00d|xa\*|WXYZ|sig$/);
  });

  it('removes a secret once', () => {
    const message = upstreamMessage('Incorrect API key provided: sk-proj-abcdefgh1234', call);
    expect(message).toBe('Incorrect API key provided: [removed]');
  });

  it.each([
    "Unsupported parameter: 'user_location' is not supported with this model.",
    'Invalid key-value pairs in prompt_cache_key.',
    "Invalid type for 'messages[0].content': expected a string, got 12345678 instead.",
    'The team-oriented project_name is too long.',
  ])('does not change "%s"', (text) => {
    expect(upstreamMessage(text, call)).toBe(text);
  });

  it("replaces the upstream's model name with the public one", () => {
    expect(upstreamMessage('amazon.nova-lite-v1:0 takes no tools.', call)).toBe('nova-lite takes no tools.');
  });

  it('is at most 1 kB long', () => {
    expect(upstreamMessage('x'.repeat(100_000), call)?.length).toBe(1000);
  });

  it.each([undefined, '', '  \n', '<html><body>502</body></html>', '<!DOCTYPE html><p>no'])('ignores %j', (text) => {
    expect(upstreamMessage(text, call)).toBeUndefined();
  });
});
