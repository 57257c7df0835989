interface SparklineProps {
  values: readonly number[];
  /** Describes the graph. */
  label: string;
  width?: number;
  height?: number;
}

const PADDING = 2;

/** A small graph of a number's course; the numbers themselves are beside it. */
export function Sparkline({ values, label, width = 96, height = 28 }: SparklineProps) {
  if (values.length < 2) return null;
  const points = toPoints(values, width, height);
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <polygon points={`0,${height} ${line} ${width},${height}`} fill="var(--console-accent)" opacity={0.09} />
      <polyline
        points={line}
        fill="none"
        stroke="var(--console-accent)"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}

function toPoints(values: readonly number[], width: number, height: number): [number, number][] {
  const highest = Math.max(...values, 0);
  const lowest = Math.min(...values, 0);
  const span = highest - lowest || 1;
  const usable = height - 2 * PADDING;
  return values.map((value, index) => [
    (index / (values.length - 1)) * width,
    PADDING + usable - ((value - lowest) / span) * usable,
  ]);
}
