import { formatUsd, formatUsdExactly } from './numbers';

/** An amount in US dollars; the tooltip has every decimal. */
export function Money({ usd }: { usd: number }) {
  return <span title={formatUsdExactly(usd)}>{formatUsd(usd)}</span>;
}
