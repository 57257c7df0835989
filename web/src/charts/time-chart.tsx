import { Fragment, type PointerEvent, useId, useState } from 'react';
import { type Plot, roundTicks, type TimePoint } from './axis';
import { type Series, STRIPES } from './series';
import classes from './time-chart.module.css';
import './series.css';
import { useElementSize } from '@mantine/hooks';

const WIDEST = 44;
const FILLED = 0.72;

/** A bar for each point, with its series stacked. */
function Bars({ series, step, x, y, stripesId }: Plot & { stripesId: string }) {
  const width = Math.max(1, Math.min(WIDEST, step * FILLED));
  const count = series[0]?.values.length ?? 0;
  return Array.from({ length: count }, (_, index) => {
    let below = 0;
    return series.map(({ id, color, texture, values }) => {
      const value = values[index] ?? 0;
      if (value <= 0) return null;
      const top = y(below + value);
      const box = { x: x(index) - width / 2, y: top, width, height: y(below) - top };
      below += value;
      return (
        <Fragment key={id}>
          <rect {...box} fill={color} />
          {texture > 0 && <rect {...box} fill={`url(#${stripesId}-${texture})`} />}
        </Fragment>
      );
    });
  });
}

/** Stripes in the color of the background, to lie over a bar: one pattern for each texture. */
function Stripes({ id }: { id: string }) {
  return (
    <defs>
      {STRIPES.map((angle, index) => (
        <pattern
          key={angle}
          id={`${id}-${index + 1}`}
          width={5}
          height={5}
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${angle})`}
        >
          <rect width={2} height={5} fill="var(--mantine-color-body)" />
        </pattern>
      ))}
    </defs>
  );
}

/** With more points than this, their dots would merge. */
const MAX_DOTTED = 62;

/** A line for each series, with gaps where it has no value. */
function Lines({ series, x, y }: Plot) {
  return series.map(({ id, color, dashes, values }) => (
    <Fragment key={id}>
      <path d={pathOf(values, x, y)} fill="none" stroke={color} strokeWidth={2} strokeDasharray={dashes} />
      {values.length <= MAX_DOTTED &&
        values.map(
          (value, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: a point has no other unique key.
            value !== null && <circle key={index} cx={x(index)} cy={y(value)} r={2.5} fill={color} />,
        )}
    </Fragment>
  ));
}

function pathOf(values: Series['values'], x: Plot['x'], y: Plot['y']): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const isBegin = index === 0 || values[index - 1] === null;
      return `${isBegin ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
}

interface TimeTooltipProps {
  index: number;
  points: readonly TimePoint[];
  series: readonly Series[];
  format: (value: number) => string;
  /** Whether the values are summed. */
  sums: boolean;
}

/** The tooltip of a point: every group with a value, the largest first. */
function TimeTooltip({ index, points, series, format, sums }: TimeTooltipProps) {
  const rows = series
    .map(({ id, label, swatch, values }) => ({ id, label, swatch, value: values[index] ?? null }))
    .filter((row): row is typeof row & { value: number } => row.value !== null && (row.value !== 0 || !sums))
    .sort((a, b) => b.value - a.value);
  const sum = rows.reduce((total, { value }) => total + value, 0);
  return (
    <div className={classes.tooltip}>
      <div className={classes.tooltipTitle}>{points[index]?.title}</div>
      {rows.length === 0 && <div className={classes.tooltipLabel}>No requests</div>}
      {rows.map(({ id, label, swatch, value }) => (
        <div key={id} className={classes.tooltipRow}>
          <span className={classes.swatch} style={{ background: swatch }} />
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

interface TimeChartProps {
  kind: 'bars' | 'lines';
  points: readonly TimePoint[];
  series: readonly Series[];
  unit: 'usd' | 'count' | 'ms';
  /** For the tooltip. */
  format: (value: number) => string;
  /** For the axis. */
  formatTick: (value: number) => string;
  height: number;
}

const MARGIN = { top: 8, right: 8, bottom: 26, left: 60 };
/** Width of a label of the time axis, with its space. */
const LABEL_WIDTH = 84;

/** Series over time: bars for values that add up, otherwise lines. A table has the same numbers, for everyone. */
export function TimeChart({ kind, points, series, unit, format, formatTick, height }: TimeChartProps) {
  const { ref, width } = useElementSize();
  const stripesId = useId();
  const [pointed, setPointed] = useState<number | null>(null);
  const ticks = roundTicks(highestOf(kind, series, points.length), unit);
  const top = ticks.at(-1) ?? 1;
  const inner = { width: Math.max(0, width - MARGIN.left - MARGIN.right), height: height - MARGIN.top - MARGIN.bottom };
  const step = inner.width / Math.max(1, points.length);
  const plot: Plot = {
    series,
    step,
    x: (index) => MARGIN.left + step * (index + 0.5),
    y: (value) => MARGIN.top + inner.height * (1 - value / top),
  };
  const point = ({ nativeEvent: { offsetX } }: PointerEvent) => {
    const index = Math.floor((offsetX - MARGIN.left) / step);
    setPointed(index >= 0 && index < points.length ? index : null);
  };
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(step, 1)));
  return (
    <div ref={ref} className={classes.chart} style={{ height }}>
      {width > 0 && (
        <svg width={width} height={height} onPointerMove={point} onPointerLeave={() => setPointed(null)}>
          <title>{''}</title>
          <Stripes id={stripesId} />
          {ticks.map((value) => (
            <g key={value}>
              <line
                className={classes.grid}
                x1={MARGIN.left}
                x2={width - MARGIN.right}
                y1={plot.y(value)}
                y2={plot.y(value)}
              />
              <text
                className={classes.tick}
                x={MARGIN.left - 8}
                y={plot.y(value)}
                textAnchor="end"
                dominantBaseline="central"
              >
                {formatTick(value)}
              </text>
            </g>
          ))}
          {pointed !== null && (
            <rect
              className={classes.cursor}
              x={plot.x(pointed) - step / 2}
              y={MARGIN.top}
              width={step}
              height={inner.height}
            />
          )}
          {kind === 'bars' ? <Bars {...plot} stripesId={stripesId} /> : <Lines {...plot} />}
          {points.map(
            ({ tick, title }, index) =>
              index % every === 0 && (
                <text
                  key={title}
                  className={classes.tick}
                  x={plot.x(index)}
                  y={height - 6}
                  textAnchor={anchorOf(index, plot.x(index), width)}
                >
                  {tick}
                </text>
              ),
          )}
        </svg>
      )}
      {pointed !== null && points[pointed] && (
        <div
          className={classes.pointed}
          data-side={pointed > points.length / 2 ? 'left' : 'right'}
          style={{ left: plot.x(pointed) }}
        >
          <TimeTooltip index={pointed} points={points} series={series} format={format} sums={kind === 'bars'} />
        </div>
      )}
    </div>
  );
}

/** The height of the largest stack, or the highest value. */
function highestOf(kind: 'bars' | 'lines', series: readonly Series[], count: number): number {
  const heights = Array.from({ length: count }, (_, index) => {
    const values = series.map(({ values }) => values[index] ?? 0);
    return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  });
  return Math.max(0, ...heights);
}

/** Labels at the edges stay inside the chart. */
function anchorOf(index: number, x: number, width: number): 'start' | 'middle' | 'end' {
  if (index === 0 && x < LABEL_WIDTH) return 'middle';
  return x > width - LABEL_WIDTH / 2 ? 'end' : 'middle';
}
