import { createHash } from 'node:crypto';
import type { ProviderCall } from '../../contract/provider.adapter.js';

/** A deterministic id for a tool call without one. */
export function mintedId(call: ProviderCall, choice: number, index: number): string {
  return `call_${call.id.replace(/^chatcmpl-/, '')}_${choice}_${index}`;
}

/** A deterministic id that every API accepts. */
export function hashedId(id: string): string {
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** Returns the function that shortens long tool call ids. */
export function shortId(longest: number): (id: string) => string {
  return (id) => (id.length <= longest ? id : hashedId(id));
}

/** Unique tool call ids in an API's format, as other upstreams have other formats or repeat ids in each answer. */
export class ToolCallIds {
  private readonly used = new Set<string>();
  private readonly latest = new Map<string, string>();

  /** `toValid`: converts the nth call with an id. */
  constructor(private readonly toValid: (id: string, nth: number) => string) {}

  /** The id of a new call. Later results with the caller's id belong to it. */
  ofCall(id: string): string {
    let unique = this.toValid(id, 1);
    for (let nth = 2; this.used.has(unique); nth += 1) unique = this.toValid(id, nth);
    this.used.add(unique);
    this.latest.set(id, unique);
    return unique;
  }

  ofResult(id: string): string {
    return this.latest.get(id) ?? this.toValid(id, 1);
  }
}
