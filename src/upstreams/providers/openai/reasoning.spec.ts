import { expect, it } from '@jest/globals';
import { nearestEffort } from '../shared/nearest-effort.js';
import { openAiEfforts } from './reasoning.js';

it.each([
  ['low', ['none', 'high'], 'high'],
  ['minimal', ['none', 'high'], 'high'],
  ['none', ['none', 'high'], 'none'],
  ['max', ['none', 'high'], 'high'],
  ['none', ['low', 'medium', 'high'], 'low'],
  ['xhigh', ['low', 'medium', 'high', 'max'], 'max'],
  ['medium', ['low', 'medium', 'high'], 'medium'],
  ['default', ['low'], 'default'],
])('%s of %j is %s', (effort, levels, nearest) => {
  expect(nearestEffort(effort, levels)).toBe(nearest);
});

it('knows the levels of model families, and forwards any effort for unknown models', () => {
  expect(nearestEffort('minimal', openAiEfforts('gpt-5.6-sol') ?? [])).toBe('low');
  expect(openAiEfforts('gpt-5-nano')).toContain('minimal');
  expect(openAiEfforts('o3-mini')).toEqual(['low', 'medium', 'high']);
  for (const model of ['gpt-4.1', 'gpt-5-pro', 'my-deployment']) expect(openAiEfforts(model)).toBeUndefined();
});
