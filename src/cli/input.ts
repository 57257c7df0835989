import { text } from 'node:stream/consumers';
import { UsageError } from '../common/usage.error.js';
import { cliSettings } from './cli-settings.js';

/** The first line of standard input, so that a password is not in the process list. */
export async function readPassword(): Promise<string> {
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/);
  return line;
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** An ISO 8601 date or time, for example `2027-01-31` or `2027-01-31T12:00:00Z`; in UTC by default. */
export function toDate(value: string): Date {
  const [, day = '', time = '00:00', zone = 'Z'] = ISO_DATE.exec(value) ?? [];
  const date = new Date(`${day}T${time}${zone}`);
  if (Number.isNaN(date.getTime()) || !isDayOfCalendar(day)) {
    throw new UsageError(`'${value}' is not an ISO 8601 date such as 2027-01-31 or 2027-01-31T12:00:00Z.`);
  }
  return date;
}

/** `Date` reads 30 February as 2 March. */
function isDayOfCalendar(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}

/** `a,b,c` → its parts, at least one. */
export function toList(value: string): string[] {
  const parts = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) throw new UsageError('A list needs at least one entry.');
  return parts;
}

/** The same for models of the catalog. */
export function toModels(value: string): string[] {
  return knownOf(value, 'id', 'The catalog has no model');
}

/** The same for tiers of the catalog. */
export function toTiers(value: string): string[] {
  return knownOf(value, 'tier', 'No model of the catalog has the tier');
}

function knownOf(value: string, field: 'id' | 'tier', complaint: string): string[] {
  const names = toList(value);
  const known = new Set<string>(cliSettings().models.map((model) => model[field]));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new UsageError(`${complaint} ${unknown.join(', ')}.`);
  return names;
}
