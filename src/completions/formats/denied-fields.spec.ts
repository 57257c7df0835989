import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../../test/support/core-time.js';
import { CHAT_REQUEST_FIELDS } from './chat-completion-request.js';
import { isDeniedField } from './denied-fields.js';

describe('denied fields', () => {
  it.each([
    ...['api_base', 'base_url', 'api_key', 'extra_headers', 'custom_host', 'mock_response', 'fallbacks', 'timeout'],
    ...['aws_region_name', 'azure_ad_token', 'vertex_credentials', 'litellm_params', 'mock_delay', 'models'],
    ...['apiBase', 'baseURL', 'API_KEY', 'x-api-key', 'awsAccessKeyId', 'extraBody'],
    ...['__proto__', 'constructor', 'prototype'],
  ])('include %s', (name) => {
    expect(isDeniedField(name)).toBe(true);
  });

  it.each(['top_k', 'min_p', 'repetition_penalty', 'guided_json', 'chat_template_kwargs', 'thinking', 'cache_control'])(
    'do not include %s, which is an option of upstreams',
    (name) => {
      expect(isDeniedField(name)).toBe(false);
    },
  );

  it('are recognized by the start of a long name', async () => {
    expect([`aws_${'x'.repeat(100)}`, `apiBase${'X'.repeat(100)}`].map(isDeniedField)).toEqual([true, false]);
    const ms = await coreMsOf(() => isDeniedField('aB-'.repeat(1_000_000)));
    expect(ms).toBeLessThan(50);
  });

  it("never include a field of OpenAI's format", () => {
    const known = [...CHAT_REQUEST_FIELDS.keys()];
    expect(known).toContain('messages');
    expect(known.filter(isDeniedField)).toEqual([]);
  });
});
