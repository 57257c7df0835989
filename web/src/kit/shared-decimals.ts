import { formatUsdColumn } from './numbers';

const CENTS = 2;
/** Enough to tell amounts below a dollar apart. */
const BELOW_A_DOLLAR = 4;
/** US dollars. */
const LARGE = 10;
/** The ledger's. */
const MAX = 9;

/** The decimals that let all these US dollars stand in one line or column: as many as the smallest amount needs. */
export function sharedDecimals(amounts: readonly number[], most = MAX): number {
  return Math.min(most, Math.max(CENTS, ...amounts.map(decimalsOf)));
}

/** US dollars side by side, with the same decimals; beside ten dollars or more, fractions of a cent do not matter. */
export function formatUsdTogether(amounts: readonly number[]): string[] {
  const isLarge = amounts.some((usd) => Math.abs(usd) >= LARGE);
  const decimals = isLarge ? CENTS : sharedDecimals(amounts);
  return amounts.map((usd) => formatUsdColumn(usd, decimals));
}

function decimalsOf(usd: number): number {
  const size = Math.abs(usd);
  if (size >= 1 || isWholeCents(size)) return CENTS;
  const significant = 1 - Math.floor(Math.log10(size));
  return Math.max(BELOW_A_DOLLAR, significant);
}

function isWholeCents(usd: number): boolean {
  return Math.abs(usd * 100 - Math.round(usd * 100)) < 1e-8;
}
