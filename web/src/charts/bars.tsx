import type { Plot } from './time-chart.types';

const WIDEST = 44;
const FILLED = 0.72;

/** A bar for each point, with its series stacked. */
export function Bars({ series, step, x, y }: Plot) {
  const width = Math.max(1, Math.min(WIDEST, step * FILLED));
  const count = series[0]?.values.length ?? 0;
  return Array.from({ length: count }, (_, index) => {
    let below = 0;
    return series.map(({ id, color, values }) => {
      const value = values[index] ?? 0;
      if (value <= 0) return null;
      const top = y(below + value);
      const height = y(below) - top;
      below += value;
      return <rect key={id} x={x(index) - width / 2} y={top} width={width} height={height} fill={color} />;
    });
  });
}
