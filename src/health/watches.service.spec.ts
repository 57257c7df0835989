import { describe, expect, it } from '@jest/globals';
import { FlappingTargets } from './watches.service.js';

const MINUTE_MS = 60_000;

describe('a target that fails and works by turns', () => {
  it('is reported once with a count, and again when it has been steady for ten minutes', () => {
    const targets = new FlappingTargets<{ kind: 'aside' | 'back' }>();
    const noted = Array.from({ length: 20 }, (_, index) =>
      targets.note('openai', { kind: index % 2 === 0 ? 'aside' : 'back' }, index * MINUTE_MS),
    );
    // The third time that it is set aside is reported with a count; what follows is not reported.
    expect(noted).toEqual([1, 1, 1, 1, 3, ...Array(15).fill(null)]);
    expect(targets.settled(28 * MINUTE_MS)).toEqual([]);
    expect(targets.settled(29 * MINUTE_MS)).toEqual([{ change: { kind: 'back' }, asides: 10 }]);
    expect(targets.settled(60 * MINUTE_MS)).toEqual([]);
    expect(targets.note('openai', { kind: 'aside' }, 60 * MINUTE_MS)).toBe(1);
  });

  it('does not mute another target, nor one that fails rarely', () => {
    const targets = new FlappingTargets<{ kind: string }>();
    for (let time = 0; time < 5; time++) targets.note('openai', { kind: 'aside' }, time);
    expect(targets.note('other', { kind: 'aside' }, 5)).toBe(1);
    const rare = [0, 6, 12, 18].map((minutes) => targets.note('rare', { kind: 'aside' }, minutes * MINUTE_MS));
    expect(rare).toEqual([1, 1, 1, 1]);
  });
});
