import { describe, expect, it } from '@jest/globals';
import { RateBucket, UseGauge } from './use-gauge.js';

const FULL = Number.POSITIVE_INFINITY;

describe('a limit of a provider', () => {
  it('limits concurrent calls, regardless of how they end', () => {
    const gauge = new UseGauge({ concurrentCalls: 2 }, 0);
    gauge.take(0, 0);
    expect(gauge.wait(0, 0)).toBe(0);
    gauge.take(0, 0);
    expect(gauge.wait(0, 0)).toBe(FULL);
    expect(gauge.fullness(0)).toEqual({ requests: null, tokens: null, calls: 1 });
    gauge.end(0, 0);
    expect(gauge.wait(0, 0)).toBe(0);
  });

  it('delays a call by the longer wait of requests and tokens', () => {
    const gauge = new UseGauge({ requestsPerMinute: 60, tokensPerMinute: 6000 }, 0);
    for (let i = 0; i < 60; i++) gauge.take(1, 0);
    expect(gauge.wait(1, 0)).toBe(1000);
    expect(gauge.wait(6000, 0)).toBe(1000);
    gauge.take(2940, 0);
    expect(gauge.wait(3200, 1000)).toBe(1000);
    gauge.end(2940, 1000);
    expect(gauge.wait(3200, 1000)).toBe(1000);
    expect(gauge.wait(3200, 2000)).toBe(0);
  });

  it('gives a process its share, but at most what it announced and what the others left', () => {
    const gauge = new UseGauge({ concurrentCalls: 10, requestsPerMinute: 100 }, 0);
    const shared = { share: 0.5, isFirst: true, claimed: 5, othersClaimed: 8, othersUnderWay: 3 };
    const free = () => {
      let slots = 0;
      for (; gauge.wait(0, 0) === 0; slots++) gauge.take(0, 0);
      for (let i = 0; i < slots; i++) gauge.end(0, 0);
      return slots;
    };
    gauge.shareWith(shared, 0);
    expect(free()).toBe(2);
    gauge.shareWith({ ...shared, othersClaimed: 5 }, 0);
    expect(free()).toBe(5);
    gauge.shareWith({ ...shared, share: 0.95, othersClaimed: 1 }, 0);
    expect([free(), gauge.claim]).toEqual([5, 10]);
    gauge.shareWith({ ...shared, share: 0.95, claimed: 10, othersClaimed: 1 }, 0);
    expect(free()).toBe(9);
    gauge.take(0, 0);
    gauge.take(0, 0);
    gauge.shareWith({ ...shared, share: 0.1, othersClaimed: 1 }, 0);
    expect([gauge.wait(0, 0), gauge.claim]).toEqual([FULL, 2]);
    expect(gauge.fullness(0).calls).toBe(0.5);
  });

  it('gives an indivisible slot to one process', () => {
    const claims = [true, false].map((isFirst) => {
      const gauge = new UseGauge({ concurrentCalls: 5 }, 0);
      gauge.shareWith({ share: 0.5, isFirst, claimed: 0, othersClaimed: 0, othersUnderWay: 0 }, 0);
      return gauge.claim;
    });
    expect(claims).toEqual([3, 2]);
  });

  it('gives every process at least one slot', () => {
    const gauge = new UseGauge({ concurrentCalls: 3 }, 0);
    gauge.shareWith({ share: 0.01, isFirst: false, claimed: 0, othersClaimed: 3, othersUnderWay: 3 }, 0);
    expect(gauge.wait(0, 0)).toBe(0);
  });

  it('keeps current usage when the limits change', () => {
    const gauge = new UseGauge({ requestsPerMinute: 10, concurrentCalls: 1 }, 0);
    gauge.take(0, 0);
    gauge.allow({ requestsPerMinute: 5, concurrentCalls: 1 }, 0);
    expect(gauge.wait(0, 0)).toBe(FULL);
    gauge.allow({ requestsPerMinute: 5 }, 0);
    for (let i = 0; i < 5; i++) gauge.take(0, 0);
    expect(gauge.wait(0, 0)).toBe(12_000);
    gauge.allow({}, 0);
    expect(gauge.wait(0, 0)).toBe(0);
  });
});

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
