import { expect, it } from '@jest/globals';
import { ignoredHeaders } from './ignored-parameters.js';

it('the header names each field once, and none that a header cannot hold', () => {
  const names = ['top_k', 'messages[2].content[0]', 'top_k', 'a\r\nx-evil: 1', 'é', '\0', '', 'x'.repeat(101), 'a, b'];
  expect(ignoredHeaders(names)).toEqual({ 'x-gateway-ignored-parameters': 'top_k, messages[2].content[0]' });
});

it('there is no header without names, and a short one with many', () => {
  expect(ignoredHeaders([])).toEqual({});
  expect(ignoredHeaders(['é'])).toEqual({});
  const many = ignoredHeaders(Array.from({ length: 1000 }, (_, index) => `tools[${index}]`));
  expect(many['x-gateway-ignored-parameters']?.split(', ')).toHaveLength(40);
});
