import { describe, expect, it } from '@jest/globals';
import { RateBucket } from './rate-bucket.js';

describe('a rate', () => {
  it('can be used up immediately, and refills evenly', () => {
    const bucket = new RateBucket(60, 0);
    for (let i = 0; i < 60; i++) {
      expect(bucket.wait(1, 0)).toBe(0);
      bucket.take(1, 0);
    }
    expect(bucket.wait(1, 0)).toBe(1000);
    expect(bucket.fullness(0)).toBe(1);
    expect(bucket.wait(1, 400)).toBe(600);
    expect(bucket.wait(1, 1000)).toBe(0);
    expect(bucket.wait(10, 1000)).toBe(9000);
    expect(bucket.fullness(30_000)).toBeCloseTo(0.5, 9);
  });

  it('is never exceeded by any sequence of requests', () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 16_807) % 2_147_483_647;
      return state % below;
    };
    for (let run = 0; run < 50; run++) {
      const perMinute = 1 + random(500);
      const bucket = new RateBucket(perMinute, 0);
      let [now, taken] = [0, 0];
      for (let i = 0; i < 300; i++) {
        now += random(2000);
        const amount = 1 + random(5);
        if (bucket.wait(amount, now) === 0) {
          bucket.take(amount, now);
          taken += amount;
        }
        expect(taken).toBeLessThanOrEqual(
          perMinute + (now * perMinute) / 60_000 + Math.max(0, amount - perMinute) + 1e-6,
        );
      }
    }
  });

  it("admits more than a minute's amount when full, which delays later calls", () => {
    const bucket = new RateBucket(600, 0);
    expect(bucket.wait(1200, 0)).toBe(0);
    bucket.take(1200, 0);
    expect(bucket.wait(1, 60_000)).toBe(100);
  });

  it('accepts refunds, up to its size', () => {
    const bucket = new RateBucket(60, 0);
    bucket.take(50, 0);
    bucket.take(-45, 0);
    expect(bucket.wait(55, 0)).toBe(0);
    bucket.take(-100, 0);
    expect(bucket.wait(60, 0)).toBe(0);
    bucket.take(60, 0);
    expect(bucket.wait(1, 0)).toBe(1000);
  });

  it("is limited to a process's share, but at least one call", () => {
    const bucket = new RateBucket(60, 0);
    bucket.resize(60, 0.5, 0);
    bucket.take(30, 0);
    expect(bucket.wait(1, 0)).toBe(2000);
    bucket.resize(60, 0.001, 0);
    expect(bucket.wait(1, 1_000_000)).toBe(0);
  });
});
