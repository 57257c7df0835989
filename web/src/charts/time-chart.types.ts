import type { Series } from './series';

export interface TimePoint {
  /** Short, for the axis. */
  tick: string;
  /** In full, for the tooltip. */
  title: string;
}

/** Positions of points and values, in pixels. */
export interface Plot {
  series: readonly Series[];
  /** The width of a point. */
  step: number;
  /** The middle of a point. */
  x: (index: number) => number;
  y: (value: number) => number;
}
