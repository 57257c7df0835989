import ArrowDownRight from 'icon:arrow-down-right';
import ArrowUpRight from 'icon:arrow-up-right';
import classes from './delta.module.css';
import { formatPercent } from './numbers';

interface DeltaProps {
  /** Change against the previous period: 0.12 is 12% more. */
  delta: number;
  /** Whether more is good, bad or neutral. */
  more?: 'good' | 'bad' | 'neutral';
}

/** How much a number has changed, and whether that is good. */
export function Delta({ delta: exact, more = 'neutral' }: DeltaProps) {
  // Rounded as it is shown, so that 0% counts as no change.
  const delta = Math.round(exact * 1000) / 1000 || 0;
  if (delta === 0) return <span className={classes.delta}>no change</span>;
  const Icon = delta > 0 ? ArrowUpRight : ArrowDownRight;
  const isGood = more === 'good' ? delta > 0 : delta < 0;
  return (
    <span className={classes.delta} data-tone={more === 'neutral' ? 'neutral' : isGood ? 'good' : 'bad'}>
      <Icon size={14} aria-hidden="true" />
      {delta > 0 && '+'}
      {formatPercent(delta)}
    </span>
  );
}
