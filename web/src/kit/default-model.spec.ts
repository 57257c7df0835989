import { expect, it } from '@jest/globals';
import type { components } from '../api/schema';
import { defaultModel } from './default-model';

function model(id: string, suggestionRank: number, callable = true) {
  const kind = id === 'embedding' ? 'embedding' : 'chat';
  return { id, kind, suggestionRank, callable } as components['schemas']['ModelView'];
}

it('is the callable chat model that the gateway ranks first', () => {
  const models = [model('large', 3), model('small', 2), model('forbidden', 0, false), model('embedding', 1)];
  expect(defaultModel(models)?.id).toBe('small');
  expect(defaultModel([])).toBeUndefined();
});
