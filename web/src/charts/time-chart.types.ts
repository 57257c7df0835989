import type { Series } from './series';

export interface TimePoint {
  /** Short, for the axis. */
  tick: string;
  /** In full, for the tooltip. */
  title: string;
}

/** Where the points and values lie, in pixels. */
export interface Plot {
  series: readonly Series[];
  /** The width that a point has. */
  step: number;
  /** The middle of a point. */
  x: (index: number) => number;
  y: (value: number) => number;
}
