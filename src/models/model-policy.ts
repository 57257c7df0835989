import type { Plan } from '../billing/plan.types.js';
import type { Model, ModelObstacle, ModelRights } from './model.types.js';

/** The one rule behind what is listed and what can be called: the model is served, in the caller's plan, on the key. */
export function mayCall({ plan, models }: ModelRights, model: Model): boolean {
  return obstacleTo(plan, model) === null && (models === null || models.has(model.id));
}

/** What keeps people on a plan from calling a model; null when nothing does. */
export function obstacleTo(plan: Plan, model: Model): ModelObstacle | null {
  if (!plan.tiers.has(model.tier) && !plan.models.has(model.id)) return 'plan';
  return model.simulated || model.targets.length > 0 ? null : 'no_credential';
}
