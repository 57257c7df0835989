import { formatCompact, formatMs, formatNumber, formatUsd } from './numbers';

export type Unit = 'usd' | 'count' | 'ms';

const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
const manyDollars = new Intl.NumberFormat(undefined, { ...dollars, notation: 'compact', maximumSignificantDigits: 3 });
const fewCents = new Intl.NumberFormat(undefined, { ...dollars, maximumSignificantDigits: 3 });

/** A value in full, for tables and tooltips. */
export function formatValue(value: number | null, unit: Unit): string {
  if (value === null) return '–';
  if (unit === 'usd') return formatUsd(value);
  return unit === 'ms' ? formatMs(value) : formatNumber(value);
}

/** The same in short form, for an axis. */
export function formatOnAxis(value: number, unit: Unit): string {
  if (unit === 'usd') return usdOnAxis(value);
  return unit === 'ms' ? formatMs(value) : formatCompact(value);
}

/** $0.015, $1.40, $12.5K: steps of less than a cent stay distinct. */
function usdOnAxis(usd: number): string {
  if (usd >= 1000) return manyDollars.format(usd);
  return usd > 0 && usd < 0.1 ? fewCents.format(usd) : formatUsd(usd);
}
