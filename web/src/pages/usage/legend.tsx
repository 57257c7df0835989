import '../../charts/series.css';
import { UnstyledButton } from '@mantine/core';
import { REST } from './to-series';
import classes from './usage.module.css';

export interface LegendItem {
  id: string;
  label: string;
  color: string;
  value: string;
}

interface LegendProps {
  items: readonly LegendItem[];
  /** The ids that the report is filtered by. */
  chosen: readonly string[];
  /** Missing where one cannot filter by these groups. */
  onChoose?: (id: string) => void;
}

/** The names of a chart's colors; a click shows one of them alone, another one all again. */
export function Legend({ items, chosen, onChoose }: LegendProps) {
  return (
    <ul className={classes.legend} aria-label="Groups of the chart">
      {items.map((item) => (
        <li key={item.id}>
          {onChoose && item.id !== REST ? (
            <UnstyledButton
              className={classes.legendItem}
              aria-pressed={chosen.includes(item.id)}
              title={chosen.includes(item.id) ? 'Show all again' : `Show only ${item.label}`}
              onClick={() => onChoose(item.id)}
            >
              <ItemText {...item} />
            </UnstyledButton>
          ) : (
            <span className={classes.legendItem}>
              <ItemText {...item} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function ItemText({ label, color, value }: LegendItem) {
  return (
    <>
      <span className={classes.swatch} style={{ background: color }} aria-hidden />
      <span className={classes.legendLabel}>{label}</span>
      <span className={classes.legendValue}>{value}</span>
    </>
  );
}
