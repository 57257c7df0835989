import { UsageError } from '../../common/usage.error.js';
import type { CallPosition } from './usage-call.types.js';

/** A position as a cursor holds it: what Postgres writes for `started_at`, and the id. */
const POSITION =
  /^([1-9]\d{3}-\d\d-\d\d) (\d\d:\d\d:\d\d)((?:\.\d{1,6})?[+-](?:0\d|1[0-5])(?::[0-5]\d){0,2})\|([\w-]+)$/;

/** The `cursor` of what lies behind this one. */
export function cursorOf({ position, id }: { position: string; id: string }): string {
  return Buffer.from(`${position}|${id}`).toString('base64url');
}

export function positionOf(cursor: string): CallPosition {
  const [, date = '', time = '', rest = '', id = ''] = POSITION.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (isInstant(date, time)) return [`${date} ${time}${rest}`, id];
  throw new UsageError('This page does not exist.', 'cursor');
}

/** Postgres refuses a 30 February, which `Date` takes for 2 March. */
function isInstant(date: string, time: string): boolean {
  const instant = new Date(`${date}T${time}Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${date}T${time}`);
}
