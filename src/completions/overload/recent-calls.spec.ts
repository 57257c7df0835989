import { beforeEach, describe, expect, it } from '@jest/globals';
import { RecentCalls } from './recent-calls.js';

describe('a key is below its share', () => {
  let recent: RecentCalls;
  let now: number;
  beforeEach(() => {
    recent = new RecentCalls();
    now = 1_000_000;
  });

  const takeMany = (keyId: string, count: number) => {
    for (let call = 0; call < count; call++) recent.take(keyId, now);
  };
  /** How many of these calls are admitted because their key is below its share. */
  const admitted = (keyId: string, count: number) => {
    let taken = 0;
    for (let call = 0; call < count; call++) {
      if (!recent.isBelowShare(keyId, now)) continue;
      recent.take(keyId, now);
      taken++;
    }
    return taken;
  };

  it('never if it calls alone', () => {
    takeMany('a', 10);
    expect(admitted('a', 10)).toBe(0);
  });

  it('if it had fewer calls admitted than the average of the keys that call', () => {
    takeMany('greedy', 400);
    expect([admitted('modest', 20), admitted('greedy', 20)]).toEqual([20, 0]);
  });

  it('at its first call after a pause of the gateway', () => {
    takeMany('greedy', 400);
    now += 3000;
    expect(admitted('modest', 1)).toBe(1);
  });

  it('until all keys had as many calls admitted', () => {
    takeMany('greedy', 400);
    expect(admitted('other', 1000)).toBe(399);
    expect(admitted('greedy', 1000)).toBe(0);
  });

  it('not if the keys that call had less than one call each admitted on average', () => {
    takeMany('a', 10);
    for (let key = 0; key < 300; key++) recent.isBelowShare(`key ${key}`, now);
    expect(admitted('b', 1)).toBe(0);
  });

  it('by the calls of the last half to whole second', () => {
    takeMany('greedy', 1000);
    takeMany('modest', 400);
    now += 500;
    expect(recent.isBelowShare('modest', now)).toBe(true);
    now += 500;
    recent.isBelowShare('greedy', now);
    expect(admitted('modest', 200)).toBe(100);
  });

  it('up to its part of 200 calls while hardly any are admitted', () => {
    recent.isBelowShare('greedy', now);
    expect(admitted('modest', 200)).toBe(100);
  });
});
