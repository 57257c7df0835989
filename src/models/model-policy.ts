import type { Plan } from '../billing/plan.types.js';
import type { Model, ModelObstacle, ModelRights } from './model.types.js';

/**
 * The rule for both the list and calls: the model is served, included in the plan, and allowed by the key. Plans and
 * keys name a model by its id or an alias.
 */
export function mayCall({ plan, models }: ModelRights, model: Model): boolean {
  return obstacleTo(plan, model) === null && (models === null || isNamed(model, models));
}

export function obstacleTo(plan: Plan, model: Model): ModelObstacle | null {
  if (!plan.tiers.has(model.tier) && !isNamed(model, plan.models)) return 'plan';
  return model.simulated || model.targets.length > 0 ? null : 'no_credential';
}

function isNamed({ id, aliases }: Model, names: ReadonlySet<string>): boolean {
  return names.has(id) || aliases.some((alias) => names.has(alias));
}
