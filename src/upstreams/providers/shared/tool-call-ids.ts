import { createHash } from 'node:crypto';
import type { ProviderCall } from '../../contract/provider.adapter.js';

/** An id for a tool call that was given none: the same for the same place in the same answer. */
export function mintedId(call: ProviderCall, choice: number, index: number): string {
  return `call_${call.id.replace(/^chatcmpl-/, '')}_${choice}_${index}`;
}

/** An id that every API takes, in the place of another; always the same for one id. */
export function hashedId(id: string): string {
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** Makes the function that shortens ids of tool calls that are too long for an API. */
export function shortId(longest: number): (id: string) => string {
  return (id) => (id.length <= longest ? id : hashedId(id));
}

/**
 * The ids of a conversation's tool calls in the form that an API takes, no two the same: other upstreams write them
 * otherwise, or begin to count anew in each answer.
 */
export class ToolCallIds {
  private readonly used = new Set<string>();
  private readonly latest = new Map<string, string>();

  /** `toTaken`: the form of the first, the second… call of the same id. */
  constructor(private readonly toTaken: (id: string, nth: number) => string) {}

  /** The id of a new call; results under the caller's id are from now on results of this one. */
  ofCall(id: string): string {
    let taken = this.toTaken(id, 1);
    for (let nth = 2; this.used.has(taken); nth += 1) taken = this.toTaken(id, nth);
    this.used.add(taken);
    this.latest.set(id, taken);
    return taken;
  }

  ofResult(id: string): string {
    return this.latest.get(id) ?? this.toTaken(id, 1);
  }
}
