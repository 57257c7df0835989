import { text } from 'node:stream/consumers';
import { UsageError } from '../common/usage.error.js';

/** The first line of standard input, which is how a password comes without standing in the process list. */
export async function readPassword(): Promise<string> {
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/);
  return line;
}

/** An ISO 8601 date or instant, for example `2027-01-31` or `2027-01-31T12:00:00Z`. */
export function toDate(value: string): Date {
  const date = new Date(value);
  if (!/^\d{4}-\d{2}-\d{2}([T ].+)?$/.test(value) || Number.isNaN(date.getTime())) {
    throw new UsageError(`'${value}' is no ISO 8601 date such as 2027-01-31 or 2027-01-31T12:00:00Z.`);
  }
  return date;
}

/** `a,b,c` → its parts. */
export function toList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
