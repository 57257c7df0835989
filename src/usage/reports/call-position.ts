import { UsageError } from '../../common/usage.error.js';
import type { CallPosition } from './usage-call.types.js';

/** A decoded cursor: `started_at` as written by Postgres, and the id. */
const POSITION =
  /^([1-9]\d{3}-\d\d-\d\d) (\d\d:\d\d:\d\d)((?:\.\d{1,6})?[+-](?:0\d|1[0-5])(?::[0-5]\d){0,2})\|([\w-]+)$/;

export function cursorOf({ position, id }: { position: string; id: string }): string {
  return Buffer.from(`${position}|${id}`).toString('base64url');
}

export function positionOf(cursor: string): CallPosition {
  const [, date = '', time = '', rest = '', id = ''] = POSITION.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (isInstant(date, time)) return [`${date} ${time}${rest}`, id];
  throw new UsageError('This page does not exist.', 'cursor');
}

/** Postgres rejects 30 February, which `Date` reads as 2 March. */
function isInstant(date: string, time: string): boolean {
  const instant = new Date(`${date}T${time}Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${date}T${time}`);
}
