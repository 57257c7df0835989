import type { ListPlace, SortBy } from '../database/lists/list-place.js';
import type { ApiKey } from './api-key.types.js';

export const KEY_STATUS_FILTERS = ['all', 'current', 'active', 'expiring', 'expired', 'disabled', 'revoked'] as const;
export type KeyStatusFilter = (typeof KEY_STATUS_FILTERS)[number];

export const KEY_SORTS = ['name', 'key', 'owner', 'status', 'models', 'spent', 'used', 'created', 'expires'] as const;
export type KeySort = (typeof KEY_SORTS)[number];

/** Which keys; what is null does not narrow. */
export interface KeyFilter {
  readonly ownerId: string | null;
  readonly ids: readonly string[] | null;
  /** `current`: all but revoked; `active` ones include those that expire soon, `disabled` ones those of disabled owners. */
  readonly status: KeyStatusFilter;
  /** Words that name, display form, note or owner have. */
  readonly text: string;
}

export interface KeyOrder {
  readonly sort: KeySort;
  readonly descending: boolean;
}

/** A key with its place in a list. */
export interface ListedKey {
  readonly key: ApiKey;
  readonly place: ListPlace;
}

/** A key with the e-mail address of its owner. */
export interface KeyOfOwner {
  readonly key: ApiKey;
  readonly email: string;
}

export type KeySorts = Readonly<Record<KeySort, SortBy>>;
