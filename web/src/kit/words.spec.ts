import { expect, it } from '@jest/globals';
import type { components } from '../api/schema';
import { capital, causeText, codeWords, defaultModel, healthText, outcomeText } from './words';

function model(id: string, suggestionRank: number, callable = true, status = 'healthy') {
  const kind = id === 'embedding' ? 'embedding' : 'chat';
  return { id, kind, suggestionRank, callable, health: { status } } as components['schemas']['ModelView'];
}

it('is the callable chat model that the gateway ranks first', () => {
  const models = [model('large', 3), model('small', 2), model('forbidden', 0, false), model('embedding', 1)];
  expect(defaultModel(models)?.id).toBe('small');
  expect(defaultModel([])).toBeUndefined();
});

it('is never a failing model, even if there is no other', () => {
  const failing = model('failing', 0, true, 'failing');
  expect(defaultModel([failing, model('degraded', 1, true, 'degraded')])?.id).toBe('degraded');
  expect(defaultModel([failing])).toBeUndefined();
});

const HEALTH = { status: 'healthy', calls: 20, failures: 0, targets: 2, asideTargets: 0 } as const;

it.each([
  [HEALTH, 'None of the last 20 calls within 24 hours failed.'],
  [{ ...HEALTH, calls: 1, failures: 1 }, 'The last call failed, within 24 hours.'],
  [
    { ...HEALTH, calls: 0, asideTargets: 1 },
    'No calls in the last 24 hours. 1 of its 2 providers is paused after failures.',
  ],
])('the numbers behind the status %j: %s', (health, text) => {
  expect(healthText(health)).toBe(text);
});

it('an error is described in words, for administrators with its code beside them', () => {
  const cause = { upstream: 'mistral', status: 504, code: 'upstream_timeout' };
  expect(causeText(cause, false)).toBe('provider too slow (mistral 504)');
  expect(outcomeText('failed', cause, true)).toBe('Failed: provider too slow (mistral 504 upstream_timeout)');
  expect(outcomeText('aborted', { status: null, code: null }, true)).toBe('Aborted');
  expect(capital(codeWords('some_new_code'))).toBe('Some new code');
});
