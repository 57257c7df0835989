import { describe, expect, it } from '@jest/globals';
import { CHAT_REQUEST_FIELDS } from './chat-completion-request.fields.js';
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
    'do not include %s, which upstreams know as an option',
    (name) => {
      expect(isDeniedField(name)).toBe(false);
    },
  );

  it("never include a field of OpenAI's format", () => {
    const known = [...CHAT_REQUEST_FIELDS.keys()];
    expect(known).toContain('messages');
    expect(known.filter(isDeniedField)).toEqual([]);
  });
});
