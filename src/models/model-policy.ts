import type { Caller } from '../auth/caller.types.js';
import type { Model } from './model.types.js';

/** The one rule behind what is listed and what can be called: the model is served, in the caller's plan, on the key. */
export function mayCall(caller: Caller, model: Model): boolean {
  const served = model.simulated || model.targets.length > 0;
  return served && caller.plan.tiers.has(model.tier) && (caller.models === null || caller.models.has(model.id));
}
