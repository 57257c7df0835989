import type { components } from '../../api/schema';
import { looksOf, MAX_SERIES, REST_LOOK, type Series } from '../../charts/series';
import { API_LABELS, STATUS_LABELS } from '../../kit/words';
import type { Metric, Totals } from './metrics';

export type UsageReport = components['schemas']['UsageReportView'];
export type UsageGroup = UsageReport['groups'][number];

/** The id of the series of all groups without their own. */
export const REST = '~other';
/** The id of the group of requests without a user, a project or an upstream; nothing can be filtered by it. */
export const NONE = '~none';

/** The chart of a report: one series for each of the largest groups, and for amounts one for the others. */
export function toSeries(report: UsageReport, metric: Metric): Series[] {
  const shown = byValue(report.groups, metric)
    .filter(({ hasSeries }) => hasSeries)
    .slice(0, MAX_SERIES);
  const looks = looksOf(shown.map(({ id }) => id));
  const series = shown.map((group) => ({
    id: group.id,
    label: labelOf(group),
    ...(looks.get(group.id) ?? REST_LOOK),
    values: report.series.map(({ groups }) => valueAt(groups[group.id], metric)),
  }));
  const hidden = report.groups.length - shown.length;
  if (hidden === 0 || metric.kind === 'latency') return series;
  const ids = new Set(shown.map(({ id }) => id));
  return [
    ...series,
    {
      id: REST,
      label: hidden === 1 ? '1 other' : `${hidden} others`,
      ...REST_LOOK,
      values: restOf(report, ids, metric),
    },
  ];
}

/** The groups in the order of the shown metric. */
export function byValue(groups: readonly UsageGroup[], metric: Metric): UsageGroup[] {
  return groups.toSorted((a, b) => (metric.of(b.totals) ?? -1) - (metric.of(a.totals) ?? -1));
}

/** The sum of the groups without their own series. */
function restOf({ series }: UsageReport, shown: ReadonlySet<string>, metric: Metric): number[] {
  return series.map(({ groups }) =>
    Object.entries(groups).reduce((sum, [id, totals]) => (shown.has(id) ? sum : sum + (metric.of(totals) ?? 0)), 0),
  );
}

/** Without requests an amount is zero, and a latency unknown. */
function valueAt(totals: Totals | undefined, metric: Metric): number | null {
  if (totals) return metric.of(totals);
  return metric.kind === 'amount' ? 0 : null;
}

/** A group's name; for a status or an API, the page's word for it. */
export function labelOf({ id, label }: UsageGroup): string {
  return STATUS_LABELS[id] ?? API_LABELS[id] ?? label;
}
