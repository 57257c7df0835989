import { beforeEach, describe, expect, it } from '@jest/globals';
import { RecentCalls } from './recent-calls.js';

describe('the calls let in lately', () => {
  let recent: RecentCalls;
  let now: number;
  beforeEach(() => {
    recent = new RecentCalls();
    now = 1_000_000;
  });

  const takeMany = (keyId: string, count: number) => {
    for (let call = 0; call < count; call++) recent.take(keyId, now);
  };
  /** How many of these calls are let in although there is too much to do. */
  const letIn = (keyId: string, count: number) => {
    let taken = 0;
    for (let call = 0; call < count; call++) {
      if (!recent.takeForShare(keyId, now)) continue;
      recent.take(keyId, now);
      taken++;
    }
    return taken;
  };

  it('give a key that calls alone no share', () => {
    takeMany('a', 10);
    expect(letIn('a', 10)).toBe(0);
  });

  it('let a key in that had less than the mean, and not the one that had more', () => {
    takeMany('greedy', 400);
    expect([letIn('modest', 20), letIn('greedy', 20)]).toEqual([20, 0]);
  });

  it('let it in at its first call after a standstill, too', () => {
    takeMany('greedy', 400);
    now += 3000;
    expect(letIn('modest', 1)).toBe(1);
  });

  it('let in little in all, however many keys there are', () => {
    for (let key = 0; key < 1000; key++) takeMany(`key ${key}`, 1);
    let taken = 0;
    for (let key = 1000; key < 3000; key++) taken += letIn(`key ${key}`, 1);
    expect(taken).toBeLessThanOrEqual(100);
    now += 500;
    for (let key = 0; key < 3000; key++) taken += letIn(`key ${key}`, 1);
    expect(taken).toBeLessThanOrEqual(600);
  });

  it('divide the admitted calls equally among keys that send too many', () => {
    takeMany('a', 100);
    takeMany('b', 100);
    now += 500;
    takeMany('c', 1);
    now += 500;
    expect(letIn('a', 1000)).toBeLessThanOrEqual(100 / 2);
  });
});
