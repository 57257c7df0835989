import { Skeleton, Text, UnstyledButton } from '@mantine/core';
import { Delta } from '../../kit/delta';
import { Money } from '../../kit/money';
import { changeOf, formatPercent } from '../../kit/numbers';
import { Quantity } from '../../kit/quantity';
import { formatValue } from '../../kit/units';
import classes from './metric-strip.module.css';
import { FAMILIES, type Family, type Totals } from './metrics';
import type { UsageReport } from './to-series';
import type { UsageControls } from './use-usage-search';

interface MetricStripProps extends Pick<UsageControls, 'search' | 'change'> {
  report: UsageReport | undefined;
  /** The totals of the previous period, for comparison. */
  before: UsageReport | undefined;
  comparedWith: string;
}

/** The range in six numbers, each against the previous period; the pressed one is in the chart. */
export function MetricStrip({ report, before, comparedWith, search, change }: MetricStripProps) {
  const previous =
    search.compare && before && before.totals.requests + before.totals.refused > 0 ? before.totals : undefined;
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and a legend of its own */}
      <div className={classes.strip} role="group" aria-label="Metric">
        {FAMILIES.map((family) => (
          <UnstyledButton
            key={family.label}
            className={classes.cell}
            aria-pressed={family.metrics.includes(search.metric)}
            onClick={() => change({ metric: family.metrics[0] === 'cost' ? undefined : family.metrics[0] })}
          >
            <span className={classes.label}>{family.label}</span>
            {report ? <FamilyValue family={family} totals={report.totals} /> : <Skeleton h={22} w={56} />}
            <Change family={family} totals={report?.totals} previous={previous} />
          </UnstyledButton>
        ))}
      </div>
      {previous && (
        <Text size="xs" c="dimmed" mt={6} visibleFrom="sm">
          Compared with {comparedWith}.
        </Text>
      )}
    </div>
  );
}

interface FamilyProps {
  family: Family;
  totals: Totals;
}

function FamilyValue({ family: { unit, of }, totals }: FamilyProps) {
  const value = of(totals);
  return <span className={classes.value}>{value === null ? '–' : toText(value, unit)}</span>;
}

function toText(value: number, unit: Family['unit']) {
  if (unit === 'usd') return <Money usd={value} />;
  if (unit === 'share') return formatPercent(value);
  return unit === 'ms' ? formatValue(value, unit) : <Quantity value={value} />;
}

interface ChangeProps {
  family: Family;
  totals: Totals | undefined;
  previous: Totals | undefined;
}

/** Takes its space even when it is empty, so that nothing moves. */
function Change({ family: { of, more, note }, totals, previous }: ChangeProps) {
  const delta = totals && previous ? changeOf(of(totals), of(previous)) : null;
  return (
    <span className={classes.foot}>
      {delta !== null && <Delta delta={delta} more={more} />}
      {totals && note?.(totals)}
    </span>
  );
}
