import './series.css';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { Bars } from './bars';
import { Lines } from './lines';
import type { Series } from './series';
import { roundTicks } from './ticks';
import classes from './time-chart.module.css';
import type { Plot, TimePoint } from './time-chart.types';
import { TimeTooltip } from './time-tooltip';

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
          {kind === 'bars' ? <Bars {...plot} /> : <Lines {...plot} />}
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
