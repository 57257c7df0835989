import { UsageError } from '../common/usage.error.js';
import { DEFAULT_PLAN, type PlanEntity } from './plan.entity.js';

const ID = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const MAX_NAME_LENGTH = 40;
const CONTROL_CHARACTER = /\p{Cc}/u;
const MAX_RANK = 1_000_000;

/** Rules for a plan's fields; each throws a `UsageError` that names the field. */
export const planRules = {
  id(id: string): void {
    if (ID.test(id)) return;
    throw new UsageError("A plan's id must have 1 to 40 characters: a-z, 0-9, - and _, such as 'team-a'.", 'id');
  },

  name(wish: string): string {
    const name = wish.trim();
    if (name !== '' && name.length <= MAX_NAME_LENGTH && !CONTROL_CHARACTER.test(name)) return name;
    throw new UsageError(`A plan's name must have 1 to ${MAX_NAME_LENGTH} characters on one line.`, 'name');
  },

  contents({ tiers, models }: Pick<PlanEntity, 'tiers' | 'models'>): void {
    if (tiers.length + models.length > 0) return;
    throw new UsageError('A plan must include at least one tier or model.', 'tiers');
  },

  rank({ id, rank }: Pick<PlanEntity, 'id' | 'rank'>, plans: readonly PlanEntity[]): void {
    if (id === DEFAULT_PLAN) throw new UsageError('The default plan always ranks below all others.', 'rank');
    if (!Number.isInteger(rank) || rank < 1 || rank > MAX_RANK) {
      throw new UsageError(`A plan's rank must be a whole number from 1 to ${MAX_RANK}.`, 'rank');
    }
    const other = plans.find((plan) => plan.id !== id && plan.rank === rank);
    if (other) throw new UsageError(`The plan '${other.id}' already has the rank ${rank}.`, 'rank');
  },
};
