import { LONGEST_NAME, shortName } from '../../shared/short-name.js';
import type { MessagesRequest } from '../request/messages.types.js';

/** The name of a tool for translated targets; the same in every turn. Anthropic's names have up to 128 characters. */
export function offeredName(name: string): string {
  return name.length <= LONGEST_NAME ? name : shortName(name);
}

/** Offered name → the client's name, for tools whose names differ. */
export function clientNames({ tools }: MessagesRequest): ReadonlyMap<string, string> {
  const long = tools?.filter(({ name }) => typeof name === 'string' && name.length > LONGEST_NAME) ?? [];
  return new Map(long.map(({ name }) => [offeredName(name), name]));
}
