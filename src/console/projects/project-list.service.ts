import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Project } from '../../accounts/project.types.js';
import { ProjectMembersService } from '../../accounts/project-members.service.js';
import { ProjectsService } from '../../accounts/projects.service.js';
import { labelOf, type Session } from '../../accounts/user.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { ClockService } from '../../database/clock.service.js';
import {
  behindPlace,
  countRows,
  holdsPattern,
  type ListPlace,
  type ListTotal,
  placeOfCursor,
  type SortBy,
  searchPatterns,
} from '../../database/lists.js';
import { type Budget, BudgetsService } from '../../limits/budgets.service.js';
import { utcPeriodOf } from '../../limits/values/limit-values.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import { queryWithSpending, UsageTotalsService } from '../../usage/usage-totals.service.js';
import { toOrder } from '../shared/lists.js';
import { toSpending } from '../shared/views.js';
import { toUserPlanView } from '../users/user.view.js';
import type { ProjectBudgetView, ProjectSort, ProjectsQuery, ProjectView } from './project.view.js';

/** `spent` needs the relation `spent`. */
const COLUMNS: Readonly<Record<ProjectSort, SortBy>> = {
  name: { sql: 'lower(p.name)', type: 'text' },
  created: { sql: 'p.created_at', type: 'timestamptz' },
  spent: { sql: 'coalesce(spent.cost, 0)', type: 'bigint' },
};

const MANAGERS_SHOWN = 3;

const STATUS = { active: 'p.archived_at IS NULL', archived: 'p.archived_at IS NOT NULL', all: 'true' };

export interface ListedProject {
  readonly project: Project;
  readonly place: ListPlace;
}

/** Projects, sorted, searched and paged by the database. */
@Injectable()
export class ProjectListService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly clock: ClockService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** At most `limit` of them; `memberId`: only this person's. */
  async page(query: ProjectsQuery, memberId: string | null, limit: number): Promise<ListedProject[]> {
    const { sort, descending } = toOrder<ProjectSort>(query.sort);
    const by = COLUMNS[sort];
    const place = query.cursor === undefined ? null : placeOfCursor(query.cursor, by);
    const { where, values } = listed(query, memberId);
    const behind = behindPlace({ sort: by, descending, id: 'p.id', place, firstParameter: values.length + 1 });
    values.push(...behind.values);
    const select = (join: string) => `
      SELECT p.id, (${by.sql})::text AS value FROM projects AS p ${join}
      WHERE ${where} AND ${behind.condition} ORDER BY ${behind.order} LIMIT ${limit}`;
    const toSql = (spent: string) =>
      select(`LEFT JOIN (
        SELECT u.project_id AS id, sum(s.cost)::bigint AS cost FROM (${spent}) AS s JOIN users AS u ON u.id = s.id
        WHERE u.project_id IS NOT NULL GROUP BY u.project_id
      ) AS spent ON spent.id = p.id`);
    const places: ListPlace[] = await (sort === 'spent'
      ? queryWithSpending<ListPlace>(this.dataSource, { of: 'user', now: this.clock.date(), values, toSql })
      : this.dataSource.query(select(''), values));
    const projects = await this.projects.byId(places.map(({ id }) => id));
    return places.flatMap((one) => {
      const project = projects.get(one.id);
      return project ? [{ project, place: one }] : [];
    });
  }

  count(query: ProjectsQuery, memberId: string | null): Promise<ListTotal> {
    const { where, values } = listed(query, memberId);
    return countRows(this.dataSource, `FROM projects AS p WHERE ${where}`, values);
  }
}

function listed(
  { q, name, ids, status }: ProjectsQuery,
  memberId: string | null,
): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [STATUS[status]];
  const add = (value: unknown, toCondition: (parameter: string) => string) => {
    values.push(value);
    conditions.push(toCondition(`$${values.length}`));
  };
  if (memberId !== null) {
    add(memberId, (id) => `p.id IN (SELECT project_id FROM project_members WHERE user_id = ${id}::uuid)`);
  }
  if (name !== undefined) add(name, (one) => `p.name = ${one}`);
  if (ids) add(ids, (all) => `p.id = ANY(${all}::uuid[])`);
  for (const pattern of searchPatterns(q)) add(pattern, (word) => holdsPattern('p.name', pattern, word));
  return { where: conditions.join(' AND '), values };
}

/** Details of projects for lists and pages. A few queries read them for any number of projects. */
@Injectable()
export class ProjectFactsService {
  constructor(
    private readonly members: ProjectMembersService,
    private readonly projects: ProjectsService,
    private readonly keys: ApiKeysService,
    private readonly plans: PlansService,
    private readonly totals: UsageTotalsService,
    private readonly budgets: BudgetsService,
    private readonly clock: ClockService,
  ) {}

  async views(projects: readonly Project[], { user, rights }: Session): Promise<ProjectView[]> {
    const usersOf = await this.projects.userIdsOf(projects.map(({ id }) => id));
    const all = [...usersOf.values()].flat();
    const ids = projects.map(({ id }) => id);
    const [roles, members, managers, budgets, keys, plans, spent] = await Promise.all([
      this.members.rolesOf(user.id),
      this.members.counts(ids),
      this.members.managersOf(ids),
      this.budgets.of({ projects: ids }),
      this.keys.countActiveByUser(all),
      this.plans.currentOf(projects.map(({ userId }) => userId)),
      this.totals.byUser(all, utcPeriodOf('month', this.clock.date()).from),
    ]);
    return projects.map((project) => {
      const { id, userId, archivedAt } = project;
      const users = usersOf.get(id) ?? [];
      const plan = plans.get(userId);
      if (!plan) throw new Error('every user has a plan');
      const role = roles.get(id) ?? null;
      return {
        ...project,
        role,
        canManage: archivedAt === null && rights.mayIn(role, 'projects.write'),
        members: members.get(id) ?? 0,
        managers: (managers.get(id) ?? []).slice(0, MANAGERS_SHOWN).map(labelOf),
        managerCount: managers.get(id)?.length ?? 0,
        budgets: budgets.filter((budget) => budget.id === id).map(toProjectBudget),
        keys: archivedAt === null ? users.reduce((sum, one) => sum + (keys.get(one) ?? 0), 0) : 0,
        serviceAccounts: users.length - 1,
        plan: toUserPlanView(plan),
        spentThisMonth: toSpending(sumOf(users.flatMap((one) => spent.get(one) ?? []))),
      };
    });
  }
}

export function toProjectBudget(budget: Budget): ProjectBudgetView {
  const { period, amountUsd, spentUsd, reservedUsd, uncoveredUsd, resetsAt } = budget;
  const leftUsd = Math.max(0, Number((amountUsd - spentUsd - reservedUsd).toFixed(9)));
  return { period, amountUsd, spentUsd, reservedUsd, leftUsd, uncoveredUsd, resetsAt };
}

function sumOf(totals: readonly UsageTotals[]): UsageTotals {
  return totals.reduce(
    (sum, { calls, costNanodollars }) => ({
      calls: sum.calls + calls,
      costNanodollars: sum.costNanodollars + costNanodollars,
    }),
    { calls: 0, costNanodollars: 0n },
  );
}
