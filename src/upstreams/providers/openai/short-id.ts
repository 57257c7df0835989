import { createHash } from 'node:crypto';

/** Makes the function that shortens ids of tool calls that are too long for an API; always the same for one id. */
export function shortId(longest: number): (id: string) => string {
  return (id) => (id.length <= longest ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`);
}
