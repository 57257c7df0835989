import { useQuery } from '@tanstack/react-query';
import { modelsQuery, plansQuery, userQuery } from '../../api/lists';
import { useSession } from '../../api/session';

/** The ids of the models that the owner of a key can use: the person's own, or those of another user's plan. */
export function useOwnerModels(ownerId: string) {
  const { user } = useSession();
  const isForeign = ownerId !== user.id;
  const models = useQuery(modelsQuery);
  const owner = useQuery({ ...userQuery(ownerId), enabled: isForeign });
  const plans = useQuery({ ...plansQuery, enabled: isForeign });
  const used = isForeign ? [models, owner, plans] : [models];
  const planId = owner.data?.plan.id;
  const plan = plans.data?.plans.find(({ id }) => id === planId);
  const callable = models.data?.filter((model) =>
    isForeign
      ? model.reason !== 'no_credential' && (plan?.tiers.includes(model.tier) || plan?.namedModels.includes(model.id))
      : model.callable,
  );
  return {
    ids: callable?.map(({ id }) => id) ?? [],
    isPending: used.some((query) => query.isPending),
    error: used.find((query) => query.error)?.error ?? null,
  };
}
