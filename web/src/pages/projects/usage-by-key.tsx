import { useMemo } from 'react';
import type { components } from '../../api/schema';
import { looksOf, MAX_SERIES, REST_LOOK, type Series } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { toTimePoints } from '../../charts/time-labels';
import { formatUsd } from '../../kit/numbers';
import { zoneName } from '../../kit/range';
import { formatOnAxis } from '../../kit/units';
import classes from './projects.module.css';

type Report = components['schemas']['UsageReportView'];

/** Bars for each day, a color for each key, and the sums. */
export function UsageByKey({ report, height }: { report: Report; height: number }) {
  const { points, series } = useMemo(
    () => ({
      points: toTimePoints(
        report.series.map(({ start }) => start),
        'day',
        zoneName('local'),
      ),
      series: toSeries(report),
    }),
    [report],
  );
  return (
    <>
      <div aria-hidden>
        <TimeChart
          kind="bars"
          points={points}
          series={series}
          unit="usd"
          format={formatUsd}
          formatTick={(value) => formatOnAxis(value, 'usd')}
          height={height}
        />
      </div>
      <ul className={classes.legend} aria-label="Cost of each key">
        {series.map(({ id, label, color, values }) => (
          <li key={id}>
            <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />
            {label}: {formatUsd(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The keys with the highest cost, and one series for all others. */
function toSeries({ groups, series }: Report): Series[] {
  const shown = groups.filter(({ hasSeries }) => hasSeries).slice(0, MAX_SERIES);
  const looks = looksOf(shown.map(({ id }) => id));
  const ofKeys = shown.map(({ id, label }) => ({
    id,
    label,
    ...(looks.get(id) ?? REST_LOOK),
    values: series.map((point) => point.groups[id]?.costUsd ?? 0),
  }));
  if (groups.length <= shown.length) return ofKeys;
  const ids = new Set(shown.map(({ id }) => id));
  const restOf = (point: Report['series'][number]) =>
    Object.entries(point.groups).reduce((sum, [id, { costUsd }]) => (ids.has(id) ? sum : sum + costUsd), 0);
  return [...ofKeys, { id: '~other', label: 'Other keys', ...REST_LOOK, values: series.map(restOf) }];
}
