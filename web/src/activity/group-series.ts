import { looksOf, MAX_SERIES, REST_LOOK, type Series } from '../charts/series';
import type { UsageReport, UsageTotals } from './activity-queries';

/** An amount of each of the report's largest groups over time, and of all others together. */
export function groupSeries({ groups, series }: UsageReport, of: (totals: UsageTotals) => number): Series[] {
  const shown = groups.filter(({ hasSeries }) => hasSeries).slice(0, MAX_SERIES);
  const looks = looksOf(shown.map(({ id }) => id));
  const ids = new Set(shown.map(({ id }) => id));
  const ofGroups = shown.map(({ id, label }) => ({
    id,
    label,
    ...(looks.get(id) ?? REST_LOOK),
    values: series.map((point) => sumOf(point.groups, of, (one) => one === id)),
  }));
  const rest = series.map((point) => sumOf(point.groups, of, (one) => !ids.has(one)));
  if (rest.every((value) => value === 0)) return ofGroups;
  return [...ofGroups, { id: '~other', label: 'Others', ...REST_LOOK, values: rest }];
}

function sumOf(
  groups: Record<string, UsageTotals>,
  of: (totals: UsageTotals) => number,
  isWanted: (id: string) => boolean,
): number {
  return Object.entries(groups).reduce((sum, [id, totals]) => (isWanted(id) ? sum + of(totals) : sum), 0);
}
