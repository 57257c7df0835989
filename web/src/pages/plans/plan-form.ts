import { useForm } from '@mantine/form';
import { type LimitTexts, NO_LIMIT_TEXTS, toLimitInput, toLimitTexts, validateLimits } from '../../kit/limits';
import type { NewPlan, PlanChange, PlanView } from './plans-api';

/** The values of the plan form. */
export interface PlanFormValues {
  id: string;
  name: string;
  tiers: string[];
  namedModels: string[];
  /** Empty: above all other plans. */
  rank: string;
  limits: LimitTexts;
}

/** `plan`: null for a new one. */
export function usePlanForm(plan: PlanView | null) {
  return useForm<PlanFormValues>({
    initialValues: toValues(plan),
    validate: {
      id: (id) => (plan || /^[a-z0-9][a-z0-9_-]{0,39}$/.test(id) ? null : 'Use a-z, 0-9, - and _, such as team-a'),
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      tiers: (tiers, { namedModels }) =>
        tiers.length + namedModels.length === 0 ? 'Choose at least one tier or model' : null,
      rank: (rank) => (rank === '' || /^\d{1,7}$/.test(rank) ? null : 'Enter a whole number'),
      limits: validateLimits,
    },
  });
}

export type PlanForm = ReturnType<typeof usePlanForm>;

function toValues(plan: PlanView | null): PlanFormValues {
  if (!plan) return { id: '', name: '', tiers: [], namedModels: [], rank: '', limits: NO_LIMIT_TEXTS };
  const { id, name, tiers, namedModels, rank, limits } = plan;
  return { id, name, tiers, namedModels, rank: String(rank), limits: limits ? toLimitTexts(limits) : NO_LIMIT_TEXTS };
}

/** The request for a new plan. */
export function toNewPlan({ id, rank, limits, ...values }: PlanFormValues): NewPlan {
  return { ...values, id, limits: toLimitInput(limits), ...(rank !== '' && { rank: Number(rank) }) };
}

/** The request for an existing plan: the changed values. */
export function toPlanChange(values: PlanFormValues, plan: PlanView): PlanChange {
  const before = toValues(plan);
  const { name, tiers, namedModels, rank } = values;
  return {
    ...{ name, tiers, namedModels, limits: toLimitInput(values.limits, before.limits) },
    ...(rank !== '' && rank !== before.rank && { rank: Number(rank) }),
  };
}
