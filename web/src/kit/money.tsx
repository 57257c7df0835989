import { formatUsd, formatUsdColumn, formatUsdExactly } from './numbers';

interface MoneyProps {
  usd: number;
  /** The number of decimals, the same in a whole column. */
  decimals?: number;
}

/** An amount in US dollars; the tooltip has every decimal. */
export function Money({ usd, decimals }: MoneyProps) {
  const text = decimals === undefined ? formatUsd(usd) : formatUsdColumn(usd, decimals);
  return <span title={formatUsdExactly(usd)}>{text}</span>;
}
