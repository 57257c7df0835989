import { describe, expect, it } from '@jest/globals';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';
import { HedgeDelays } from './hedge-delays.js';

describe('the delay before a second target is tried', () => {
  const target = {} as LiveTarget;

  it('is the configured delay', () => {
    expect(new HedgeDelays().of(2000, target)).toBe(2000);
  });

  it('is the 95th percentile of the last answers if there are at least twenty', () => {
    const delays = new HedgeDelays();
    for (let ms = 1; ms <= 19; ms++) delays.began(target, ms);
    expect(delays.of('p95', target)).toBeNull();
    for (let ms = 20; ms <= 100; ms++) delays.began(target, ms);
    expect(delays.of('p95', target)).toBe(95);
    for (let i = 0; i < 128; i++) delays.began(target, 7);
    expect(delays.of('p95', target)).toBe(7);
    expect(delays.of('p95', {} as LiveTarget)).toBeNull();
  });
});
