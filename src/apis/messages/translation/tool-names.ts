import { createHash } from 'node:crypto';
import type { MessagesRequest } from '../request/messages.types.js';

/** Anthropic's names have up to 128 characters, those of most other APIs up to this many. */
const LONGEST = 64;
const HASH_LENGTH = 8;

/** The name under which a tool is offered to a target that needs a translation; the same in every turn. */
export function offeredName(name: string): string {
  if (name.length <= LONGEST) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, LONGEST - HASH_LENGTH - 1)}_${hash}`;
}

/** The client's names of tools that are offered under other names, by those names. */
export function clientNames({ tools }: MessagesRequest): ReadonlyMap<string, string> {
  const long = tools?.filter(({ name }) => typeof name === 'string' && name.length > LONGEST) ?? [];
  return long.length === 0 ? NONE : new Map(long.map(({ name }) => [offeredName(name), name]));
}

const NONE: ReadonlyMap<string, string> = new Map();
