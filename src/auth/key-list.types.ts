import type { ListPlace, SortBy } from '../database/lists/list-place.js';
import type { ApiKey } from './api-key.types.js';

export const KEY_STATUS_FILTERS = ['all', 'current', 'active', 'expiring', 'expired', 'disabled', 'revoked'] as const;
export type KeyStatusFilter = (typeof KEY_STATUS_FILTERS)[number];

export const KEY_SORTS = ['name', 'key', 'owner', 'status', 'models', 'spent', 'used', 'created', 'expires'] as const;
export type KeySort = (typeof KEY_SORTS)[number];

/** Null fields do not filter. */
export interface KeyFilter {
  readonly ownerId: string | null;
  /** Keys of the project and its service accounts. */
  readonly projectId: string | null;
  readonly ids: readonly string[] | null;
  /** `current`: all but revoked; `active` includes keys that expire soon, `disabled` those of disabled owners. */
  readonly status: KeyStatusFilter;
  readonly text: string;
}

export interface KeyOrder {
  readonly sort: KeySort;
  readonly descending: boolean;
}

export interface ListedKey {
  readonly key: ApiKey;
  readonly place: ListPlace;
}

export interface KeyOfOwner {
  readonly key: ApiKey;
  /** The owner's e-mail address, or name if there is none. */
  readonly owner: string;
  readonly project: string | null;
}

export type KeySorts = Readonly<Record<KeySort, SortBy>>;
