import { toNanodollars, toUsd } from '../common/text.js';
import { LIMIT_NAMES, type LimitChange, type LimitSettings, shownName } from '../limits/values/limit-values.js';

/** What a file can name, owners before what belongs to them. */
export const KINDS = ['plan', 'user', 'project', 'member', 'service account', 'key'] as const;
export type Kind = (typeof KINDS)[number];

export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | { readonly [name: string]: string | null };

/** By name, with limits as `limits.requestsPerMinute`; missing ones are not stated. Values compare as JSON. */
export type Fields = Readonly<Record<string, FieldValue | undefined>>;

/** A plan, a user, …, as the file states it or as it is. */
export interface Entity {
  readonly kind: Kind;
  /** The same for the file's entity and the present one. */
  readonly key: string;
  readonly name: string;
  readonly owner: Owner | null;
  /** `key crawler-prod of search/crawler` */
  readonly label: string;
  /** In the file; empty for present ones. */
  readonly path: readonly PropertyKey[];
  /** Of a present one; in the file only if a key names it. Of a member: the user's. */
  readonly id: string | null;
  readonly fields: Fields;
}

export interface Owner {
  readonly kind: Kind;
  readonly key: string;
  readonly label: string;
}

/** Names of projects and service accounts are the same regardless of case. */
export function entity(
  kind: Kind,
  name: string,
  owner: Owner | null,
  fields: Fields,
  { path = [], id = null }: { readonly path?: readonly PropertyKey[]; readonly id?: string | null } = {},
): Entity {
  const folded = kind === 'project' || kind === 'service account' ? name.toLowerCase() : name;
  const label = kind === 'service account' ? `${kind} ${nameOf(owner)}/${name}` : `${kind} ${name}${of(owner)}`;
  // Two keys of one owner can have the same name: then the file names them by their ids.
  const rest = kind === 'key' && path.length > 0 && id !== null ? `#${id}` : folded;
  return { kind, key: JSON.stringify([kind, owner?.key ?? null, rest]), name, owner, label, path, id, fields };
}

/** The owner of a key that is stated below `holder`. */
export function ownerOfKey(holder: Owner, serviceAccount: string | undefined): Owner {
  return serviceAccount === undefined ? holder : entity('service account', serviceAccount.trim(), holder, {});
}

function of(owner: Owner | null): string {
  return owner ? ` of ${nameOf(owner)}` : '';
}

function nameOf(owner: Owner | null): string {
  return owner?.label.slice(owner.kind.length + 1) ?? '';
}

/** As fields: budgets in dollars, as text if a number would not be exact. */
export function shownLimits(limits: LimitSettings | LimitChange): Fields {
  const entries = LIMIT_NAMES.flatMap((name) => {
    const value = limits[name];
    return value === undefined
      ? []
      : [[`limits.${shownName(name)}`, typeof value === 'bigint' ? dollars(value) : value]];
  });
  return Object.fromEntries(entries);
}

function dollars(nanodollars: bigint): number | string {
  const text = toUsd(nanodollars);
  return toNanodollars(String(Number(text))) === nanodollars ? Number(text) : text;
}

/** What the apply does: one line each. */
export interface Change {
  readonly action: 'create' | 'update' | 'remove';
  readonly entity: Entity;
  /** Null for a whole entity. */
  readonly field: string | null;
  readonly before: FieldValue;
  readonly after: FieldValue;
}

const SIGNS = { create: '+', update: '~', remove: '-' } as const;

/** `~ project search limits.budgetMonthUsd 300 → 500` */
export function lineOf({ action, entity: { label }, field, before, after }: Change): string {
  const line = `${SIGNS[action]} ${label}`;
  return field === null ? line : `${line} ${field} ${shown(field, before)} → ${shown(field, after)}`;
}

function shown(field: string, value: FieldValue): string {
  if (field === 'plan' && value !== null && typeof value === 'object') {
    const granted = Object.entries(value).map(([id, until]) => (until === null ? id : `${id} until ${until}`));
    return granted.join(', ') || 'free';
  }
  if (value === null) return 'none';
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
}

/** A new key, whose secret is shown once. */
export interface AppliedKey {
  /** In the file. */
  readonly path: readonly string[];
  readonly id: string;
  readonly display: string;
  readonly key: string;
}
