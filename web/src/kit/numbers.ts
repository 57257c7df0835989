const exact = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const threeDigits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
const factors = new Intl.NumberFormat(undefined, { maximumFractionDigits: 4 });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
});
const smallDollars = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumSignificantDigits: 4,
});
const exactDollars = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 9,
});

const perMillion = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 4,
});

/** 1,234,567 */
export function formatNumber(value: number): string {
  return exact.format(value);
}

/** 1.25: the ratio of two prices. */
export function formatFactor(factor: number): string {
  return factors.format(factor);
}

const SCALES = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/** 1.23M, 262K; small numbers are exact. The same letters in every language. */
export function formatCompact(value: number): string {
  if (Math.abs(value) < 10_000) return exact.format(value);
  // A value that rounds up to 1,000 of a letter is 1 of the next.
  const [size, letter] = SCALES.find(([scale]) => Math.abs(value) >= scale * 0.9995) ?? [1, ''];
  return threeDigits.format(value / size) + letter;
}

/** 0.034 → 3.4% */
export function formatPercent(ratio: number): string {
  return percent.format(ratio);
}

/** US dollars; below a cent four significant digits. */
export function formatUsd(usd: number): string {
  return usd !== 0 && Math.abs(usd) < 0.01 ? smallDollars.format(usd) : dollars.format(usd);
}

/** US dollars per million tokens. */
export function formatPrice(usdPerMTok: number): string {
  return perMillion.format(usdPerMTok);
}

/** For a column, with the same number of decimals in every row; smaller amounts are shown as "less than". */
export function formatUsdColumn(usd: number, decimals: number): string {
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const least = 10 ** -decimals;
  return usd > 0 && usd < least ? `<${format.format(least)}` : format.format(usd);
}

/** All nine decimals of the ledger. */
export function formatUsdExactly(usd: number): string {
  return exactDollars.format(usd);
}

/** 840 ms, 2.4 s, 1 min 5 s */
export function formatMs(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${exact.format(Math.round(ms / 100) / 10)} s`;
  const seconds = Math.round((ms % 60_000) / 1000);
  return `${Math.floor(ms / 60_000)} min${seconds > 0 ? ` ${seconds} s` : ''}`;
}

/** The relative change of a value; null if it was zero before and is not zero now. */
export function changeOf(now: number | null, before: number | null | undefined): number | null {
  if (now === 0 && before === 0) return 0;
  return now === null || !before ? null : (now - before) / before;
}
