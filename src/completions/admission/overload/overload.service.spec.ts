import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallPlaces, RecentCalls } from './overload.service.js';

describe('the places of calls', () => {
  let now: number;
  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Takes a place, or notes that the call was turned away. */
  function enter(places: CallPlaces, keyId: string): boolean {
    const hasRoom = places.hasRoom(keyId);
    if (hasRoom) places.take(keyId);
    else places.shed(keyId, now);
    return hasRoom;
  }
  const enterAll = (places: CallPlaces, ...keys: string[]) => keys.map((key) => enter(places, key));

  it('are without number where none is set', () => {
    const places = new CallPlaces(() => null);
    for (let i = 0; i < 1000; i++) expect(enter(places, 'a')).toBe(true);
    expect(places.underWay).toBe(1000);
  });

  it('are all for one owner while no other waits', () => {
    const places = new CallPlaces(() => 4);
    expect(enterAll(places, 'a', 'a', 'a', 'a', 'a')).toEqual([true, true, true, true, false]);
    places.release('a');
    expect(enter(places, 'a')).toBe(true);
  });

  it('are half for one owner while another waits, for a second', () => {
    const places = new CallPlaces(() => 4);
    enterAll(places, 'a', 'a', 'a', 'a');
    expect(enter(places, 'b')).toBe(false);
    places.release('a');
    expect(enterAll(places, 'a', 'b')).toEqual([false, true]);
    places.release('a');
    places.release('a');
    expect(enterAll(places, 'a', 'a')).toEqual([true, false]);
    now += 1001;
    expect(enter(places, 'a')).toBe(true);
  });

  it('stay half for one key as long as the other goes on calling', () => {
    const places = new CallPlaces(() => 4);
    enterAll(places, 'a', 'a', 'a', 'a', 'b');
    places.release('a');
    places.release('a');
    for (let times = 0; times < 10; times++) {
      now += 900;
      expect(enterAll(places, 'b', 'a')).toEqual([true, false]);
      places.release('b');
    }
  });

  it('are at least one for a key that has none, however few there are', () => {
    const places = new CallPlaces(() => 1);
    enter(places, 'a');
    enter(places, 'b');
    places.release('a');
    expect(enter(places, 'a')).toBe(true);
  });

  it('forget an owner who has none any more', () => {
    const places = new CallPlaces(() => 2);
    enterAll(places, 'a', 'b');
    places.release('a');
    places.release('b');
    expect(places.underWay).toBe(0);
    expect(Reflect.get(places, 'takenByOwner')).toEqual(new Map());
  });
});

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

  it('a key is below its share if it had fewer calls admitted than the average of the keys that call', () => {
    takeMany('greedy', 400);
    expect([admitted('modest', 20), admitted('greedy', 20)]).toEqual([20, 0]);
  });

  it('a key is below its share at its first call after a pause of the gateway', () => {
    takeMany('greedy', 400);
    now += 3000;
    expect(admitted('modest', 1)).toBe(1);
  });

  it('a key is below its share until all keys had as many calls admitted', () => {
    takeMany('greedy', 400);
    expect(admitted('other', 1000)).toBe(399);
    expect(admitted('greedy', 1000)).toBe(0);
  });

  it('not if the keys that call had less than one call each admitted on average', () => {
    takeMany('a', 10);
    for (let key = 0; key < 300; key++) recent.isBelowShare(`key ${key}`, now);
    expect(admitted('b', 1)).toBe(0);
  });

  it('a key is below its share by the calls of the last half to whole second', () => {
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
