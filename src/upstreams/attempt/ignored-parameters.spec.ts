import { expect, it } from '@jest/globals';
import { ignoredHeaders } from './ignored-parameters.js';

it('the header has each field once, without names that are not valid in a header', () => {
  const names = ['top_k', 'messages[2].content[0]', 'top_k', 'a\r\nx-evil: 1', 'é', '\0', '', 'x'.repeat(101), 'a, b'];
  expect(ignoredHeaders(names)).toEqual({ 'x-gateway-ignored-parameters': 'top_k, messages[2].content[0]' });
});

it('the header is missing without names, and limited with many names', () => {
  expect(ignoredHeaders([])).toEqual({});
  expect(ignoredHeaders(['é'])).toEqual({});
  const many = ignoredHeaders(Array.from({ length: 1000 }, (_, index) => `tools[${index}]`));
  expect(many['x-gateway-ignored-parameters']?.split(', ')).toHaveLength(40);
});
