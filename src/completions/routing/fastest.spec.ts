import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LiveTarget } from '../../upstreams/target.types.js';
import { FirstAnswerTimes, type Ordered, orderFastestFirst } from './fastest.js';

const target = (name: string, priority: number) =>
  ({ id: name, upstream: { name }, upstreamModel: 'm', priority, weight: 1 }) as LiveTarget;
const a = target('a', 1);
const b = target('b', 1);
const c = target('c', 2);

describe('the strategy fastest', () => {
  let now: number;
  let times: FirstAnswerTimes;
  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    times = new FirstAnswerTimes();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const began = (of: LiveTarget, ...ms: number[]) => {
    for (const one of ms) times.began(of, true, one);
    now += 2000;
  };
  /** The targets in order; those of equal rank together. */
  const order = (drawn = 0.5, isStreamed = true) => {
    const ordered: Ordered[] = [a, b, c].map((one) => ({ target: one, position: one.priority }));
    orderFastestFirst(ordered, times, isStreamed, drawn);
    const positions = [...new Set(ordered.map(({ position }) => position))].sort((one, other) => one - other);
    return positions.map((position) =>
      ordered
        .filter((one) => one.position === position)
        .map((one) => one.target.upstream.name)
        .join(''),
    );
  };

  it('orders by priority without measurements', () => {
    expect(order()).toEqual(['ab', 'c']);
  });

  it('tries the target with the lowest median first, independent of priority', () => {
    began(a, 300, 310, 320, 9000);
    began(b, 200, 210, 5000);
    began(c, 100, 110, 1);
    expect(order()).toEqual(['c', 'b', 'a']);
  });

  it('treats targets within a tenth as equally fast, ordered by priority', () => {
    began(a, 105, 105, 105);
    began(b, 100, 100, 100);
    began(c, 98, 98, 98);
    expect(order()).toEqual(['ab', 'c']);
  });

  it('tries an unmeasured target as if it were fast', () => {
    began(a, 100, 100, 100);
    began(b, 300, 300);
    expect(order()).toEqual(['ab', 'c']);
  });

  it('drops measurements older than five minutes once there are newer ones', () => {
    began(a, 900, 900, 900);
    began(b, 500, 500, 500);
    began(c, 700, 700, 700);
    now += 6 * 60_000;
    expect(order()).toEqual(['b', 'c', 'a']);
    began(a, 100);
    expect(order()).toEqual(['a', 'b', 'c']);
  });

  it('lets one call in twenty measure the other targets', () => {
    began(a, 300, 300, 300);
    began(b, 200, 200, 200);
    began(c, 100, 100, 100);
    expect(order(0.049)).toEqual(['ab', 'c']);
    expect(order(0.05)).toEqual(['c', 'b', 'a']);
  });

  it('measures streams and whole answers separately', () => {
    began(a, 300, 300, 300);
    began(b, 200, 200, 200);
    began(c, 100, 100, 100);
    expect(order(0.5, false)).toEqual(['ab', 'c']);
  });
});
