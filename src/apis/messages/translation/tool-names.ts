import { createHash } from 'node:crypto';
import type { MessagesRequest } from '../request/messages.types.js';

/** Most other APIs accept names of up to this many characters; Anthropic's have up to 128. */
const LONGEST = 64;
const HASH_LENGTH = 8;

/** The name of a tool for translated targets; the same in every turn of a conversation. */
export function offeredName(name: string): string {
  if (name.length <= LONGEST) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, LONGEST - HASH_LENGTH - 1)}_${hash}`;
}

/** Offered name → the client's name, for tools whose names differ. */
export function clientNames({ tools }: MessagesRequest): ReadonlyMap<string, string> {
  const long = tools?.filter(({ name }) => typeof name === 'string' && name.length > LONGEST) ?? [];
  return long.length === 0 ? NONE : new Map(long.map(({ name }) => [offeredName(name), name]));
}

const NONE: ReadonlyMap<string, string> = new Map();
