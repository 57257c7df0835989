import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallPlaces } from './call-places.js';

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

  it('are all for one key while no other waits', () => {
    const places = new CallPlaces(() => 4);
    expect(enterAll(places, 'a', 'a', 'a', 'a', 'a')).toEqual([true, true, true, true, false]);
    places.release('a');
    expect(enter(places, 'a')).toBe(true);
  });

  it('are half for one key while another waits, for a second', () => {
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

  it('forget a key that has none any more', () => {
    const places = new CallPlaces(() => 2);
    enterAll(places, 'a', 'b');
    places.release('a');
    places.release('b');
    expect(places.underWay).toBe(0);
    expect(Reflect.get(places, 'takenByKey')).toEqual(new Map());
  });
});
