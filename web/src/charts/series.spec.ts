import { beforeEach, describe, expect, it } from '@jest/globals';
import { knownSlots } from './known-slots';
import { looksOf, MAX_SERIES } from './series';

const MODELS = ['spec/nano', 'spec/sonnet', 'spec/flash', 'spec/small', 'spec/terra'];

// As on a first visit: colors are remembered, also those that other specs gave.
beforeEach(() => knownSlots().clear());

describe('the color of an item', () => {
  it('is the same in every view, at any rank and beside any other item', () => {
    const together = looksOf(MODELS);
    expect(looksOf(MODELS.toReversed())).toEqual(together);
    for (const id of MODELS) expect(looksOf([id, 'spec/another', 'spec/one-more']).get(id)).toEqual(together.get(id));
  });

  it('is never that of another item in the same view', () => {
    const ids = Array.from({ length: MAX_SERIES }, (_, index) => `key-${index}`);
    expect(new Set([...looksOf(ids).values()].map(({ color }) => color)).size).toBe(MAX_SERIES);
  });

  it('of a status shows its meaning', () => {
    const looks = looksOf(['aborted', 'failed', 'settled']);
    expect(looks.get('settled')?.color).toBe('var(--console-good)');
    expect(looks.get('failed')?.color).toBe('var(--console-bad)');
    expect(looks.get('aborted')?.color).toBe('var(--series-rest)');
  });
});
