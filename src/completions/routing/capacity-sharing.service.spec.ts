import { describe, expect, it } from '@jest/globals';
import { shareOfDemand } from './capacity-sharing.service.js';

describe('the share of a process', () => {
  it('is the whole limit without other processes', () => {
    expect(shareOfDemand(0, 0, 0)).toBe(1);
    expect(shareOfDemand(5, 0, 0)).toBe(1);
  });

  it('is even while there is no demand', () => {
    expect(shareOfDemand(0, 0, 3)).toBe(0.25);
  });

  it.each([[[7, 3]], [[0, 12]], [[1, 1, 1]], [[0.2, 90, 4, 0]]])('sums to one over all processes: %j', (demands) => {
    const all = demands.reduce((sum, demand) => sum + demand, 0);
    const shares = demands.map((own) => shareOfDemand(own, all - own, demands.length - 1));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.1 / demands.length - 1e-9);
  });
});
