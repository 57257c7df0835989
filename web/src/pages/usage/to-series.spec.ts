import { describe, expect, it } from '@jest/globals';
import { metricOf, type Totals } from './metrics';
import { REST, toSeries, type UsageReport } from './to-series';

const NONE: Totals = {
  requests: 0,
  running: 0,
  succeeded: 0,
  simulated: 0,
  timed: 0,
  refused: 0,
  errors: 0,
  aborted: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  costNanodollars: '0',
  costUsd: 0,
  p50TotalMs: null,
  p95TotalMs: null,
  p50FirstTokenMs: null,
  p95FirstTokenMs: null,
};

/**
 * A report of two points with a number of groups: the nth has n requests in the first point, and none in the second.
 */
function report(groups: number, rest = 0): UsageReport {
  const ids = Array.from({ length: groups }, (_, index) => `g${index + 1}`);
  const first = Object.fromEntries(ids.map((id, index) => [id, { ...NONE, requests: index + 1, p95TotalMs: 100 }]));
  return {
    from: '2026-11-20T00:00:00Z',
    to: '2026-11-22T00:00:00Z',
    zone: 'UTC',
    granularity: 'day',
    unpricedCalls: 0,
    unchargedUsd: null,
    upToDateAt: '2026-11-21T12:00:00Z',
    replicaLagSeconds: null,
    totals: NONE,
    previous: null,
    groups: ids.map((id) => ({ id, label: id, detail: null, hasSeries: true, totals: NONE })),
    groupsLeftOut: 0,
    others: null,
    series: [
      { start: '2026-11-20T00:00:00Z', groups: rest ? { ...first, [REST]: { ...NONE, requests: rest } } : first },
      { start: '2026-11-21T00:00:00Z', groups: {} },
    ],
  };
}

describe('the series of a chart', () => {
  it('are zero without requests for amounts, and have no value for latencies', () => {
    expect(toSeries(report(1), metricOf('requests'))[0]?.values).toEqual([1, 0]);
    expect(toSeries(report(1), metricOf('p95'))[0]?.values).toEqual([100, null]);
  });

  it('add up to the total, with any number of groups', () => {
    const series = toSeries(report(11, 7), metricOf('requests'));
    expect(series).toHaveLength(9);
    expect(series.at(-1)).toMatchObject({ id: REST, label: '3 others', values: [9 + 10 + 11 + 7, 0] });
    expect(series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(66 + 7);
  });

  it('contain only the largest groups if they do not add up', () => {
    expect(toSeries(report(11), metricOf('p95')).map(({ id }) => id)).not.toContain(REST);
  });

  it('each have their own combination of color and dashes', () => {
    const series = toSeries(report(8), metricOf('p95'));
    expect(new Set(series.map(({ color, dashes }) => `${color} ${dashes}`)).size).toBe(8);
  });

  it('are the largest groups for the shown metric, in that order', () => {
    const { groups, ...rest } = report(3);
    const costs = [1, 3, 2];
    const priced = groups.map((group, index) => ({ ...group, totals: { ...NONE, costUsd: costs[index] ?? 0 } }));
    expect(toSeries({ ...rest, groups: priced }, metricOf('cost')).map(({ id }) => id)).toEqual(['g2', 'g3', 'g1']);
  });

  it('the series of a chart of statuses have words as names', () => {
    const [settled] = report(1).groups;
    const byStatus = { ...report(1), groups: settled ? [{ ...settled, id: 'settled', label: 'settled' }] : [] };
    expect(toSeries(byStatus, metricOf('requests'))[0]?.label).toBe('Succeeded');
  });
});
