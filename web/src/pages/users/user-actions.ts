import { api, unwrap } from '../../api/client';
import { queryClient } from '../../api/query-client';
import type { components } from '../../api/schema';

export type UserView = components['schemas']['UserView'];
export type PasswordLinkView = components['schemas']['PasswordLinkView'];
export type CreatedUserView = components['schemas']['CreatedUserView'];
export type UserChanges = components['schemas']['UpdateUserDto'];
export type UserLimitsChange = components['schemas']['UserLimitsDto'];
export type NewUser = components['schemas']['CreateUserDto'];

export type NewPerson = components['schemas']['InvitedUserDto'];
export type UserFault = components['schemas']['UserFaultView'];

/** Many people at once: all of them, or none. */
export async function inviteAll(users: NewPerson[]): Promise<CreatedUserView[]> {
  return (await changed(unwrap(api.POST('/api/users/batch', { body: { users } })))).users;
}

/** What would prevent their creation, with names such as `users[3].email`. */
export async function faultsOf(users: NewPerson[]): Promise<UserFault[]> {
  return (await unwrap(api.POST('/api/users/batch', { body: { users, dryRun: true } }))).faults;
}

export function createUser(body: NewUser): Promise<CreatedUserView> {
  return changed(unwrap(api.POST('/api/users', { body })));
}

export function updateUser(id: string, body: UserChanges): Promise<unknown> {
  return changed(unwrap(api.PATCH('/api/users/{id}', { params: { path: { id } }, body })));
}

export function forgetUser(id: string): Promise<UserView> {
  return changed(unwrap(api.POST('/api/users/{id}/forget', { params: { path: { id } } })));
}

export function createLink(id: string): Promise<PasswordLinkView> {
  return changed(unwrap(api.POST('/api/users/{id}/link', { params: { path: { id } } })));
}

export function setLimits(id: string, body: UserLimitsChange): Promise<unknown> {
  return changed(unwrap(api.PATCH('/api/users/{id}/limits', { params: { path: { id } }, body })));
}

const CHANGED = ['users', 'limits', 'plans', 'models', 'session', 'audit'];

/** After a change to users, all queries with users are loaded again. */
export async function changed<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } finally {
    await Promise.all(CHANGED.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
  }
}

export type UserActionKind = 'rename' | 'role' | 'plan' | 'limits' | 'link' | 'disable' | 'enable' | 'forget';

export interface UserAction {
  kind: UserActionKind;
  user: UserView;
}

interface OfferedAction {
  kind: UserActionKind;
  label: string;
  isDangerous?: boolean;
}

/** The actions for a user in its current state. */
export function userActions({ status, kind, role, source }: UserView): OfferedAction[] {
  if (status === 'forgotten') return [];
  const isPerson = kind === 'person';
  return [
    { kind: 'rename', label: 'Name and e-mail…' },
    { kind: 'plan', label: 'Change plan…' },
    { kind: 'limits', label: 'Limits…' },
    ...(isPerson ? [{ kind: 'role', label: role === 'admin' ? 'Make a member…' : 'Make an admin…' } as const] : []),
    ...(isPerson && source === 'local' && status !== 'disabled'
      ? [{ kind: 'link', label: 'Create password link…' } as const]
      : []),
    status === 'disabled'
      ? { kind: 'enable', label: 'Enable' }
      : { kind: 'disable', label: 'Disable…', isDangerous: true },
    { kind: 'forget', label: 'Forget…', isDangerous: true },
  ];
}
