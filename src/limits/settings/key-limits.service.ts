import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../../audit/audit.types.js';
import { UsageError } from '../../common/usage.error.js';
import { toUsd } from '../../common/usd.js';
import type { LimitValues } from '../values/limit.types.js';
import { LIMIT_NAMES, type LimitChange, type LimitName, limitField, shownName } from '../values/limit-values.js';
import { LimitValuesService } from '../values/limit-values.service.js';
import type { LimitDifference, OwnLimits } from '../values/limit-values.types.js';
import { UserLimitsService } from './user-limits.service.js';

interface LimitedKey {
  readonly id: string;
  readonly userId: string;
}

const NOTHING: OwnLimits = { values: {}, bounds: {} };

@Injectable()
export class KeyLimitsService {
  constructor(
    private readonly limits: LimitValuesService,
    private readonly users: UserLimitsService,
  ) {}

  /** The limits of each key; keys without any are missing. */
  of(keyIds: readonly string[]): Promise<Map<string, OwnLimits>> {
    return this.limits.of('key', keyIds);
  }

  /** Runs in the transaction that has locked the key. Null: nothing changed. */
  async change(
    manager: EntityManager,
    { id, userId }: LimitedKey,
    change: LimitChange,
    actor: Actor,
  ): Promise<LimitDifference | null> {
    if (Object.keys(change).length === 0) return null;
    const isOwner = actor.id === userId;
    if (isOwner) await this.checkWithin(manager, { id, userId }, change);
    return this.limits.change(manager, { scope: 'key', subject: id, binds: !isOwner }, change);
  }

  /** An owner cannot exceed the owner's own limits, nor those that others set for the key. */
  private async checkWithin(manager: EntityManager, { id, userId }: LimitedKey, change: LimitChange): Promise<void> {
    const { values, bounds } = (await this.limits.of('key', [id], manager)).get(id) ?? NOTHING;
    const owner = await this.users.get(userId, manager);
    for (const name of LIMIT_NAMES) {
      const wish = change[name];
      if (wish === undefined || wish === 'plan' || wish === (values[name] ?? null)) continue;
      const bound = bounds[name] ?? null;
      if (bound !== null && (wish === null || wish > bound)) {
        throw beyond(name, `An administrator limited this key to ${amountOf(name, bound)}: you can only narrow it.`);
      }
      const most: LimitValues[LimitName] = owner.values[name];
      if (most !== null && wish !== null && wish > most) {
        throw beyond(name, `Your own limit is ${amountOf(name, most)}: your keys cannot have more.`);
      }
    }
  }
}

const WORDS: Readonly<Record<LimitName, string>> = {
  requestsPerMinute: 'requests per minute',
  tokensPerMinute: 'tokens per minute',
  concurrentCalls: 'concurrent calls',
  budgetDayNanodollars: 'dollars a day',
  budgetMonthNanodollars: 'dollars a month',
  budgetTotalNanodollars: 'dollars in total',
};

function amountOf(name: LimitName, amount: number | bigint): string {
  return `${typeof amount === 'bigint' ? toUsd(amount) : amount} ${WORDS[name]}`;
}

function beyond(name: LimitName, message: string): UsageError {
  return new UsageError(message, limitField(shownName(name)));
}
