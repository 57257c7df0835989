import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import {
  type CallerLimit,
  LIMIT_NAMES,
  type LimitChange,
  type LimitDifference,
  type LimitName,
  type LimitScope,
  type LimitSettings,
  type LimitValues,
  type LimitWrite,
  NO_LIMITS,
  type OwnLimits,
  shownName,
  toShownLimit,
} from './limit-values.js';

interface StoredRow extends LimitValueRow {
  readonly subject: string;
  readonly bound: string | null;
}

@Injectable()
export class LimitValuesService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** By subject; subjects without limits are missing. Pass `manager` within a transaction. */
  async of(
    scope: LimitScope,
    subjects: readonly string[],
    manager: Pick<EntityManager, 'query'> = this.dataSource,
  ): Promise<Map<string, OwnLimits>> {
    const rows: StoredRow[] = await manager.query(
      `SELECT subject, name, amount::text, bound::text FROM limit_values
       WHERE scope = $1 AND subject = ANY ($2::text[])`,
      [scope, subjects],
    );
    return new Map([...Map.groupBy(rows, ({ subject }) => subject)].map(([id, own]) => [id, toOwnLimits(own)]));
  }

  async get(scope: LimitScope, subject: string, manager?: Pick<EntityManager, 'query'>): Promise<OwnLimits> {
    return (await this.of(scope, [subject], manager)).get(subject) ?? { values: {}, bounds: {} };
  }

  /** Lock the subject before, and notify the processes afterwards. Null: nothing changed. */
  async change(manager: EntityManager, write: LimitWrite, change: LimitChange): Promise<LimitDifference | null> {
    const { values: present } = await this.get(write.scope, write.subject, manager);
    const inherited = write.scope === 'user' ? 'plan' : null;
    const before: LimitDifference['before'] = {};
    const after: LimitDifference['after'] = {};
    const values: StoredLimit[] = [];
    for (const name of LIMIT_NAMES) {
      const input = change[name] === 'plan' ? inherited : change[name];
      const was = present[name] === undefined ? inherited : present[name];
      if (input === undefined || input === was) continue;
      const isNewBudget = typeof input === 'bigint' && typeof was !== 'bigint';
      values.push({ ...write, name, amount: input === inherited ? 'plan' : input, isNewBudget });
      before[shownName(name)] = toShown(was);
      after[shownName(name)] = toShown(input);
    }
    await this.store(manager, values);
    return values.length === 0 ? null : { before, after };
  }

  /** Lock the subjects before, and notify the processes afterwards. */
  async store(manager: EntityManager, values: readonly StoredLimit[]): Promise<void> {
    if (values.length === 0) return;
    const rows = values.map(({ amount, binds = false, ...value }) => {
      const isRemoved = amount === 'plan';
      return { ...value, binds, isRemoved, amount: amount === null || isRemoved ? null : String(amount) };
    });
    for (const [binds, some] of Map.groupBy(rows, (row) => row.binds)) {
      await manager.query(STORE, [JSON.stringify(some), binds]);
    }
    // Starts adding up earlier spending now instead of at the first call. Not for plans, which have too many users.
    const budgets = rows.filter(({ scope, isNewBudget }) => isNewBudget && scope !== 'plan');
    if (budgets.length > 0) await manager.query(EXPECT, [JSON.stringify(budgets)]);
  }
}

/** The value of one limit; `plan`: none of its own. */
export interface StoredLimit extends LimitWrite {
  readonly name: LimitName;
  readonly amount: number | bigint | null | 'plan';
  /** Whether there was no budget of this period before. */
  readonly isNewBudget: boolean;
}

/** $2: whether the values are bounds, too. */
const STORE = `
  WITH given AS (
    SELECT * FROM json_to_recordset($1) AS one (scope text, subject text, name text, amount bigint, "isRemoved" boolean)
  ), removed AS (
    DELETE FROM limit_values AS value USING given
    WHERE "isRemoved" AND (value.scope, value.subject, value.name) = (given.scope, given.subject, given.name)
  )
  INSERT INTO limit_values AS value (scope, subject, name, amount, bound)
  SELECT scope, subject, name, amount, CASE WHEN $2 THEN amount END FROM given WHERE NOT "isRemoved"
  ON CONFLICT (scope, subject, name) DO UPDATE
  SET amount = excluded.amount, bound = CASE WHEN $2 THEN excluded.bound ELSE value.bound END`;

const EXPECT = `
  SELECT limit_expect(subject, scope)
  FROM (SELECT DISTINCT scope, subject FROM json_to_recordset($1) AS one (scope text, subject uuid) ORDER BY subject) AS given`;

function toOwnLimits(rows: readonly StoredRow[]): OwnLimits {
  const bounds = rows.filter(({ bound }) => bound !== null).map(({ name, bound }) => ({ name, amount: bound }));
  return { values: toLimitSettings(rows), bounds: toLimitSettings(bounds) };
}

function toShown(amount: number | bigint | null | 'plan'): number | null | 'plan' {
  return amount === null || amount === 'plan' ? amount : toShownLimit(amount);
}

/** As stored: amounts as decimal text. */
export interface LimitValueRow {
  readonly name: LimitName;
  readonly amount: string | null;
}

function toLimitSettings(rows: readonly LimitValueRow[]): LimitSettings {
  return Object.fromEntries(rows.map(({ name, amount }) => [name, amount === null ? null : toAmount(name, amount)]));
}

function toAmount(name: LimitName, amount: string): number | bigint {
  return name.endsWith('Nanodollars') ? BigInt(amount) : Number(amount);
}

export function effectiveLimits(plan: LimitSettings, own: LimitSettings): LimitValues {
  return { ...NO_LIMITS, ...plan, ...own };
}

/** The user, key and project whose limits apply to a caller. */
interface CallerSubjects {
  readonly userId: string;
  readonly keyId: string | null;
  readonly projectId: string | null;
  /** The user whose balance counts the plan's limits: the caller's user, or the user that represents the project. */
  readonly planUserId: string;
}

/** The limits of a caller: the user's own (the plan's where there are none), the key's and the project's. */
export function toCallerLimits(
  rows: readonly (LimitValueRow & { readonly scope: LimitScope })[],
  { userId, keyId, projectId, planUserId }: CallerSubjects,
): CallerLimit[] {
  const settingsOf = (scope: LimitScope) => toLimitSettings(rows.filter((row) => row.scope === scope));
  const [plan, user] = [settingsOf('plan'), settingsOf('user')];
  const inherited = LIMIT_NAMES.filter((name) => !(name in user)).map((name) => [name, plan[name]]);
  return [
    toCallerLimit('plan', planUserId, Object.fromEntries(inherited)),
    toCallerLimit('user', userId, user),
    ...(keyId === null ? [] : [toCallerLimit('key', keyId, settingsOf('key'))]),
    ...(projectId === null ? [] : [toCallerLimit('project', projectId, settingsOf('project'))]),
  ].filter(({ values }) => Object.values(values).some((amount) => amount !== null));
}

function toCallerLimit(scope: LimitScope, id: string, settings: LimitSettings): CallerLimit {
  const given = Object.entries(settings).filter(([, amount]) => amount !== undefined);
  return { scope, id, values: { ...NO_LIMITS, ...Object.fromEntries(given) } };
}
