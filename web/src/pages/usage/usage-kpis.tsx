import { SimpleGrid, Stack, Text } from '@mantine/core';
import { Kpi } from '../../kit/kpi';
import { Money } from '../../kit/money';
import { changeOf, formatPercent } from '../../kit/numbers';
import { Quantity } from '../../kit/quantity';
import { errorRateOf, type Totals } from './metrics';
import { type Preset, type ZoneChoice, zoneName } from './range';
import type { UsageReport } from './to-series';
import { formatValue } from './units';
import type { UsageSearch } from './use-usage-search';

const COMPARED_WITH: Record<Preset, string> = {
  today: 'the same hours of yesterday',
  '7d': 'the 7 days before, up to the same hour',
  '30d': 'the 30 days before, up to the same hour',
  month: 'the same days of last month',
  custom: 'as many days before',
};

interface UsageKpisProps {
  report: UsageReport | undefined;
  /** Of the time before; its totals are what the others are compared with. */
  before: UsageReport | undefined;
  /** Whether the report could not be had. */
  isMissing: boolean;
  search: UsageSearch;
}

/** The range in six numbers, each against the time before. */
export function UsageKpis({ report, before, isMissing, search }: UsageKpisProps) {
  const totals = report?.totals;
  const previous = search.compare && before && before.totals.requests > 0 ? before.totals : undefined;
  const compared = (of: (totals: Totals) => number | null) =>
    totals && previous ? { delta: changeOf(of(totals), of(previous)) } : {};
  if (isMissing) return null;
  const shared = { isLoading: !totals };
  return (
    <Stack gap={6}>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        <Kpi
          {...shared}
          label="Cost"
          value={totals && <Money usd={totals.costUsd} />}
          {...compared(({ costUsd }) => costUsd)}
        />
        <Kpi
          {...shared}
          label="Requests"
          value={totals && <Quantity value={totals.requests} />}
          {...compared(({ requests }) => requests)}
          note={totals && totals.running > 0 ? `${totals.running} running` : undefined}
        />
        <Kpi
          {...shared}
          label="Tokens"
          value={totals && <Quantity value={tokensOf(totals)} />}
          {...compared(tokensOf)}
        />
        <Kpi
          {...shared}
          label="Error rate"
          more="bad"
          value={totals && percentOf(errorRateOf(totals))}
          {...compared(errorRateOf)}
        />
        <Kpi
          {...shared}
          label="Latency, p95"
          more="bad"
          value={totals && formatValue(totals.p95TotalMs, 'ms')}
          {...compared(({ p95TotalMs }) => p95TotalMs)}
        />
        <Kpi
          {...shared}
          label="First token, p95"
          more="bad"
          value={totals && formatValue(totals.p95FirstTokenMs, 'ms')}
          {...compared(({ p95FirstTokenMs }) => p95FirstTokenMs)}
        />
      </SimpleGrid>
      {before && previous && (
        <Text size="xs" c="dimmed">
          Compared with {COMPARED_WITH[search.range.preset]}: {periodOf(before, search.range.zone)}.
        </Text>
      )}
    </Stack>
  );
}

function tokensOf({ inputTokens, outputTokens }: Totals): number {
  return inputTokens + outputTokens;
}

function percentOf(rate: number | null): string {
  return rate === null ? '–' : formatPercent(rate);
}

function periodOf({ from, to }: UsageReport, zone: ZoneChoice): string {
  const format = new Intl.DateTimeFormat(undefined, {
    timeZone: zoneName(zone),
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return format.formatRange(Date.parse(from), Date.parse(to));
}
