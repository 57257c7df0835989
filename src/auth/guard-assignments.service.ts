import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { PlansService } from '../billing/plans.service.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { notifyCallerChanged } from '../database/changes.service.js';

export const GUARD_SUBJECTS = ['plan', 'project', 'key'] as const;
export type GuardSubject = (typeof GUARD_SUBJECTS)[number];

export interface GuardAssignment {
  readonly kind: GuardSubject;
  readonly id: string;
  readonly name: string;
  readonly guards: readonly string[];
  /** The project itself, or that of the key's owner. */
  readonly projectId: string | null;
  /** The user who has the plan: the key's owner, or the one that represents the project. */
  readonly ownerId: string | null;
}

/** A guard that applies to a plan, a project or a key without being set for it. */
export interface InheritedGuard {
  readonly guard: string;
  /** `all`: it applies to every call. */
  readonly from: 'all' | 'plan' | 'project';
  /** Of the plan or the project. */
  readonly name: string | null;
}

interface Input {
  readonly guards: readonly string[];
  /** Managers of a project add guards; only administrators take one away. */
  readonly mayRemove: boolean;
}

const SUBJECTS: Readonly<Record<GuardSubject, string>> = {
  plan: 'SELECT s.id, s.name, s.guards, NULL AS "projectId", NULL AS "ownerId" FROM plans AS s WHERE true',
  project: `SELECT s.id, s.name, s.guards, s.id AS "projectId", u.id AS "ownerId"
    FROM projects AS s JOIN users AS u ON u.project_id = s.id AND u.kind = 'project' WHERE s.archived_at IS NULL`,
  key: `SELECT s.id, s.name, s.guards, u.project_id AS "projectId", u.id AS "ownerId"
    FROM api_keys AS s JOIN users AS u ON u.id = s.user_id WHERE s.revoked_at IS NULL`,
};
const TABLES: Readonly<Record<GuardSubject, string>> = { plan: 'plans', project: 'projects', key: 'api_keys' };

/** The guards of gateway.yaml that plans, projects and keys add for their calls; effective within a second. */
@Injectable()
export class GuardAssignmentsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
    private readonly audit: AuditService,
    private readonly plans: PlansService,
  ) {}

  /** Throws a `NotFoundError` if the subject does not exist, is archived or revoked. */
  get(kind: GuardSubject, id: string): Promise<GuardAssignment> {
    return this.find(this.dataSource.manager, kind, id);
  }

  /** Those with guards. */
  async all(): Promise<GuardAssignment[]> {
    const lists = await Promise.all(
      GUARD_SUBJECTS.map(async (kind) => {
        const rows: Omit<GuardAssignment, 'kind'>[] = await this.dataSource.query(
          `${SUBJECTS[kind]} AND s.guards <> '{}' ORDER BY s.name, s.id LIMIT 1000`,
        );
        return rows.map((row) => ({ kind, ...row }));
      }),
    );
    return lists.flat();
  }

  /** Models can add further guards to single calls. */
  async inherited({ kind, projectId, ownerId }: GuardAssignment): Promise<InheritedGuard[]> {
    const forAll = this.settings.guardsForAll.map((guard) => ({ guard, from: 'all', name: null }) as const);
    if (ownerId === null) return forAll;
    const current = (await this.plans.currentOf([ownerId])).get(ownerId);
    const above: InheritedGuard[] = await this.dataSource.query(
      `SELECT unnest(guards) AS guard, 'plan' AS from, name FROM plans WHERE id = $1
       UNION ALL SELECT unnest(guards), 'project', name FROM projects WHERE id = $2`,
      [current?.plan.id ?? null, kind === 'key' ? projectId : null],
    );
    return [...forAll, ...above];
  }

  /** Throws a `UsageError` for names that gateway.yaml does not have, unless they were set before. */
  async set(kind: GuardSubject, id: string, { guards, mayRemove }: Input, actor: Actor): Promise<GuardAssignment> {
    const input = [...new Set(guards)];
    return this.dataSource.transaction(async (manager) => {
      const subject = await this.find(manager, kind, id, 'FOR UPDATE OF s');
      this.check(input, subject.guards, mayRemove);
      if (JSON.stringify(input) === JSON.stringify(subject.guards)) return subject;
      await manager.query(`UPDATE ${TABLES[kind]} SET guards = $2 WHERE id = $1`, [subject.id, input]);
      await this.audit.record(manager, actor, {
        action: `${kind}.guards`,
        target: { kind, id: subject.id, name: subject.name },
        before: { guards: subject.guards },
        after: { guards: input },
      });
      await notifyCallerChanged(manager, kind, subject.id);
      return { ...subject, guards: input };
    });
  }

  /** Throws a `UsageError` for names that are neither in gateway.yaml nor `present`. */
  assertKnown(input: readonly string[], present: readonly string[] = []): void {
    const unknown = input.findIndex((name) => !present.includes(name) && !this.settings.guardSettings.has(name));
    if (unknown >= 0) {
      const known = [...this.settings.guardSettings.keys()].join(', ');
      const remedy = known === '' ? 'Define it there first.' : `It has: ${known}.`;
      throw new UsageError(`gateway.yaml has no guard '${input[unknown]}'. ${remedy}`, `guards[${unknown}]`);
    }
  }

  private check(input: readonly string[], present: readonly string[], mayRemove: boolean): void {
    this.assertKnown(input, present);
    const removed = mayRemove ? undefined : present.find((name) => !input.includes(name));
    if (removed === undefined) return;
    throw new UsageError(`Only administrators can remove a guard. Keep '${removed}'.`, 'guards');
  }

  private async find(manager: EntityManager, kind: GuardSubject, id: string, lock = ''): Promise<GuardAssignment> {
    const rows: Omit<GuardAssignment, 'kind'>[] = await manager.query(`${SUBJECTS[kind]} AND s.id::text = $1 ${lock}`, [
      id.toLowerCase(),
    ]);
    const [row] = rows;
    if (!row) throw new NotFoundError(`The ${kind} does not exist.`);
    return { kind, ...row };
  }
}
