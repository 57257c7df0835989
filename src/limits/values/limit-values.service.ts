import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { LimitScope } from './limit.types.js';
import { type LimitValueRow, toLimitSettings } from './limit-settings.js';
import { LIMIT_NAMES, type LimitChange, type LimitName, shownName, toShownLimit } from './limit-values.js';
import type { LimitDifference, LimitWrite, OwnLimits } from './limit-values.types.js';

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
    let hasNewBudget = false;
    for (const name of LIMIT_NAMES) {
      const wish = change[name] === 'plan' ? inherited : change[name];
      const was = present[name] === undefined ? inherited : present[name];
      if (wish === undefined || wish === was) continue;
      await (wish === inherited || wish === 'plan' ? forget(manager, write, name) : keep(manager, write, name, wish));
      hasNewBudget ||= typeof wish === 'bigint' && typeof was !== 'bigint';
      before[shownName(name)] = toShown(was);
      after[shownName(name)] = toShown(wish);
    }
    if (hasNewBudget) await expectBudget(manager, write);
    return Object.keys(after).length === 0 ? null : { before, after };
  }
}

async function forget(manager: EntityManager, { scope, subject }: LimitWrite, name: LimitName): Promise<void> {
  const statement = 'DELETE FROM limit_values WHERE scope = $1 AND subject = $2 AND name = $3';
  await manager.query(statement, [scope, subject, name]);
}

async function keep(
  manager: EntityManager,
  { scope, subject, binds = false }: LimitWrite,
  name: LimitName,
  amount: number | bigint | null,
): Promise<void> {
  await manager.query(
    `INSERT INTO limit_values (scope, subject, name, amount, bound)
     VALUES ($1, $2, $3, $4::bigint, CASE WHEN $5 THEN $4::bigint END)
     ON CONFLICT (scope, subject, name) DO UPDATE
     SET amount = excluded.amount, bound = CASE WHEN $5 THEN excluded.bound ELSE limit_values.bound END`,
    [scope, subject, name, amount === null ? null : String(amount), binds],
  );
}

/** Starts adding up earlier spending now instead of at the first call. Not for plans, which have too many users. */
async function expectBudget(manager: EntityManager, { scope, subject }: LimitWrite): Promise<void> {
  if (scope !== 'plan') await manager.query('SELECT limit_expect($1, $2)', [subject, scope]);
}

function toOwnLimits(rows: readonly StoredRow[]): OwnLimits {
  const bounds = rows.filter(({ bound }) => bound !== null).map(({ name, bound }) => ({ name, amount: bound }));
  return { values: toLimitSettings(rows), bounds: toLimitSettings(bounds) };
}

function toShown(amount: number | bigint | null | 'plan'): number | null | 'plan' {
  return amount === null || amount === 'plan' ? amount : toShownLimit(amount);
}
