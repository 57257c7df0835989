import type { Fault } from './fault.js';

const foreign = new WeakMap<object, Fault>();

/** Records the first value that is not in OpenAI's format but that another provider may support. */
export function noteForeignValue(request: object, fault: Fault): void {
  if (!foreign.has(request)) foreign.set(request, fault);
}

/** The fault for upstreams that only support OpenAI's values. */
export function foreignValueIn(request: object): Fault | null {
  return foreign.get(request) ?? null;
}
