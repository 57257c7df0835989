import { describe, expect, it } from '@jest/globals';
import { ModelSpeeds } from './row-parts.js';

function speedsOf(...answers: [user: string, tokens: number, ms: number][]): number {
  const speeds = new ModelSpeeds();
  for (const answer of answers) speeds.note('m', ...answer);
  return speeds.of('m');
}

describe("a model's usual speed", () => {
  it('is 100 tokens per second until three users had a long answer', () => {
    expect(speedsOf()).toBe(100);
    expect(speedsOf(['a', 1000, 1000], ['b', 1000, 1000], ['a', 1000, 1000])).toBe(100);
    expect(speedsOf(['a', 1000, 1000], ['b', 1000, 1000], ['c', 199, 1000])).toBe(100);
    expect(speedsOf(['a', 1000, 1000], ['b', 1000, 1000], ['c', 200, 200])).toBe(1000);
  });

  it('is the median of the users, so that no single one can change it at will', () => {
    const others: [string, number, number][] = [
      ['a', 400, 1000],
      ['b', 500, 1000],
      ['c', 600, 1000],
    ];
    const slow = Array.from({ length: 30 }, (): [string, number, number] => ['slow', 200, 100_000]);
    expect(speedsOf(...others)).toBe(500);
    expect(speedsOf(...others, ...slow)).toBe(500);
  });

  it('is never below 50 tokens per second', () => {
    expect(speedsOf(['a', 200, 90_000], ['b', 200, 90_000], ['c', 200, 90_000])).toBe(50);
  });
});
