import { createHash } from 'node:crypto';

const TAKEN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The ids of a conversation's tool calls as the API takes them: short, of letters, digits, `_` and `-`, and no two the
 * same, since other upstreams write them otherwise or count anew in each answer.
 */
export class ToolUseIds {
  private readonly used = new Set<string>();
  private readonly current = new Map<string, string>();

  /** For a new call; a result under the caller's id is this call's from now on. */
  ofCall(id: string): string {
    let taken = takenId(id);
    for (let number = 2; this.used.has(taken); number += 1) taken = takenId(`${id} ${number}`);
    this.used.add(taken);
    this.current.set(id, taken);
    return taken;
  }

  ofResult(id: string): string {
    return this.current.get(id) ?? takenId(id);
  }
}

/** The name of a tool as the API takes it: in a history, a model may have called what is no name. */
export function toolUseName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool';
}

/** The id, or a hash of it: always the same for one id. */
function takenId(id: string): string {
  return TAKEN.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
