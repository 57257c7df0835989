import { Injectable } from '@nestjs/common';
import type { Project } from '../../accounts/projects/project.types.js';
import { ProjectMembersService } from '../../accounts/projects/project-members.service.js';
import { ProjectsService } from '../../accounts/projects/projects.service.js';
import type { Session } from '../../accounts/session.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { ClockService } from '../../database/clock.service.js';
import { utcPeriodOf } from '../../limits/values/utc-periods.js';
import { UsageTotalsService } from '../../usage/reports/usage-totals.service.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import { toSpending } from '../shared/spending.js';
import { toUserPlanView } from '../users/user.view.js';
import type { ProjectView } from './dto/project.view.js';

/** Details of projects for lists and pages. A few queries read them for any number of projects. */
@Injectable()
export class ProjectFactsService {
  constructor(
    private readonly members: ProjectMembersService,
    private readonly projects: ProjectsService,
    private readonly keys: ApiKeysService,
    private readonly plans: PlansService,
    private readonly totals: UsageTotalsService,
    private readonly clock: ClockService,
  ) {}

  async views(projects: readonly Project[], { user }: Session): Promise<ProjectView[]> {
    const usersOf = await this.projects.userIdsOf(projects.map(({ id }) => id));
    const all = [...usersOf.values()].flat();
    const [roles, members, keys, plans, spent] = await Promise.all([
      this.members.rolesOf(user.id),
      this.members.counts(projects.map(({ id }) => id)),
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
        canManage: archivedAt === null && (role === 'manager' || user.role === 'admin'),
        members: members.get(id) ?? 0,
        keys: archivedAt === null ? users.reduce((sum, one) => sum + (keys.get(one) ?? 0), 0) : 0,
        serviceAccounts: users.length - 1,
        plan: toUserPlanView(plan),
        spentThisMonth: toSpending(sumOf(users.flatMap((one) => spent.get(one) ?? []))),
      };
    });
  }
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
