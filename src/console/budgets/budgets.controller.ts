import { Get } from '@nestjs/common';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { BudgetStandingsService } from './budget-standings.service.js';
import { BudgetStandingsView } from './dto/budget-standing.view.js';

@ConsoleController('budgets', 'Limits', 'admin')
export class BudgetsController {
  constructor(private readonly standings: BudgetStandingsService) {}

  @Get()
  @Returns(BudgetStandingsView, 'The budgets of which the largest part is spent, with a forecast', {
    description: 'Budgets of up to 500 users, keys and projects that have spent something in the period.',
  })
  list(): Promise<BudgetStandingsView> {
    return this.standings.list();
  }
}
