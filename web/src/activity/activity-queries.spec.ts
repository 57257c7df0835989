import { describe, expect, it } from '@jest/globals';
import { groupSeries, type UsageReport, type UsageTotals } from './activity-queries';

const totals = (requests: number) => ({ requests }) as UsageTotals;
const group = (id: string, hasSeries: boolean) => ({ id, label: id.toUpperCase(), hasSeries });

describe('the series of a report', () => {
  it('are those of its largest groups, and one of all others', () => {
    const report = {
      groups: [group('a', true), group('b', true), group('c', false)],
      series: [{ groups: { a: totals(1), '~other': totals(4) } }, { groups: { a: totals(2), b: totals(3) } }],
    } as unknown as UsageReport;
    const series = groupSeries(report, ({ requests }) => requests);
    expect(series.map(({ label, values }) => [label, ...values])).toEqual([
      ['A', 1, 2],
      ['B', 0, 3],
      ['Others', 4, 0],
    ]);
    expect(new Set(series.map(({ color }) => color)).size).toBe(3);
  });

  it('are none without groups', () => {
    const report = { groups: [], series: [{ groups: {} }] } as unknown as UsageReport;
    expect(groupSeries(report, ({ requests }) => requests)).toEqual([]);
  });
});
