/** The ledger's partition for the month (UTC) of `date`. */
export function partitionOf(date: Date): string {
  return `usage_calls_${date.toISOString().slice(0, 7).replace('-', '_')}`;
}

/** The start (UTC) of the month `months` after that of `date`. */
export function monthAfter(date: Date, months: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}
