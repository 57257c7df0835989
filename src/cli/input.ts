import { text } from 'node:stream/consumers';
import { toInstant } from '../common/text.js';
import { UsageError } from '../common/usage.error.js';
import { processSettings, type Settings } from '../config/settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';

/** The first line of standard input, so that a password is not in the process list. */
export async function readPassword(): Promise<string> {
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/);
  return line;
}

/** An ISO 8601 date or time, for example `2027-01-31` or `2027-01-31T12:00:00Z`; in UTC by default. */
export function toDate(value: string): Date {
  const date = toInstant(value);
  if (date) return date;
  throw new UsageError(`'${value}' is not an ISO 8601 date such as 2027-01-31 or 2027-01-31T12:00:00Z.`);
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

/** The settings for commands that read them directly. */
export function cliSettings(): Settings {
  return processSettings(PROVIDERS);
}
