import { Injectable } from '@nestjs/common';
import { FullestBudgetsService } from '../../limits/fullest-budgets.service.js';
import { UsageLabelsService } from '../usage/usage-labels.service.js';
import type { BudgetStandingsView } from './dto/budget-standing.view.js';

const MOST_OWNERS = 500;

/** The budgets that are spent the most, with the names of their owners. */
@Injectable()
export class BudgetStandingsService {
  constructor(
    private readonly budgets: FullestBudgetsService,
    private readonly labels: UsageLabelsService,
  ) {}

  async list(): Promise<BudgetStandingsView> {
    const budgets = await this.budgets.list(MOST_OWNERS);
    const idsOf = (isKey: boolean) => budgets.flatMap(({ scope, id }) => ((scope === 'key') === isKey ? [id] : []));
    const [keyOf, userOf] = await Promise.all([this.labels.ofKeys(idsOf(true)), this.labels.ofUsers(idsOf(false))]);
    return {
      items: budgets.map(({ runsOutAt, ...budget }) => {
        const { label: name, detail } = (budget.scope === 'key' ? keyOf : userOf)(budget.id);
        return { ...budget, name, detail, runsOutAt: runsOutAt?.toISOString() ?? null };
      }),
      isComplete: new Set(budgets.map(({ id }) => id)).size < MOST_OWNERS,
    };
  }
}
