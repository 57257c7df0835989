import { formatCompact, formatNumber } from './numbers';

/** A count in short form; the tooltip has the exact one. */
export function Quantity({ value }: { value: number }) {
  return <span title={formatNumber(value)}>{formatCompact(value)}</span>;
}
