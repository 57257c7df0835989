import { Injectable } from '@nestjs/common';
import { FullestBudgetsService } from '../../limits/fullest-budgets.service.js';
import type { LimitScope } from '../../limits/values/limit.types.js';
import { UsageLabelsService } from '../usage/usage-labels.service.js';
import type { BudgetStandingsView } from './dto/budget-standing.view.js';

const MAX_OWNERS = 500;

/** The budgets of which the largest part is spent, with the names of their owners. */
@Injectable()
export class BudgetStandingsService {
  constructor(
    private readonly budgets: FullestBudgetsService,
    private readonly labels: UsageLabelsService,
  ) {}

  async list(): Promise<BudgetStandingsView> {
    const budgets = await this.budgets.list(MAX_OWNERS);
    const idsOf = (...scopes: LimitScope[]) => budgets.flatMap(({ scope, id }) => (scopes.includes(scope) ? [id] : []));
    const [key, project, user, projectOf] = await Promise.all([
      this.labels.ofKeys(idsOf('key')),
      this.labels.ofProjects(idsOf('project')),
      this.labels.ofUsers(idsOf('plan', 'user')),
      this.labels.projectOf(idsOf('plan')),
    ]);
    const labelOf = { key, project, user, plan: user };
    return {
      items: budgets.map((budget) => {
        const { label: name, detail } = labelOf[budget.scope](budget.id);
        const projectId = budget.scope === 'project' ? budget.id : (projectOf(budget.id)?.id ?? null);
        return { ...budget, name, detail, projectId };
      }),
      isComplete: new Set(budgets.map(({ id }) => id)).size < MAX_OWNERS,
    };
  }
}
