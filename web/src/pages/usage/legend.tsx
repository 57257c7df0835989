import '../../charts/series.css';
import { UnstyledButton } from '@mantine/core';
import classes from './legend.module.css';

export interface LegendItem {
  id: string;
  label: string;
  color: string;
  value: string;
}

interface LegendProps {
  items: readonly LegendItem[];
  /** The ids of the hidden series. */
  hidden: ReadonlySet<string>;
  onSwitch: (id: string) => void;
}

/** The names of a chart's colors; a click hides or shows a series. */
export function Legend({ items, hidden, onSwitch }: LegendProps) {
  return (
    <ul className={classes.legend} aria-label="Series of the chart">
      {items.map(({ id, label, color, value }) => (
        <li key={id}>
          <UnstyledButton
            className={classes.legendItem}
            aria-pressed={!hidden.has(id)}
            title={hidden.has(id) ? `Show ${label}` : `Hide ${label}`}
            onClick={() => onSwitch(id)}
          >
            <Swatch color={color} />
            <span className={classes.legendLabel}>{label}</span>
            <span className={classes.legendValue}>{value}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

/** A sample of a series' style. */
export function Swatch({ color }: { color: string | undefined }) {
  return <span className={classes.swatch} style={{ background: color }} aria-hidden />;
}
