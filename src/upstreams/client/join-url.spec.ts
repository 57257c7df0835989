import { describe, expect, it } from '@jest/globals';
import { joinUrl } from './join-url.js';

describe('joinUrl', () => {
  it.each([
    ['https://api.openai.com/v1', '/chat/completions', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.mistral.ai', '/v1/chat/completions', 'https://api.mistral.ai/v1/chat/completions'],
    ['https://api.mistral.ai/v1', '/v1/chat/completions', 'https://api.mistral.ai/v1/chat/completions'],
    ['https://api.groq.com', '/openai/v1/chat/completions', 'https://api.groq.com/openai/v1/chat/completions'],
    [
      'https://api.groq.com/openai/v1',
      '/openai/v1/chat/completions',
      'https://api.groq.com/openai/v1/chat/completions',
    ],
    ['https://proxy/v1/openai', '/v1/chat/completions', 'https://proxy/v1/openai/v1/chat/completions'],
  ])('joins %s and %s to %s', (baseUrl, path, url) => {
    expect(joinUrl(baseUrl, path)).toBe(url);
  });
});
