import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { blocksOf, cellOf } from './usage-pieces.js';

describe('the roll-ups of a time range', () => {
  it('cover each of its cells exactly once', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(3000), { minLength: 1, maxLength: 8 }).map((slots) => slots.sort((a, b) => a - b)),
        fc.integer({ min: 1, max: 500 }),
        (starts, length) => {
          const cells = { starts, end: (starts.at(-1) ?? 0) + length };
          const covered = [...blocksOf(cells)].flatMap(([size, { slots, cells: of }]) =>
            slots.flatMap((slot, index) => {
              expect(slot % size).toBe(0);
              return Array.from({ length: size }, (_, quarter) => [slot + quarter, of[index]] as const);
            }),
          );
          covered.sort(([a], [b]) => a - b);
          expect(covered).toEqual(
            Array.from({ length: cells.end - (starts[0] ?? 0) }, (_, index) => {
              const slot = (starts[0] ?? 0) + index;
              return [slot, cellOf(slot, cells)];
            }),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is a single one for eight days or a day in UTC, and few for other ranges', () => {
    const roll = (start: number) =>
      [...blocksOf({ starts: [start], end: start + 96 })].map(([size, { slots }]) => [size, slots.length]);
    expect([...blocksOf({ starts: [768 * 2500], end: 768 * 2502 })].map(([size]) => size)).toEqual([768]);
    expect(roll(96 * 20_000)).toEqual([[96, 1]]);
    expect(roll(96 * 20_000 - 8)).toEqual([
      [4, 6],
      [24, 3],
    ]);
    expect(roll(96 * 20_000 - 22)).toEqual([
      [1, 4],
      [4, 5],
      [24, 3],
    ]);
  });
});
