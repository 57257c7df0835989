import type { Series } from './series';
import classes from './time-chart.module.css';
import type { TimePoint } from './time-chart.types';

interface TimeTooltipProps {
  index: number;
  points: readonly TimePoint[];
  series: readonly Series[];
  format: (value: number) => string;
  /** Whether the values are summed. */
  sums: boolean;
}

/** The tooltip of a point: every group with a value, the largest first. */
export function TimeTooltip({ index, points, series, format, sums }: TimeTooltipProps) {
  const rows = series
    .map(({ id, label, color, values }) => ({ id, label, color, value: values[index] ?? null }))
    .filter((row): row is typeof row & { value: number } => row.value !== null && (row.value !== 0 || !sums))
    .sort((a, b) => b.value - a.value);
  const sum = rows.reduce((total, { value }) => total + value, 0);
  return (
    <div className={classes.tooltip}>
      <div className={classes.tooltipTitle}>{points[index]?.title}</div>
      {rows.length === 0 && <div className={classes.tooltipLabel}>No requests</div>}
      {rows.map(({ id, label, color, value }) => (
        <div key={id} className={classes.tooltipRow}>
          <span className={classes.swatch} style={{ background: color }} />
          <span className={classes.tooltipLabel}>{label}</span>
          <span>{format(value)}</span>
        </div>
      ))}
      {sums && rows.length > 1 && (
        <div className={`${classes.tooltipRow} ${classes.tooltipSum}`}>
          <span />
          <span>Total</span>
          <span>{format(sum)}</span>
        </div>
      )}
    </div>
  );
}
