import { describe, expect, it } from '@jest/globals';
import { roundTicks, toTimePoints } from './axis';

describe('the ticks of an axis', () => {
  it('are round, start at zero, and reach the highest value', () => {
    expect(roundTicks(83, 'count')).toEqual([0, 25, 50, 75, 100]);
    expect(roundTicks(4, 'count')).toEqual([0, 1, 2, 3, 4]);
    expect(roundTicks(9, 'count')).toEqual([0, 5, 10]);
    expect(roundTicks(1_234_567, 'count')).toEqual([0, 500_000, 1_000_000, 1_500_000]);
    expect(roundTicks(0.0371, 'usd')).toEqual([0, 0.01, 0.02, 0.03, 0.04]);
    expect(roundTicks(7.02, 'usd')).toEqual([0, 2, 4, 6, 8]);
  });

  it('are whole for counts', () => {
    expect(roundTicks(1, 'count')).toEqual([0, 1]);
    expect(roundTicks(2, 'count')).toEqual([0, 1, 2]);
  });

  it('are whole minutes for long times', () => {
    expect(roundTicks(900, 'ms')).toEqual([0, 250, 500, 750, 1000]);
    expect(roundTicks(280_000, 'ms')).toEqual([0, 120_000, 240_000, 360_000]);
  });

  it('exist even without a value', () => {
    expect(roundTicks(0, 'count')).toEqual([0, 1]);
    expect(roundTicks(0, 'usd')).toEqual([0, 0.01]);
  });
});

const hours = ['2026-11-21T22:00:00Z', '2026-11-21T23:00:00Z'];

describe('the labels of points in time', () => {
  it('are days in the zone of the report', () => {
    expect(toTimePoints(['2026-11-20T23:00:00Z'], 'day', 'Europe/Berlin')).toEqual([
      { tick: 'Nov 21', title: 'Sat, Nov 21, 2026' },
    ]);
  });

  it('are times within one day, and the title has the whole time', () => {
    const [first] = toTimePoints(hours, 'hour', 'UTC');
    expect(first).toEqual({ tick: '22:00', title: 'Sat, Nov 21, 2026, 22:00 UTC' });
  });

  it('include the day if there are several', () => {
    const [first] = toTimePoints([...hours, '2026-11-23T00:00:00Z'], 'hour', 'UTC');
    expect(first?.tick).toBe('Nov 21, 22:00');
  });

  it('are empty without points', () => {
    expect(toTimePoints([], 'hour', 'UTC')).toEqual([]);
  });
});
