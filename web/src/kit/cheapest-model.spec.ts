import { expect, it } from '@jest/globals';
import type { components } from '../api/schema';
import { cheapestModel } from './cheapest-model';

function model(id: string, inputUsdPerMTok: number, outputUsdPerMTok: number, callable = true) {
  const price = { inputUsdPerMTok, cachedInputUsdPerMTok: 0, outputUsdPerMTok };
  const kind = id === 'embedding' ? 'embedding' : 'chat';
  return { id, kind, price, callable } as components['schemas']['ModelView'];
}

it('is the cheapest of the callable chat models', () => {
  const models = [
    model('large', 2, 8),
    model('small', 0.2, 0.1),
    model('forbidden', 0, 0, false),
    model('embedding', 0, 0),
  ];
  expect(cheapestModel(models)?.id).toBe('small');
  expect(cheapestModel([])).toBeUndefined();
});
