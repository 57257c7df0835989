import { describe, expect, it } from '@jest/globals';
import { groupSeries, type ShownCall, toRows, type UsageReport, type UsageTotals } from './activity-queries';

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

const call = (id: string, rest: Partial<ShownCall>) => ({ id, model: 'm', keyId: 'k', ...rest }) as ShownCall;

describe('the rows of the list of errors', () => {
  const calls = [
    call('a', { status: 'refused', httpStatus: 429 }),
    call('b', { status: 'settled' }),
    call('c', { status: 'refused', httpStatus: 429 }),
    call('d', { status: 'refused', httpStatus: 401 }),
    call('e', { status: 'settled' }),
    call('f', { status: 'refused', httpStatus: 429, keyId: 'other' }),
  ];

  it('are one for identical errors, with the newest of them', () => {
    const rows = toRows(calls).map(({ call: { id }, count }) => `${id} ${count}`);
    expect(rows).toEqual(['a 2', 'b 1', 'd 1', 'e 1', 'f 1']);
  });

  it('are one for errors that differ only in the seconds to wait', () => {
    const limited = (id: string, message: string) => call(id, { status: 'refused', httpStatus: 429, message });
    const reported = [limited('a', 'Try again in 20 s.'), limited('b', 'Try again in 9 s.'), limited('c', 'No money.')];
    expect(toRows(reported).map(({ call: { id }, count }) => `${id} ${count}`)).toEqual(['a 2', 'c 1']);
  });
});
