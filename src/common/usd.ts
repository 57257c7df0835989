const AMOUNT = /^(\d{1,12})(?:\.(\d{1,9}))?$/;
const NANODOLLARS = 1_000_000_000n;

export function toNanodollars(usd: string): bigint | null {
  const [, whole, fraction = ''] = AMOUNT.exec(usd) ?? [];
  return whole === undefined ? null : BigInt(whole) * NANODOLLARS + BigInt(fraction.padEnd(9, '0'));
}

/** Dollars in their shortest form: `20`, `0.5`. */
export function toUsd(nanodollars: bigint): string {
  const fraction = String(nanodollars % NANODOLLARS)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanodollars / NANODOLLARS}${fraction && `.${fraction}`}`;
}
