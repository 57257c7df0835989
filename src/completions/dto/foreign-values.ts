import type { Fault } from './fault.js';

const foreign = new WeakMap<object, Fault>();

/** Notes the first value of a request that OpenAI's format does not have and another provider's may. */
export function noteForeignValue(request: object, fault: Fault): void {
  if (!foreign.has(request)) foreign.set(request, fault);
}

/** What such a value is to an upstream that takes the format's alone. */
export function foreignValueIn(request: object): Fault | null {
  return foreign.get(request) ?? null;
}
