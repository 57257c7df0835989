import type { components } from '../../api/schema';
import { colorOf, dashesOf, MOST_SERIES, type Series } from '../../charts/series';
import { STATUS_LABELS } from './filter-options';
import type { Metric, Totals } from './metrics';

export type UsageReport = components['schemas']['UsageReportView'];
export type UsageGroup = UsageReport['groups'][number];

/** The id of the series of all groups that have none of their own. */
export const REST = '~other';

/** What a chart draws of a report: one series for each of the largest groups, and of amounts one for the others. */
export function toSeries(report: UsageReport, metric: Metric): Series[] {
  const shown = report.groups.slice(0, MOST_SERIES);
  const series = shown.map((group, index) => ({
    id: group.id,
    label: labelOf(group),
    color: colorOf(index),
    dashes: dashesOf(index),
    values: report.series.map(({ groups }) => valueAt(groups[group.id], metric)),
  }));
  const hidden = report.groups.length - shown.length;
  if (hidden === 0 || metric.kind === 'latency') return series;
  const ids = new Set(shown.map(({ id }) => id));
  return [
    ...series,
    {
      id: REST,
      label: `${hidden} others`,
      color: colorOf(MOST_SERIES),
      dashes: '0',
      values: restOf(report, ids, metric),
    },
  ];
}

/** What the groups without a series of their own add up to. */
function restOf({ series }: UsageReport, shown: ReadonlySet<string>, metric: Metric): number[] {
  return series.map(({ groups }) =>
    Object.entries(groups).reduce((sum, [id, totals]) => (shown.has(id) ? sum : sum + (metric.of(totals) ?? 0)), 0),
  );
}

/** Without a request an amount is nothing, and a latency unknown. */
function valueAt(totals: Totals | undefined, metric: Metric): number | null {
  if (totals) return metric.of(totals);
  return metric.kind === 'amount' ? 0 : null;
}

/** A group's name; of a status, the words that the page uses for it. */
export function labelOf({ id, label }: UsageGroup): string {
  return STATUS_LABELS[id] ?? label;
}
