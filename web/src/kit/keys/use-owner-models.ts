import { useQuery } from '@tanstack/react-query';
import { modelsQuery, plansQuery, userQuery } from '../../api/lists';
import { projectModelsQuery } from '../../api/projects';
import { useSession } from '../../api/session';
import type { KeyOwner } from './key-owner';

interface OwnerModels {
  ids: string[];
  isPending: boolean;
  error: Error | null;
}

/** The ids of the models that the owner of a key can use. */
export function useOwnerModels({ userId, projectId }: KeyOwner): OwnerModels {
  const { data, isPending, error } = useQuery({ ...projectModelsQuery(projectId ?? ''), enabled: projectId !== null });
  const ofUser = useUserModels(userId, projectId === null);
  if (projectId === null) return ofUser;
  const ids = data?.filter(({ callable }) => callable).map(({ id }) => id) ?? [];
  return { ids, isPending, error };
}

/** The person's own, or those of another user's plan. */
function useUserModels(ownerId: string, isWanted: boolean): OwnerModels {
  const { user } = useSession();
  const isOther = isWanted && ownerId !== user.id;
  const models = useQuery(modelsQuery);
  const owner = useQuery({ ...userQuery(ownerId), enabled: isOther });
  const plans = useQuery({ ...plansQuery, enabled: isOther });
  const used = isOther ? [models, owner, plans] : [models];
  const planId = owner.data?.plan.id;
  const plan = plans.data?.plans.find(({ id }) => id === planId);
  const callable = models.data?.filter((model) =>
    isOther
      ? model.reason !== 'no_credential' && (plan?.tiers.includes(model.tier) || plan?.namedModels.includes(model.id))
      : model.callable,
  );
  return {
    ids: callable?.map(({ id }) => id) ?? [],
    isPending: used.some((query) => query.isPending),
    error: used.find((query) => query.error)?.error ?? null,
  };
}
