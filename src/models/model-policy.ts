import type { Plan } from '../billing/plan.types.js';
import type { Model, ModelObstacle, ModelRights } from './model.types.js';

/** The rule behind both the list and calls: the model is served, included in the plan, and allowed by the key. */
export function mayCall({ plan, models }: ModelRights, model: Model): boolean {
  return obstacleTo(plan, model) === null && (models === null || models.has(model.id));
}

export function obstacleTo(plan: Plan, model: Model): ModelObstacle | null {
  if (!plan.tiers.has(model.tier) && !plan.models.has(model.id)) return 'plan';
  return model.simulated || model.targets.length > 0 ? null : 'no_credential';
}
