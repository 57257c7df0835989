import { expect, it } from '@jest/globals';
import type { components } from '../api/schema';
import { cheapestModel } from './cheapest-model';

function model(id: string, inputUsdPerMTok: number, outputUsdPerMTok: number, callable = true) {
  const price = { inputUsdPerMTok, cachedInputUsdPerMTok: 0, outputUsdPerMTok };
  return { id, price, callable } as components['schemas']['ModelView'];
}

it('is the cheapest of the callable models', () => {
  const models = [model('large', 2, 8), model('small', 0.2, 0.1), model('forbidden', 0, 0, false)];
  expect(cheapestModel(models)?.id).toBe('small');
  expect(cheapestModel([])).toBeUndefined();
});
