import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { ConsoleController } from '../session/console-controller.js';
import { Role } from '../session/role.js';
import { BudgetStandingsService } from './budget-standings.service.js';
import { BudgetStandingsView } from './dto/budget-standing.view.js';

@ConsoleController('budgets', 'Limits')
@Role('admin')
export class BudgetsController {
  constructor(private readonly standings: BudgetStandingsService) {}

  @Get()
  @ApiOperation({
    summary: 'The budgets of which the largest part is spent, with a forecast',
    description: 'Budgets of up to 500 users, keys and projects that have spent something in the period.',
  })
  @ApiOkResponse({ type: BudgetStandingsView })
  list(): Promise<BudgetStandingsView> {
    return this.standings.list();
  }
}
