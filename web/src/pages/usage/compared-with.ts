import { type Preset, zoneName } from '../../kit/range';
import type { UsageReport } from './to-series';
import type { UsageSearch } from './use-usage-search';

const COMPARED_WITH: Record<Preset, string> = {
  today: 'the same hours of yesterday',
  '7d': 'the previous 7 days, up to the same hour',
  '30d': 'the previous 30 days, up to the same hour',
  month: 'the same days of last month',
  custom: 'the previous period of the same length',
};

/** The period that a range is compared with, in words: from when to when, once that is known. */
export function comparedWith({ range }: UsageSearch, before: UsageReport | undefined): string {
  const words = COMPARED_WITH[range.preset];
  if (!before) return words;
  const format = new Intl.DateTimeFormat(undefined, {
    timeZone: zoneName(range.zone),
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return `${words}: ${format.formatRange(Date.parse(before.from), Date.parse(before.to))}`;
}
