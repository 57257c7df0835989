import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import type { Actor } from '../audit/audit.types.js';
import { AddressList } from '../common/address-list.js';
import { UsageError } from '../common/usage.error.js';
import { ApiKeyEntity } from './api-key.entity.js';

const MAX_NAME_LENGTH = 100;
const MAX_NOTE_LENGTH = 500;
const CONTROL_CHARACTER = /\p{Cc}/u;
const WHOLE_SECRET = /(svc|gat)_\w{20}/;

/** Checks for the fields of a key or token; each returns the value to store, or throws a `UsageError` that names it. */
const rulesFor = (noun: 'key' | 'token') => ({
  name(input: string): string {
    const name = input.trim();
    if (name === '' || name.length > MAX_NAME_LENGTH || CONTROL_CHARACTER.test(name)) {
      throw new UsageError(`A ${noun}'s name must have 1 to ${MAX_NAME_LENGTH} characters on one line.`, 'name');
    }
    return withoutSecret(name, 'name', noun);
  },

  note(input: string): string {
    const note = input.trim();
    if (note.length > MAX_NOTE_LENGTH || note.includes('\0')) {
      throw new UsageError(`A ${noun}'s note can have at most ${MAX_NOTE_LENGTH} characters.`, 'note');
    }
    return withoutSecret(note, 'note', noun);
  },

  models(input: readonly string[] | null): string[] | null {
    if (input === null) return null;
    if (input.length === 0) throw new UsageError('A key must allow at least one model.', 'models');
    return [...new Set(input)];
  },

  addresses(input: readonly string[] | null): string[] | null {
    if (input === null) return null;
    if (input.length === 0) throw new UsageError(`A ${noun} must allow at least one address.`, 'addresses');
    input.forEach(checkAddress);
    return [...new Set(input)];
  },

  /** `since`: when the secret was created; `maxLifetime` (ms) counts from then. */
  expiry(input: Date | null, since: Date, maxLifetime: number | null, now: Date): Date | null {
    const latest = maxLifetime === null ? null : new Date(since.getTime() + maxLifetime);
    if (input === null) {
      if (latest) throw new UsageError(`A ${noun} must expire, no later than ${latest.toISOString()}.`, 'expiresAt');
      return null;
    }
    if (input <= now) throw new UsageError(`A ${noun} must expire in the future.`, 'expiresAt');
    if (latest && input > latest) {
      throw new UsageError(`A ${noun} must expire before ${latest.toISOString()}.`, 'expiresAt');
    }
    return input;
  },
});

export const keyRules = rulesFor('key');
export const tokenRules = rulesFor('token');

function withoutSecret(text: string, field: string, noun: string): string {
  if (WHOLE_SECRET.test(text)) throw new UsageError(`Do not put the ${noun} itself into its ${field}.`, field);
  return text;
}

function checkAddress(address: string, index: number): void {
  try {
    new AddressList([address]);
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`, `addresses[${index}]`);
  }
}

type Limits = Partial<Pick<ApiKeyEntity, 'models' | 'addresses' | 'expiresAt'>>;
type Bounds = Partial<Pick<ApiKeyEntity, 'boundBy' | 'boundModels' | 'boundAddresses' | 'boundExpiresAt'>>;

/**
 * The bounds for the owner after a change of a key's limits: limits set by others are bounds, those set by the owner
 * are not.
 */
export function toBounds({ models, addresses, expiresAt }: Limits, isOwn: boolean, { id }: Actor): Bounds {
  const bounds = {
    ...(models !== undefined && { boundModels: isOwn ? null : models }),
    ...(addresses !== undefined && { boundAddresses: isOwn ? null : addresses }),
    ...(expiresAt !== undefined && { boundExpiresAt: isOwn ? null : expiresAt }),
  };
  return Object.keys(bounds).length === 0 ? {} : { ...bounds, boundBy: id };
}

export function checkWithin(bounds: ApiKeyEntity, { models, addresses, expiresAt }: Limits): void {
  const { boundModels, boundAddresses, boundExpiresAt } = bounds;
  if (models !== undefined && boundModels && !models?.every((model) => boundModels.includes(model))) {
    throw beyond('models', boundModels.join(', '));
  }
  if (addresses !== undefined && boundAddresses) {
    const allowed = new AddressList(boundAddresses);
    if (!addresses?.every((address) => allowed.covers(address))) throw beyond('addresses', boundAddresses.join(', '));
  }
  if (expiresAt !== undefined && boundExpiresAt && !(expiresAt && expiresAt <= boundExpiresAt)) {
    throw beyond('expiresAt', `the time until ${boundExpiresAt.toISOString()}`);
  }
}

/** Throws a `UsageError` when the owner may not enable the key. */
export function checkMayEnable({ disabledBy, userId }: ApiKeyEntity): void {
  if (disabledBy === userId) return;
  throw new UsageError('An administrator disabled this key: only an administrator can enable it.', 'disabled');
}

export function isTakingOver({ disabledBy, userId }: ApiKeyEntity, disabled: boolean, isOwn: boolean): boolean {
  return disabled && disabledBy === userId && !isOwn;
}

function beyond(field: string, bounds: string): UsageError {
  return new UsageError(`An administrator limited this key to ${bounds}: you can only narrow it further.`, field);
}

/**
 * Throws a `UsageError` when the user already has `most` live keys: neither revoked nor expired. Locks the user until
 * the transaction ends. `most`: null for no limit.
 */
export async function assertKeyQuota(
  manager: EntityManager,
  userId: string,
  most: number | null,
  now: Date,
): Promise<void> {
  if (most === null) return;
  await manager.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  // Identities are created by their first token and do not count.
  const own = { kind: 'user' as const, userId, revokedAt: IsNull(), issuer: IsNull() };
  const where = [
    { ...own, expiresAt: IsNull() },
    { ...own, expiresAt: MoreThan(now) },
  ];
  if ((await manager.countBy(ApiKeyEntity, where)) < most) return;
  throw new UsageError(
    `This user already has ${most} live API keys, the maximum. Revoke one that is no longer used, ` +
      'or ask an administrator to raise `keys.perUser` in gateway.yaml.',
  );
}
