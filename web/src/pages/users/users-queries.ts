import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type UserView = components['schemas']['UserView'];
export type PasswordLinkView = components['schemas']['PasswordLinkView'];
export type CreatedUserView = components['schemas']['CreatedUserView'];
export type UserChanges = components['schemas']['UpdateUserDto'];
export type UserLimitsChange = components['schemas']['UserLimitsDto'];
export type NewUser = components['schemas']['CreateUserDto'];

export function useCreateUser() {
  return useUserMutation((body: NewUser) => unwrap(api.POST('/api/users', { body })));
}

export function useUpdateUser() {
  return useUserMutation(({ id, ...body }: UserChanges & { id: string }) =>
    unwrap(api.PATCH('/api/users/{id}', { params: { path: { id } }, body })),
  );
}

export function useCreateLink() {
  return useUserMutation((id: string) => unwrap(api.POST('/api/users/{id}/link', { params: { path: { id } } })));
}

export function useSetLimits() {
  return useUserMutation(({ id, ...body }: UserLimitsChange & { id: string }) =>
    unwrap(api.PATCH('/api/users/{id}/limits', { params: { path: { id } }, body })),
  );
}

/** A change to a user, after which all queries with users are loaded again. */
function useUserMutation<V, D>(change: (variables: V) => Promise<D>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // The result may contain a secret, which is kept in memory only while the page shows it.
    gcTime: 0,
    onSettled: () =>
      Promise.all(
        [['users'], ['limits'], ['plans'], ['models'], ['session'], ['audit']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
