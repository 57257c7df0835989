import { describe, expect, it } from '@jest/globals';
import { toTimePoints } from './time-labels';

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
