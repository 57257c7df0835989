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

/** "," in German; numbers are shown with it, so it is also accepted. */
const DECIMAL_MARK = exact.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** A typed number as the gateway takes it: "1,50" → "1.50" where that is how numbers are written. */
export function fromLocal(typed: string, mark = DECIMAL_MARK): string {
  return mark === '.' || !/^\d+\D\d+$/.test(typed) ? typed : typed.replace(mark, '.');
}

/** A plain number for a text field, with the decimal mark of the other numbers. */
export function toLocal(plain: string, mark = DECIMAL_MARK): string {
  return plain.replace('.', mark);
}

/** "1 request", "12 requests"; words with another plural give it. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
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

const columnFormats = new Map<number, Intl.NumberFormat>();

/** Making a formatter takes much longer than formatting; a long list would make thousands. */
function columnFormat(decimals: number): Intl.NumberFormat {
  const known = columnFormats.get(decimals);
  if (known) return known;
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  columnFormats.set(decimals, format);
  return format;
}

/** For a column, with the same number of decimals in every row; smaller amounts are shown as "less than". */
export function formatUsdColumn(usd: number, decimals: number): string {
  const format = columnFormat(decimals);
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

export type Unit = 'usd' | 'count' | 'ms';

const compactUsd = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
const manyDollars = new Intl.NumberFormat(undefined, {
  ...compactUsd,
  notation: 'compact',
  maximumSignificantDigits: 3,
});
const fewCents = new Intl.NumberFormat(undefined, { ...compactUsd, maximumSignificantDigits: 3 });

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

/** Failed requests out of those that failed or succeeded; null if there is none. */
export function errorRateOf({ succeeded, errors }: { succeeded: number; errors: number }): number | null {
  const ended = succeeded + errors;
  return ended > 0 ? errors / ended : null;
}
