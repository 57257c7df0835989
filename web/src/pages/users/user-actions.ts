import { api, unwrap } from '../../api/client';
import type { UserLimits } from '../../api/lists';
import { queryClient } from '../../api/query-client';
import type { components } from '../../api/schema';
import { LIMIT_NAMES, type LimitName, type LimitTexts, NO_LIMIT, toText } from '../../kit/limits';

export type UserView = components['schemas']['UserView'];
export type PasswordLinkView = components['schemas']['PasswordLinkView'];
export type CreatedUserView = components['schemas']['CreatedUserView'];
export type UserChanges = components['schemas']['UpdateUserDto'];
export type UserLimitsChange = components['schemas']['UserLimitsDto'];
export type NewUser = components['schemas']['CreateUserDto'];

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

/** After a change to a user, all queries with users are loaded again. */
async function changed<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } finally {
    await Promise.all(CHANGED.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
  }
}

/** A user's own values as typed; empty is the plan's value. A plan has no total budget: there empty is no limit. */
export function toOwnLimitTexts(own: UserLimits['own']): LimitTexts {
  const texts = LIMIT_NAMES.map((name) => [name, textOf(name, own[name])]);
  return Object.fromEntries(texts);
}

/** The changed values to send. */
export function toOwnLimitInput(texts: LimitTexts, own: UserLimits['own']) {
  const before = toOwnLimitTexts(own);
  const changed = LIMIT_NAMES.filter((name) => texts[name].trim() !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, inputOf(name, texts[name].trim())]));
}

function textOf(name: LimitName, value: UserLimits['own'][LimitName]): string {
  if (typeof value === 'number') return toText(value);
  return value === 'plan' || name === 'budgetTotalUsd' ? '' : NO_LIMIT;
}

function inputOf(name: LimitName, text: string): string | null {
  if (text === NO_LIMIT) return null;
  if (text === '') return name === 'budgetTotalUsd' ? null : 'plan';
  return text;
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
