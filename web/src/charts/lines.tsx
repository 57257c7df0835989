import { Fragment } from 'react';
import type { Series } from './series';
import type { Plot } from './time-chart.types';

/** With more points than this, their dots would merge. */
const MAX_DOTTED = 62;

/** A line for each series, with gaps where it has no value. */
export function Lines({ series, x, y }: Plot) {
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
